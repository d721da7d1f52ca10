import { SpanKind } from '@opentelemetry/api'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type SearchApp, searchApp, searchUntilComplete } from '../../support/app/search-app.ts'
import { type RecordedSpan, recordSpans } from '../../support/http/recorded-spans.ts'
import { startReceiver } from '../../support/http/webhook-receiver.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`
const [TRACED, OTHER] = ['hotelbeds', 'expedia_rapid'] as const

let app: SearchApp
let url: string
let recording: ReturnType<typeof recordSpans> | undefined
beforeAll(async () => {
  app = await searchApp({ traceVendors: [TRACED], allowPrivateWebhookTargets: true })
  await searchUntilComplete(app)
  url = await app.http.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => recording?.stop())
afterAll(() => app.close())

/** Over a real connection, because the body arrives in the context of the connection. */
const search = (headers: Record<string, string> = {}) =>
  fetch(`${url}/api/accommodation_searches/search`, {
    method: 'POST',
    headers: { authorization: `bearer: ${app.token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(app.body({ check_in: app.day(70), check_out: app.day(72) })),
  })

const findSpan = (spans: readonly RecordedSpan[], name: string): RecordedSpan => {
  const found = spans.find((span) => span.name === name)
  if (found === undefined) throw new Error(`no span ${name} in ${spans.map((span) => span.name).join(', ')}`)
  return found
}

test('request, use case, vendor calls and transactions are spans of the trace of the caller', async () => {
  recording = recordSpans()
  app.traffic.reset()
  expect((await search({ traceparent: TRACEPARENT })).status).toBe(200)
  await expect.poll(() => recording?.spans.some(({ kind }) => kind === SpanKind.SERVER)).toBe(true)
  const { spans } = recording
  const request = findSpan(spans, 'POST /api/accommodation_searches/search')
  const useCase = findSpan(spans, 'search stays')
  const call = findSpan(spans, 'POST availability')
  const saved = findSpan(spans, 'transaction')
  expect(request).toMatchObject({
    kind: SpanKind.SERVER,
    parentId: '00f067aa0ba902b7',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/accommodation_searches/search',
      'http.response.status_code': 200,
      'serai.operation': 'search.create',
    },
  })
  expect(useCase.parentId).toBe(request.spanId)
  expect(call).toMatchObject({ kind: SpanKind.CLIENT, attributes: { 'http.response.status_code': 200 } })
  expect(call.attributes['server.address']).toBe('127.0.0.1')
  expect(saved).toMatchObject({ kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'sqlite' } })
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
  const text = JSON.stringify(spans)
  for (const secret of [app.token, 'ana@example.com', 'Ana']) expect(text).not.toContain(secret)
})

test('the trace context is sent only to vendors that the configuration names', async () => {
  recording = recordSpans()
  app.traffic.reset()
  app.clock.advance(120_000)
  await search({ traceparent: TRACEPARENT })
  const sent = (vendor: string) => app.traffic.headers(vendor).map(({ traceparent }) => String(traceparent))
  expect(sent(TRACED).length).toBeGreaterThan(0)
  expect(sent(TRACED).every((value) => value.startsWith(`00-${TRACE}-`))).toBe(true)
  expect(sent(OTHER).length).toBeGreaterThan(0)
  expect(new Set(sent(OTHER))).toEqual(new Set(['undefined']))
})

test('a failing request is a failed span, and a caller with an invalid trace context starts a new trace', async () => {
  recording = recordSpans()
  await search({ traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` })
  await app.sandbox.control[OTHER].addFaults({ kind: 'error_before', operation: '*' })
  app.clock.advance(120_000)
  await search({ traceparent: 'nonsense' })
  await app.clearFaults()
  const { spans } = recording
  expect(spans.find(({ traceId }) => /^0+$/.test(traceId))).toBeUndefined()
  const failed = spans.find(({ failed, attributes }) => failed && attributes['serai.vendor'] === OTHER)
  expect(failed?.attributes).toMatchObject({ 'error.type': expect.stringMatching(/^5\d\d$/) })
})

test('a webhook carries the trace context of its task', async () => {
  const receiver = await startReceiver()
  const call = (path: string, payload: object) => app.as(app.token, { method: 'POST', url: path, payload })
  const created = await call('/api/webhooks', { url: receiver.url, events: ['booking.confirmed'] })
  await call(`/api/webhooks/${created.json().data.id}/test`, {})
  recording = recordSpans()
  await app.deliverWebhooks()
  await receiver.stop()
  const task = findSpan(recording.spans, 'task webhook')
  expect(receiver.received[0]?.headers.traceparent).toBe(`00-${task.traceId}-${task.spanId}-01`)
})

test('log lines of a request have its trace, and without an SDK no headers and fields are added', async () => {
  recording = recordSpans()
  app.logged.length = 0
  await search({ traceparent: TRACEPARENT })
  const answered = () => app.logged.find((line) => line.includes('"answered"'))
  await expect.poll(answered).toBeDefined()
  expect(JSON.parse(answered() ?? '')).toMatchObject({ trace_id: TRACE })
  recording.stop()
  app.logged.length = 0
  app.traffic.reset()
  app.clock.advance(120_000)
  await search({ traceparent: TRACEPARENT })
  await expect.poll(answered).toBeDefined()
  expect(answered()).not.toContain('trace_id')
  expect(app.traffic.headers(TRACED).length).toBeGreaterThan(0)
  expect(app.traffic.headers(TRACED).every(({ traceparent }) => traceparent === undefined)).toBe(true)
})
