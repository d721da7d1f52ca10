import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccounts, fetchToken } from '../../chaos/crash/api-client.ts'
import { createBookingStore } from '../../src/booking/store/bookings.ts'
import { openConfigured } from '../../src/compose/database.ts'
import { readConfig } from '../../src/config.ts'
import { deriveKeyring } from '../../src/lib/crypto/keyring.ts'
import { aBooking, BY_ACCOUNT, START } from '../support/booking/an-offer.ts'
import { freePort } from '../support/servers/postgres.ts'
import { openStage, type ServerProcess, type Stage, sleep, startServer } from '../support/servers/server-process.ts'
import { measure } from '../support/time/measure.ts'

const HEALTH_P99_MAX_MS = 50
const BOOKINGS = 2_000
const ACCOUNT = { email: 'attacker@example.com', name: 'Attacker', password: 'the password of the attacker' }

let stage: Stage
let server: ServerProcess
let token: string
beforeAll(async () => {
  stage = await openStage('attacks')
  const env = { SERAI_DATA_DIR: stage.dataDir, SERAI_SANDBOX: 'false', SERAI_LOG_LEVEL: 'error' }
  const [accountId = ''] = await addAccounts(env, [ACCOUNT])
  await addBookings(env, accountId)
  // The attacker has the default allowance.
  const settings = { ...env, SERAI_RATE_LIMIT_PER_MINUTE: '1200' }
  server = await startServer({ dataDir: stage.dataDir, port: await freePort(), env: settings })
  token = await fetchToken(server.url, ACCOUNT)
}, 120_000)
afterAll(async () => {
  await server?.kill()
  await stage?.close()
})

async function addBookings(env: Record<string, string>, accountId: string): Promise<void> {
  const config = readConfig(env)
  const database = openConfigured(config)
  const store = createBookingStore(database, deriveKeyring(config.secrets, 'persons'))
  const numbers = Array.from({ length: BOOKINGS }, (_, n) => n)
  await Promise.all(
    numbers.map((n) => {
      const id = String(n).padStart(20, '0')
      const booking = aBooking({
        bookingId: `bkg_${id}`,
        accountId,
        reference: id,
        state: 'submitting',
        simulated: true,
      })
      const keys = { offerId: `off_${n}`, idempotencyKey: `key_${n}`, fingerprint: 'f' }
      return store.create(booking, keys, START + 1e12, START + 1e12, BY_ACCOUNT)
    }),
  )
  await database.close()
}

const ask = (path: string) => fetch(`${server.url}${path}`, { headers: { authorization: `bearer: ${token}` } })

/** Words without a match, so that each of them is searched in every record. */
const filters = (count: number, words: number, field: string) =>
  Array.from({ length: count }, (_, i) => {
    const value = Array.from({ length: words }, (_, word) => `q${i}x${word}`).join('+')
    return `filters[${i}][field]=${field}&filters[${i}][op]=ilike_or&filters[${i}][value]=${value}`
  }).join('&')

/** Measures `/healthz` during the attack, without time spent waiting for a processor. */
async function measureHealth(attack: () => Promise<unknown>): Promise<{ p99: number; asked: number }> {
  let isOver = false
  const attacking = attack().finally(() => {
    isOver = true
  })
  const times: number[] = []
  const until = performance.now() + 3_000
  while (!isOver || performance.now() < until) {
    const { value, ms } = await measure(async () => (await fetch(`${server.url}/healthz`)).text(), server.pid)
    expect(value).toContain('ok')
    times.push(ms)
    await sleep(5)
  }
  await attacking
  times.sort((a, b) => a - b)
  return { p99: times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY, asked: times.length }
}

test.each([
  ['places', (words: string) => `/api/locations/search?starts_with=san&${words}`, 'name'],
  ['bookings', (words: string) => `/api/accommodation/bookings?${words}`, 'property_name'],
])(
  'long filters on %s do not delay other requests',
  async (_, createPath, field) => {
    const refused = await ask(createPath(filters(20, 100, field)))
    expect(refused.status).toBe(422)
    const { data, meta } = (await refused.json()) as { data: unknown[]; meta: { errors: { code: string }[] } }
    expect(data).toEqual([])
    expect(meta.errors[0]?.code).toBe('value_too_long')

    const statuses = new Map<number, number>()
    let costliest = 0
    const longest = createPath(filters(2, 20, field))
    const attack = async () => {
      for (let round = 0; round < 12; round += 1) {
        // A different URL each time, so that no answer is cached.
        const answers = await Promise.all([0, 1, 2, 3].map((n) => ask(`${longest}&round=${round}-${n}`)))
        for (const answer of answers) {
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          const left = Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
          costliest = Math.max(costliest, 1_200 - left)
          await answer.arrayBuffer()
        }
      }
    }
    const { p99, asked } = await measureHealth(attack)
    console.log(`long filters on ${field}: /healthz p99 ${p99.toFixed(1)} ms of ${asked}, answers`, statuses, costliest)
    expect(p99).toBeLessThanOrEqual(HEALTH_P99_MAX_MS)
    expect([...statuses.keys()].every((status) => status === 200 || status === 429)).toBe(true)
    expect(statuses.get(200)).toBeGreaterThan(0)
    // Each request is charged far more than one unit.
    expect(costliest).toBeGreaterThan(100)
  },
  120_000,
)
