import { SpanKind } from '@opentelemetry/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../sandbox/server/faults.ts'
import { monotonicMs } from '../../src/lib/time/clock.ts'
import { createStripeProvider } from '../../src/payments/providers/stripe/stripe.ts'
import { recordSpans } from '../support/http/recorded-spans.ts'
import { cutOff, hangUp, replyHtml, replyJson, type Step, scriptedServer } from '../support/http/scripted-server.ts'
import { context, failureOf, inEur, openStripeBench, type StripeBench } from '../support/payments/stripe-bench.ts'
import { manualClock } from '../support/time/clock.ts'

describe('against the stand-in', () => {
  let bench: StripeBench
  beforeEach(async () => {
    bench = await openStripeBench({ timeoutMs: 1_500 })
  })
  afterEach(() => bench.close())

  const capture = (reference: string, key = 'k') => bench.provider.capture(reference, inEur(22_990), key, context())
  const captures = async () => (await bench.control.ledger()).filter(({ kind }) => kind === 'captured').length
  const fault = (kind: Fault['kind'], more: Partial<Fault> = {}): Fault => ({
    kind,
    operation: 'capture',
    times: 1,
    ...more,
  })

  test.each<[Fault['kind'], Partial<Fault>, failure: string, captured: number]>([
    ['reset_before', {}, 'unreachable unknown', 0],
    ['reset_after', {}, 'unreachable unknown', 1],
    ['hang', {}, 'timeout unknown', 0],
    ['hang_after', {}, 'timeout unknown', 1],
    ['drip', { ms: 50 }, 'timeout unknown', 1],
    ['truncate', {}, 'unreachable unknown', 1],
    ['html', {}, 'malformed unknown', 1],
    ['proxy_404', {}, 'malformed unknown', 1],
    ['error_before', {}, 'unavailable unknown', 0],
    ['error_after', {}, 'unavailable unknown', 1],
    ['replayed_500_before', {}, 'unavailable unknown', 0],
    ['replayed_500_after', {}, 'unavailable unknown', 1],
    ['key_in_use', {}, 'unavailable unknown', 0],
    ['throttle', {}, 'throttled none', 0],
    ['decline', {}, 'declined none', 0],
    ['lapse_early', {}, 'state none', 0],
  ])('%s at a capture is “%s” only if it is proven', async (kind, more, failure, captured) => {
    const reference = await bench.authorise()
    await bench.control.addFaults(fault(kind, more))
    expect(await failureOf(capture(reference))).toBe(failure)
    expect(await captures()).toBe(captured)
  })

  test('an answer that comes byte by byte ends at the deadline of the whole call', async () => {
    const reference = await bench.authorise()
    await bench.control.addFaults(fault('drip', { ms: 20 }))
    const startedAt = monotonicMs()
    expect(await failureOf(capture(reference))).toBe('timeout unknown')
    expect(monotonicMs() - startedAt).toBeLessThan(10_000)
  })

  test('each call is a span with its status or fault, and without ids of the guest or the payment', async () => {
    const reference = await bench.authorise()
    await bench.control.addFaults(fault('reset_after'))
    const recording = recordSpans()
    try {
      await failureOf(capture(reference))
      await capture(reference)
      const attributes = {
        'server.address': '127.0.0.1',
        'serai.provider': 'stripe',
        'serai.provider.operation': 'capture',
      }
      const span = { name: 'stripe capture', kind: SpanKind.CLIENT }
      expect(recording.spans).toMatchObject([
        { ...span, failed: true, attributes: { ...attributes, 'serai.provider.fault': 'unreachable' } },
        { ...span, failed: false, attributes: { ...attributes, 'http.response.status_code': 200 } },
      ])
      expect(JSON.stringify(recording.spans)).not.toContain(reference)
    } finally {
      recording.stop()
    }
  })

  test('the same key after a lost answer does the work once', async () => {
    const reference = await bench.authorise()
    await bench.control.addFaults(fault('reset_after'))
    await failureOf(capture(reference))
    expect(await capture(reference)).toBe('done')
    expect(await captures()).toBe(1)
  })

  test('a 500 is repeated under its key for ever, whatever was done', async () => {
    const reference = await bench.authorise()
    await bench.control.addFaults(fault('replayed_500_after'))
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(await failureOf(capture(reference))).toBe('unavailable unknown')
    expect(await bench.provider.look(reference, context())).toMatchObject({ status: 'captured' })
  })

  test('a request that is still on its way answers “in use”, and later does its work', async () => {
    const reference = await bench.authorise()
    await bench.control.addFaults(fault('late_effect', { ms: 150 }))
    expect(await failureOf(capture(reference))).toBe('unreachable unknown')
    expect(await bench.provider.look(reference, context())).toMatchObject({ status: 'authorised' })
    expect(await failureOf(capture(reference))).toBe('unavailable unknown')
    await expect.poll(() => captures()).toBe(1)
    expect(await capture(reference)).toBe('done')
    expect(await captures()).toBe(1)
  })

  test('a failed look never says that something may have happened', async () => {
    const reference = await bench.authorise()
    await bench.control.addFaults({ kind: 'reset_before', operation: 'retrieve', times: 1 })
    expect(await failureOf(bench.provider.look(reference, context()))).toBe('unreachable none')
    expect(await failureOf(bench.provider.look('pi_unknown', context()))).toBe('not_found none')
  })

  test('a wrong key proves that nothing happened', async () => {
    const wrong = bench.connect({ secretKey: 'sk_test_wrong' })
    const order = { paymentId: 'pay_1', amount: inEur(500), description: 'x' }
    expect(await failureOf(wrong.create(order, 'k', context()))).toBe('credentials none')
    await wrong.close()
  })

  test('an amount that Stripe cannot express is refused before anything is sent', async () => {
    const order = { paymentId: 'pay_1', amount: { minor: 12_345, currency: 'MGA' }, description: 'x' }
    expect(await failureOf(bench.provider.create(order, 'k', context()))).toBe('refused none')
    expect(bench.reports).toEqual([])
  })

  test('a caller that left ends the call', async () => {
    const reference = await bench.authorise()
    await bench.control.addFaults(fault('hang'))
    const leaving = new AbortController()
    const call = bench.provider.capture(reference, inEur(22_990), 'k', { requestId: 'r', signal: leaving.signal })
    setTimeout(() => leaving.abort(), 50)
    expect(await failureOf(call)).toBe('timeout unknown')
  })
})

describe('on the wire', () => {
  const server = async (...steps: Step[]) => {
    const scripted = await scriptedServer()
    scripted.play(...steps)
    const settings = { secretKey: 'sk_test_x', publishableKey: 'pk_test_x', webhookSecrets: [], origin: scripted.url }
    const provider = createStripeProvider(settings, { clock: manualClock(), timeoutMs: 10_000 })
    return {
      provider,
      seen: scripted.seen,
      async [Symbol.asyncDispose]() {
        await provider.close()
        await scripted.close()
      },
    }
  }
  const intent = (more: object = {}) => ({ id: 'pi_1', object: 'payment_intent', capture_method: 'manual', ...more })
  const order = { paymentId: 'pay_1', amount: inEur(22_990), description: 'Two nights' }
  const stripeError = (status: number, error: object) => replyJson(status, { error })

  test('a new payment is a card payment with manual capture, and nothing else', async () => {
    await using wire = await server(replyJson(200, intent()))
    await wire.provider.create(order, 'pay_1:create', context())
    const [{ method, url, headers, body }] = wire.seen() as [ReturnType<typeof wire.seen>[number]]
    expect(`${method} ${url}`).toBe('POST /v1/payment_intents')
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      amount: '22990',
      currency: 'eur',
      capture_method: 'manual',
      'allowed_payment_method_types[0]': 'card',
      description: 'Two nights',
      'metadata[serai_payment]': 'pay_1',
      'metadata[serai_environment]': 'test',
    })
    expect(headers).toMatchObject({ authorization: 'Bearer sk_test_x', 'stripe-version': '2026-10-28.endive' })
    expect(headers).not.toHaveProperty('x-stripe-client-telemetry')
  })

  test('every write sends our key as a header and never as a parameter', async () => {
    await using wire = await server(
      replyJson(200, intent()),
      replyJson(200, intent({ status: 'succeeded', amount_received: 22_990 })),
      replyJson(200, intent({ status: 'canceled' })),
      replyJson(200, { id: 're_1', object: 'refund', status: 'succeeded' }),
    )
    await wire.provider.create(order, 'key-1', context())
    await wire.provider.capture('pi_1', inEur(22_990), 'key-2', context())
    await wire.provider.void('pi_1', 'key-3', context())
    await wire.provider.refund({ reference: 'pi_1', amount: inEur(100), operation: 'op-1' }, 'key-4', context())
    expect(wire.seen().map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-2', 'key-3', 'key-4'])
    expect(
      wire
        .seen()
        .map(({ body }) => body)
        .join('&'),
    ).not.toMatch(/idempotency/i)
    expect(wire.seen().at(-1)?.body).toContain('metadata[serai_refund]=op-1')
  })

  test('nothing is sent twice by the client itself, not even after a broken connection', async () => {
    await using wire = await server(hangUp)
    expect(await failureOf(wire.provider.create(order, 'k', context()))).toBe('unreachable unknown')
    expect(wire.seen()).toHaveLength(1)
    await using advised = await server(
      replyJson(500, { error: { type: 'api_error' } }, { 'stripe-should-retry': 'true' }),
    )
    expect(await failureOf(advised.provider.create(order, 'k', context()))).toBe('unavailable unknown')
    // Longer than the client waits before it sends again.
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(advised.seen()).toHaveLength(1)
  })

  test('a payment that captures by itself is a bug that needs a person', async () => {
    await using wire = await server(replyJson(200, intent({ capture_method: 'automatic_async' })))
    expect(await failureOf(wire.provider.create(order, 'k', context()))).toBe('malformed unknown')
  })

  test('a capture of another amount is not taken for ours', async () => {
    await using wire = await server(replyJson(200, intent({ status: 'succeeded', amount_received: 1 })))
    expect(await failureOf(wire.provider.capture('pi_1', inEur(22_990), 'k', context()))).toBe('malformed unknown')
  })

  test('a refund that failed at once must be looked at', async () => {
    const failed = { id: 're_1', object: 'refund', status: 'failed', failure_reason: 'declined' }
    await using wire = await server(replyJson(200, failed))
    const refund = { reference: 'pi_1', amount: inEur(100), operation: 'op' }
    expect(await failureOf(wire.provider.refund(refund, 'k', context()))).toBe('refused unknown')
  })

  test.each<[answer: string, Step, write: string, read: string]>([
    ['400', stripeError(400, { type: 'invalid_request_error', param: 'amount' }), 'refused none', 'refused none'],
    ['401', stripeError(401, { type: 'invalid_request_error' }), 'credentials none', 'credentials none'],
    ['402', stripeError(402, { type: 'card_error', code: 'card_declined' }), 'declined none', 'declined none'],
    ['403', stripeError(403, { type: 'invalid_request_error' }), 'credentials none', 'credentials none'],
    [
      '404',
      stripeError(404, { type: 'invalid_request_error', code: 'resource_missing' }),
      'not_found none',
      'not_found none',
    ],
    [
      '409',
      stripeError(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use' }),
      'unavailable unknown',
      'unavailable none',
    ],
    [
      '429 lock_timeout',
      stripeError(429, { type: 'invalid_request_error', code: 'lock_timeout' }),
      'throttled none',
      'throttled none',
    ],
    ['500', stripeError(500, { type: 'api_error' }), 'unavailable unknown', 'unavailable none'],
    ['400 of an unknown type', stripeError(400, { type: 'api_error' }), 'unavailable unknown', 'unavailable none'],
    ['502 with JSON of a proxy', replyJson(502, { message: 'bad gateway' }), 'unavailable unknown', 'unavailable none'],
    ['502 with HTML', replyHtml(502), 'unavailable unknown', 'unavailable none'],
    ['404 of a proxy', replyJson(404, { error: 'not found' }), 'malformed unknown', 'malformed none'],
    ['200 with an error', stripeError(200, { type: 'api_error' }), 'malformed unknown', 'malformed none'],
    ['200 with a list', replyJson(200, null), 'malformed unknown', 'malformed none'],
    ['half a body', cutOff('{"id":"pi_1"'), 'unreachable unknown', 'unreachable none'],
  ])('%s', async (_answer, step, write, read) => {
    await using wire = await server(step)
    expect(await failureOf(wire.provider.create(order, 'k', context()))).toBe(write)
    expect(await failureOf(wire.provider.nextStep('pi_1', context()))).toBe(read)
  })

  test('a refused connection proves that nothing was sent', async () => {
    const settings = {
      secretKey: 'sk_test_x',
      publishableKey: 'pk_test_x',
      webhookSecrets: [],
      origin: 'http://127.0.0.1:1',
    }
    const provider = createStripeProvider(settings, { clock: manualClock(), timeoutMs: 10_000 })
    expect(await failureOf(provider.create(order, 'k', context()))).toBe('unreachable none')
    await provider.close()
  })

  test('repeated failures open a breaker, whose refusals were never sent', async () => {
    await using wire = await server(replyJson(500, { error: { type: 'api_error' } }))
    const failures = new Set<string>()
    for (let call = 0; call < 40; call += 1) failures.add(await failureOf(wire.provider.create(order, 'k', context())))
    expect([...failures]).toEqual(['unavailable unknown', 'unavailable none'])
    expect(wire.seen().length).toBeLessThan(40)
  })

  test('errors name code and request, never what was sent', async () => {
    const error = { type: 'card_error', code: 'card_declined', decline_code: 'lost_card', message: 'Ada’s card' }
    await using wire = await server(replyJson(402, { error }, { 'request-id': 'req_9' }))
    const failure = await wire.provider.create(order, 'k', context()).catch((reason: Error) => reason)
    expect(String(failure)).toBe('ProviderError: payment provider: card_declined lost_card (req_9)')
  })
})
