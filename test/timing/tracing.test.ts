import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inSpan, startRequestSpan, traceFields } from '../../src/lib/trace.ts'
import { type SearchApp, searchApp, searchUntilComplete } from '../support/app/search-app.ts'
import { recordSpans } from '../support/http/recorded-spans.ts'

const SHARE_MAX = 0.02
const SPANS = 200_000

let app: SearchApp
beforeAll(async () => {
  app = await searchApp()
  await searchUntilComplete(app)
})
afterAll(() => app.close())

const cpuMicros = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Median processor time of one run in microseconds. */
async function measureCpu(runs: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const before = cpuMicros()
    for (let run = 0; run < runs; run += 1) await work()
    times.push((cpuMicros() - before) / runs)
  }
  return times.sort((a, b) => a - b)[2] ?? 0
}

/** Without an SDK: a request's span with its log line, and one of a function. */
async function measureSpans(): Promise<{ request: number; inner: number }> {
  const request = await measureCpu(SPANS, async () => {
    const started = startRequestSpan('GET /api', undefined, { 'http.request.method': 'GET' })
    if (started !== undefined) throw new Error('An SDK is registered.')
    traceFields()
  })
  const inner = await measureCpu(SPANS, () => inSpan('transaction', {}, async () => undefined))
  return { request, inner }
}

test('without an SDK, traces cost at most 2 % of the processor time of an operation', {
  timeout: 120_000,
}, async () => {
  const { request, inner } = await measureSpans()
  const call = async (options: InjectOptions) => {
    const { statusCode } = await app.as(app.token, options)
    expect([200, 201], JSON.stringify(options)).toContain(statusCode)
  }
  let day = 60
  const search = () => {
    day += 1
    const payload = app.body({ check_in: app.day(day), check_out: app.day(day + 2) })
    return call({ method: 'POST', url: '/api/accommodation_searches/search', payload })
  }
  let bookings = 0
  const book = () => {
    bookings += 1
    return call({
      method: 'POST',
      url: '/api/accommodation/book',
      headers: { 'x-simulate-return': 'success', 'idempotency-key': `traced-${bookings}` },
      payload: { bed_id: String(bookings), guests: [{ given_name: 'Ana', family_name: 'Costa' }] },
    })
  }
  const operations: [string, number, () => Promise<unknown>][] = [
    ['look-up of a place', 300, () => call({ url: '/api/locations/search?starts_with=lis' })],
    ['list of bookings', 200, () => call({ url: '/api/accommodation/bookings' })],
    ['booking', 100, book],
    ['search', 10, search],
  ]
  for (const [name, runs, work] of operations) {
    const recording = recordSpans()
    await work()
    recording.stop()
    await work()
    const micros = await measureCpu(runs, work)
    const spans = recording.spans.length
    const share = (request + (spans - 1) * inner) / micros
    console.log(`${name}: ${spans} spans, ${micros.toFixed(0)} µs, traces ${(100 * share).toFixed(2)} %`)
    expect(spans, name).toBeGreaterThan(0)
    expect(share, name).toBeLessThanOrEqual(SHARE_MAX)
  }
})
