import { existsSync, readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { addAccounts, fetchToken } from '../../chaos/crash/api-client.ts'
import type { Fault } from '../../sandbox/server/faults.ts'
import { STAND_IN_IDS, type StandInId } from '../../sandbox/stand-ins.ts'
import { addDays, dateIn } from '../../src/lib/time/plain-date.ts'
import type { SearchAnswer } from '../support/app/search-app.ts'
import { freePort } from '../support/servers/postgres.ts'
import { openStage, type ServerProcess, type Stage, startServer } from '../support/servers/server-process.ts'
import { processorWaitMs } from '../support/time/measure.ts'

/** Maximum delay beyond the deadline, from the first byte of a request to the last of its answer, by the server's log. */
const DELAY_MAX_MS = 150
/** Deadline of a search, which hanging vendors use up. Longer on a machine on which healthy vendors need longer. */
const SEARCH_MS = 2_000
const SEARCH_FACTOR = 3
const SEARCH_MAX_MS = 15_000
const DETAIL_MS = 8_000
const AT_ONCE = 3

type Disturbance = Omit<Fault, 'operation'>
const SLOW: readonly Disturbance[] = [{ kind: 'hang' }, { kind: 'drip', ms: 20 }, { kind: 'latency', ms: 20_000 }]
const BROKEN: readonly Disturbance[] = [
  { kind: 'reset_before' },
  { kind: 'reset_after' },
  { kind: 'truncate' },
  { kind: 'html' },
  { kind: 'huge' },
  { kind: 'error_before' },
]

let stage: Stage
let server: ServerProcess
let token = ''
let destination = ''
let nights = 0
let calls = 0
let quietBytes = 0

beforeAll(async () => {
  stage = await openStage('torture')
  const env = {
    ...stage.sandbox.environment,
    SERAI_DATA_DIR: stage.dataDir,
    SERAI_ANSWER_REUSE_SECONDS: '0',
    SERAI_LOG_LEVEL: 'info',
  }
  await addAccounts(env)
  server = await startServer({ dataDir: stage.dataDir, port: await freePort(), env })
  token = await fetchToken(server.url)
  const places = await call<{ data: { id: string }[] }>('/api/locations/search?starts_with=zermatt')
  destination = places.body.data[0]?.id ?? ''
  await vi.waitUntil(isWarm, { timeout: 150_000, interval: 250 })
  await storm(() => search(SEARCH_MAX_MS))
  quietBytes = peakBytes()
})
afterEach(async () => {
  for (const id of STAND_IN_IDS) await stage.sandbox.control[id].clearFaults()
})
afterAll(async () => {
  await server?.kill()
  await stage?.close()
})

type Reply<T> = { readonly status: number; readonly body: T; readonly ms: number }

async function call<T>(path: string, payload?: unknown): Promise<Reply<T>> {
  calls += 1
  const requestId = `torture-${calls}`
  const starvedBefore = processorWaitMs(server.pid)
  const answer = await fetch(`${server.url}${path}`, {
    method: payload === undefined ? 'GET' : 'POST',
    headers: { authorization: `bearer: ${token}`, 'content-type': 'application/json', 'x-request-id': requestId },
    ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
  })
  const body = (await answer.json()) as T
  const starved = processorWaitMs(server.pid) - starvedBefore
  // Health checks are not logged.
  const ms = path.startsWith('/api/') ? (await readLoggedMs(requestId)) - starved : Number.NaN
  return { status: answer.status, body, ms }
}

/** Reads the duration of a request from the server's log. */
async function readLoggedMs(requestId: string): Promise<number> {
  for (let tries = 0; tries < 250; tries += 1) {
    const line = server
      .output()
      .split('\n')
      .findLast((entry) => entry.includes(`"${requestId}"`) && entry.includes('"answered"'))
    if (line !== undefined) return (JSON.parse(line) as { ms: number }).ms
    await pause(20)
  }
  throw new Error(`the server logged no answer to ${requestId}`)
}

/** A new stay for each search, so that no answer is reused. */
const stays = () => {
  nights += 1
  const checkIn = addDays(dateIn('UTC', Date.now()), 20 + (nights % 300))
  return { check_in: checkIn, check_out: addDays(checkIn, 2 + Math.floor(nights / 300)) }
}
const send = (stay: object, timeoutMs: number, more: object = {}) => {
  const asked = { destination_id: destination, occupancies: [{ adults: 2 }], currency: 'EUR', ...stay, ...more }
  return call<{ data: SearchAnswer }>('/api/accommodation_searches/search', { ...asked, timeout_ms: timeoutMs })
}
async function ask(stay: object, timeoutMs: number, more: object = {}) {
  const reply = await send(stay, timeoutMs, more)
  expect(reply.status, JSON.stringify(reply.body).slice(0, 300)).toBe(200)
  return { ...reply.body.data, ms: reply.ms }
}
/** True if all vendors have sent the content of the destination in time, which may take a few searches. */
async function isWarm(): Promise<boolean> {
  const { status, body } = await send(stays(), SEARCH_MAX_MS)
  return status === 200 && !body.data.partial
}
const search = (timeoutMs: number) => ask(stays(), timeoutMs)
const storm = <T>(act: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: AT_ONCE }, act))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const othersThan = (id: StandInId) => STAND_IN_IDS.filter((other) => other !== id)
const getStatus = (answer: Pick<SearchAnswer, 'vendors'>, id: string) =>
  answer.vendors.find(({ vendor_id }) => vendor_id === id)?.status

const onLinux = existsSync('/proc/self/status')
/** Peak memory of the server, as counted by the kernel. */
function peakBytes(): number {
  if (!onLinux) return 0
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

/** Number of open connections to a vendor. */
function connectionsTo(id: StandInId): number {
  if (!onLinux) return 0
  const port = Number(new URL(stage.sandbox.origins[id]).port).toString(16).toUpperCase().padStart(4, '0')
  const lines = readFileSync(`/proc/${server.pid}/net/tcp`, 'utf8').split('\n')
  return lines.filter((line) => new RegExp(`:${port} 01 `).test(line)).length
}

const seed = Number(process.env.SERAI_CHAOS_SEED ?? Math.floor(Math.random() * 1e6))
/** Assigns each fault to one vendor, by the seed. `test/app/search/search-faults.test.ts` tests them all at all vendors. */
const assignFaults = (troubles: readonly Disturbance[]) =>
  troubles.flatMap((trouble, index) => {
    const down = STAND_IN_IDS[(seed + index) % STAND_IN_IDS.length]
    return down === undefined ? [] : [[trouble.kind, down, trouble] as const]
  })

describe('search', () => {
  test.each(assignFaults([...SLOW, ...BROKEN]))(
    `with %s at %s a search returns all offers of the other vendors in time, and recovers afterwards (seed ${seed})`,
    async (_, down, trouble) => {
      const up = othersThan(down)
      const asked = Array.from({ length: AT_ONCE }, stays)
      const startedAt = performance.now()
      const alone = await Promise.all(asked.map((stay) => ask(stay, SEARCH_MAX_MS, { vendors: up })))
      const neededMs = Math.round(SEARCH_FACTOR * (performance.now() - startedAt))
      const searchMs = Math.min(SEARCH_MAX_MS, Math.max(SEARCH_MS, neededMs))
      await stage.sandbox.control[down].addFaults({ ...trouble, operation: '*' })
      const answers = await Promise.all(asked.map((stay) => ask(stay, searchMs)))
      await stage.sandbox.control[down].clearFaults()

      const expected = SLOW.includes(trouble) ? ['timeout'] : trouble.kind === 'huge' ? ['error', 'timeout'] : ['error']
      for (const [index, answer] of answers.entries()) {
        expect(answer.ms).toBeLessThan(searchMs + DELAY_MAX_MS)
        for (const id of up) expect(getStatus(answer, id)).toBe('ok')
        expect(expected).toContain(getStatus(answer, down))
        expect(answer.availability).toEqual(alone[index]?.availability)
      }
      for (const answer of await storm(() => search(SEARCH_MAX_MS))) {
        expect(answer.partial, JSON.stringify(answer.vendors)).toBe(false)
      }
      expect(connectionsTo(down)).toBeLessThanOrEqual(72)
    },
  )
})

describe('detail', () => {
  type Detail = {
    accommodation: { partial: boolean; vendors: SearchAnswer['vendors']; available_rooms: { vendor_id: string }[] }
  }
  // Slow faults last until the deadline of eight seconds, so one of them is enough.
  const slow: (readonly [string, StandInId, Disturbance])[] = [['drip', 'hotelbeds', { kind: 'drip', ms: 20 }]]
  test.each([...slow, ...assignFaults(BROKEN)])(
    'with %s at %s a detail returns all rooms of the other vendors in time',
    async (kind, down, trouble) => {
      const { search_id, availability } = await search(SEARCH_MAX_MS)
      const isShared = ({ offers }: (typeof availability)[number]) =>
        offers.length >= 2 && offers.some(({ vendor_id }) => vendor_id === down)
      const both = availability.filter(isShared).slice(0, AT_ONCE)
      expect(both.length).toBe(AT_ONCE)
      const open = (id: string) =>
        call<Detail>(`/api/accommodation_searches/accommodation?search_id=${search_id}&property_id=${id}`)
      const whole = await Promise.all(both.map(({ property_id }) => open(property_id)))
      await stage.sandbox.control[down].addFaults({ ...trouble, operation: '*' })
      const replies = await Promise.all(both.map(({ property_id }) => open(property_id)))
      await stage.sandbox.control[down].clearFaults()

      const isSlow = kind === 'drip'
      for (const [index, { status, body, ms }] of replies.entries()) {
        expect(status).toBe(200)
        expect(ms).toBeLessThan((isSlow ? DETAIL_MS : 3_000) + DELAY_MAX_MS)
        const { accommodation } = body
        for (const { vendor_id, status } of accommodation.vendors) {
          expect(status).toBe(vendor_id === down ? (isSlow ? 'timeout' : 'error') : 'ok')
        }
        expect(getStatus(accommodation, down)).toBeDefined()
        const rooms = whole[index]?.body.accommodation.available_rooms.filter(({ vendor_id }) => vendor_id !== down)
        expect(accommodation.available_rooms).toHaveLength(rooms?.length ?? -1)
      }
    },
  )
})

test('after all faults the server is ready, and its peak memory is limited', async () => {
  const answer = await search(SEARCH_MAX_MS)
  expect(answer.partial).toBe(false)
  expect((await call('/readyz')).status).toBe(200)
  // Worst case: three searches with six requests to a vendor each, and answers of 50 MB, each cut off at 16 MiB.
  expect((peakBytes() - quietBytes) / 2 ** 20).toBeLessThan(600)
  expect(server.output()).not.toMatch(/unexpected error|UnhandledPromise|MaxListeners/)
})
