import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAccounts, collectOffers, createApiClient, fetchToken } from '../../chaos/crash/api-client.ts'
import { simulatedJourney } from '../../chaos/load/simulated-journey.ts'
import { freePort } from '../support/servers/postgres.ts'
import { type ServerProcess, sleep, startServer } from '../support/servers/server-process.ts'

const WORKERS = 2

/** Uses a new connection by default, so that any worker may answer. */
function ask(url: string, path: string, headers: object = {}, agent: Agent | false = false, method = 'GET', body = '') {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((done, fail) => {
    const sent = request(new URL(path, url), { agent, method, headers: { ...headers }, timeout: 20_000 }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        done({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
      )
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in 20 s')))
    sent.on('error', fail)
    sent.end(body)
  })
}

const readChildren = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
/** A process that has just died has no command line. */
const isWorker = (pid: number) =>
  existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('process/worker.ts')
const isGone = (pid: number) => !existsSync(`/proc/${pid}`)
const countFiles = (pid: number) => readdirSync(`/proc/${pid}/fd`).length

describe('several workers on one SQLite file', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'serai-workers-'))
  let server: ServerProcess
  let token = ''
  const workers = () => readChildren(server.pid).filter(isWorker)
  const bearer = () => ({ authorization: `bearer: ${token}` })

  beforeAll(async () => {
    await addAccounts({ SERAI_DATA_DIR: dataDir })
    const env = {
      SERAI_WORKERS: String(WORKERS),
      SERAI_SANDBOX: 'true',
      SERAI_CONTENT_JOB: 'off',
      SERAI_DRAIN_MS: '300',
    }
    server = await startServer({ dataDir, port: await freePort(), env })
    token = await fetchToken(server.url)
  })
  afterAll(async () => {
    await server?.kill()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('connections are spread over all workers', async () => {
    expect(workers()).toHaveLength(WORKERS)
    const before = workers().map(countFiles)
    const agent = new Agent({ keepAlive: true })
    await Promise.all(Array.from({ length: 80 }, () => ask(server.url, '/healthz', {}, agent)))
    const after = workers().map(countFiles)
    agent.destroy()
    for (const [index, count] of after.entries()) expect(count - (before[index] ?? 0)).toBeGreaterThanOrEqual(10)
  })

  test('all workers share one allowance', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => ask(server.url, '/api/locations/search?starts_with=rome', bearer())),
    )
    const left = answers.map(({ headers }) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(left).size).toBe(answers.length)
  })

  test('metrics include all workers', async () => {
    const { text } = await ask(server.url, '/metrics')
    const [, count] = /request_duration_seconds_count\{operation="location[^}]*status="200"\} (\d+)/.exec(text) ?? []
    expect(Number(count)).toBeGreaterThanOrEqual(60)
    expect(text).toMatch(/^serai_vendor_breaker_state\{vendor="hotelbeds",class="book"\} 0$/m)
  })

  test('one idempotency key sent to all workers at once makes one booking', async () => {
    const client = createApiClient(server.url, token)
    const offers = await collectOffers(client, 4, 50)
    for (const [index, offer] of offers.slice(0, 4).entries()) {
      const guest = { given_name: 'Una', family_name: 'Solo', email: 'una@example.com', phone: '+41791234567' }
      const body = JSON.stringify({ ...offer.info, guests: [guest], accept_price_up_to: 1_000_000 })
      const headers = { ...bearer(), 'content-type': 'application/json', 'idempotency-key': `solo-${index}` }
      const post = () =>
        new Promise<number>((done, fail) => {
          const url = new URL('/api/accommodation/book', server.url)
          const sent = request(url, { method: 'POST', agent: false, headers }, (answer) => {
            answer.resume().on('end', () => done(answer.statusCode ?? 0))
          })
          sent.on('error', fail)
          sent.end(body)
        })
      const statuses = await Promise.all(Array.from({ length: 16 }, post))
      expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([])
    }
    const ledger = readdirSync(join(dataDir, 'sandbox'))
      .flatMap((file) =>
        readFileSync(join(dataDir, 'sandbox', file), 'utf8')
          .trim()
          .split('\n'),
      )
      .filter((line) => line.includes('Solo'))
    const bookings = await client.bookings()
    expect(new Set(bookings.map(({ reference }) => reference)).size).toBe(bookings.length)
    const confirmed = bookings.filter(({ status }) => status === 'confirmed')
    expect(confirmed.length).toBeGreaterThan(0)
    expect(new Set(ledger.map((line) => JSON.parse(line).vendorReference)).size).toBe(confirmed.length)
  })

  test('mails about bookings at stand-ins are marked as simulations by every worker', async () => {
    const mails = () => ask(server.url, '/dev/mail').then(({ text }) => text.match(/\/dev\/mail\/[\w-]+/g) ?? [])
    await expect.poll(async () => (await mails()).length, { timeout: 10_000 }).toBeGreaterThan(0)
    for (const path of await mails())
      expect((await ask(server.url, `${path}/html`)).text).toContain('This is a simulation')
  })

  test('a simulated booking made at one worker can be read, repeated, settled and cancelled at any other', async () => {
    const json = { ...bearer(), 'content-type': 'application/json' }
    const anywhere = (method: string, path: string, body?: unknown, headers: object = {}) =>
      ask(server.url, path, { ...json, ...headers }, false, method, body === undefined ? '' : JSON.stringify(body))
    await Promise.all(Array.from({ length: 5 }, (_, n) => simulatedJourney(anywhere, `anywhere-${n}`)))
  })

  test('a token revoked at one worker is invalid at all within a second', async () => {
    const doomed = { authorization: `bearer: ${await fetchToken(server.url)}` }
    const path = '/api/accommodation_searches'
    const before = await Promise.all(Array.from({ length: 8 }, () => ask(server.url, path, doomed)))
    expect(before.map(({ status }) => status)).toEqual(before.map(() => 200))
    await createApiClient(server.url, doomed.authorization.slice('bearer: '.length)).ask(
      'POST',
      '/api/accounts/revoke_token',
    )
    await sleep(1_000)
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(server.url, path, doomed)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401))
  })

  test('a worker that dies is replaced while the others continue', async () => {
    const [victim = 0] = workers()
    process.kill(victim, 'SIGKILL')
    await expect.poll(() => isGone(victim), { timeout: 5_000 }).toBe(true)
    for (let times = 0; times < 10; times += 1) expect((await ask(server.url, '/readyz')).status).toBe(200)
    await expect.poll(() => workers().length, { timeout: 30_000 }).toBe(WORKERS)
  })

  test('a second server on the same port exits with the reason', async () => {
    const port = Number(new URL(server.url).port)
    const env = { SERAI_WORKERS: '2', SERAI_DATA_DIR: dataDir }
    await expect(startServer({ dataDir, port, env })).rejects.toThrow(/Port \d+ on 127.0.0.1 is already in use/)
  })

  test('a metrics port that another server shares with its workers is reported as taken', async () => {
    const other = createServer()
    const port = await freePort()
    await new Promise<void>((done) => other.listen({ port, host: '127.0.0.1', reusePort: true }, done))
    const env = { SERAI_WORKERS: '2', SERAI_METRICS_PORT: String(port) }
    const start = startServer({ dataDir, port: await freePort(), env }).then((started) => started.kill())
    await expect(start).rejects.toThrow(new RegExp(`Port ${port} on 127.0.0.1 is already in use.* SERAI_METRICS_PORT`))
    other.close()
  })

  test('after SIGTERM requests in flight are answered and no process is left', async () => {
    const children = readChildren(server.pid)
    expect(children.length).toBeGreaterThanOrEqual(WORKERS + 1)
    const slow = createApiClient(server.url, token).search('Zermatt', 90)
    await sleep(50)
    const code = await server.stop()
    expect((await slow).properties.length).toBeGreaterThan(0)
    expect(code).toBe(0)
    expect(children.filter((pid) => !isGone(pid))).toEqual([])
  })
})
