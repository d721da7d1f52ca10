import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/time/durations.ts'
import type { ListedPayment } from '../../src/payments/provider.ts'
import { CARD, context, failureOf, inEur, openStripeBench, type StripeBench } from '../support/payments/stripe-bench.ts'

let bench: StripeBench
beforeEach(async () => {
  bench = await openStripeBench()
})
afterEach(() => bench.close())

const look = (reference: string) => bench.provider.look(reference, context())
const money = async () => (await bench.control.ledger()).map(({ kind, amount }) => `${kind} ${amount}`)

describe('the states of a payment', () => {
  test('a new payment is open, authorises nothing, and carries our mark', async () => {
    const reference = await bench.create(inEur(22_990), 'pay_mark')
    expect(await look(reference)).toEqual({
      status: 'open',
      authorised: inEur(0),
      captured: inEur(0),
      isInReview: false,
      refunds: [],
      isLive: false,
      paymentId: 'pay_mark',
    })
    expect(await money()).toEqual([])
  })

  test('the guest’s card authorises the amount for seven days and captures nothing', async () => {
    const reference = await bench.authorise()
    expect(await look(reference)).toMatchObject({
      status: 'authorised',
      authorised: inEur(22_990),
      captured: inEur(0),
      captureBefore: bench.clock.now() + 7 * DAY_MS,
      card: { brand: 'visa', last4: '4242' },
    })
    expect(await money()).toEqual(['authorised 22990'])
  })

  test('a capture of less releases the rest at once', async () => {
    const reference = await bench.authorise()
    expect(await bench.provider.capture(reference, inEur(20_000), 'k1', context())).toBe('done')
    expect(await look(reference)).toMatchObject({
      status: 'captured',
      captured: inEur(20_000),
      authorised: inEur(22_990),
    })
    expect(await money()).toEqual(['authorised 22990', 'captured 20000', 'released 2990'])
  })

  test('a second capture is refused because of the state, and captures nothing', async () => {
    const reference = await bench.authorise()
    await bench.provider.capture(reference, inEur(22_990), 'k1', context())
    expect(await failureOf(bench.provider.capture(reference, inEur(22_990), 'k2', context()))).toBe('state none')
    expect(await money()).toEqual(['authorised 22990', 'captured 22990'])
  })

  test('more than was authorised cannot be captured', async () => {
    const reference = await bench.authorise()
    expect(await failureOf(bench.provider.capture(reference, inEur(22_991), 'k1', context()))).toBe('refused none')
    expect(await look(reference)).toMatchObject({ status: 'authorised' })
  })

  test('a void releases the authorisation and is not a lapse', async () => {
    const reference = await bench.authorise()
    expect(await bench.provider.void(reference, 'k1', context())).toBe('done')
    expect(await look(reference)).toMatchObject({ status: 'gone', lapsed: false, authorised: inEur(0) })
    expect(await money()).toEqual(['authorised 22990', 'released 22990'])
    expect(await failureOf(bench.provider.void(reference, 'k2', context()))).toBe('state none')
  })

  test('an authorisation that was not captured in time lapses, and a capture after that is refused', async () => {
    const reference = await bench.authorise()
    bench.clock.advance(7 * DAY_MS + 1)
    expect(await look(reference)).toMatchObject({ status: 'gone', lapsed: true })
    expect(await failureOf(bench.provider.capture(reference, inEur(22_990), 'k1', context()))).toBe('state none')
  })

  test('a declined card leaves the payment open for another one, and shows the reason', async () => {
    const reference = await bench.create()
    expect(await bench.control.confirm(reference, CARD.noFunds)).toBe('insufficient_funds')
    expect(await look(reference)).toMatchObject({
      status: 'open',
      failure: { code: 'insufficient_funds', message: 'Your card has insufficient funds.' },
    })
    expect(await bench.control.confirm(reference, CARD.good)).toBe('requires_capture')
    expect(await look(reference)).not.toHaveProperty('failure')
  })

  test('the holder of a lost card reads only that it was declined', async () => {
    const reference = await bench.create()
    await bench.control.confirm(reference, CARD.lost)
    expect((await look(reference)).failure).toEqual({ code: 'card_declined', message: 'Your card was declined.' })
  })

  test('3-D Secure: open while the bank asks, then authorised or open again', async () => {
    const reference = await bench.create()
    expect(await bench.control.confirm(reference, CARD.asks3ds)).toBe('requires_action')
    expect(await look(reference)).toMatchObject({ status: 'open' })
    expect(await bench.control.authenticate(reference, false)).toBe('requires_payment_method')
    expect((await look(reference)).failure?.code).toBe('payment_intent_authentication_failure')
    await bench.control.confirm(reference, CARD.asks3ds)
    expect(await bench.control.authenticate(reference, true)).toBe('requires_capture')
    expect(await look(reference)).toMatchObject({ status: 'authorised' })
  })

  test('a payment under review is authorised and marked until a person approves it', async () => {
    const reference = await bench.authorise(undefined, CARD.reviewed)
    expect(await look(reference)).toMatchObject({ status: 'authorised', isInReview: true })
    await bench.control.changeIntent(reference, 'approve_review')
    expect(await look(reference)).toMatchObject({ isInReview: false })
  })

  test('a dispute that we win is over', async () => {
    const reference = await bench.authorise()
    await bench.provider.capture(reference, inEur(22_990), 'k1', context())
    await bench.control.changeIntent(reference, 'dispute')
    await bench.control.changeIntent(reference, 'win_dispute')
    expect((await look(reference)).disputed).toBeUndefined()
  })

  test('a dispute shows its amount and status', async () => {
    const reference = await bench.authorise()
    await bench.provider.capture(reference, inEur(22_990), 'k1', context())
    await bench.control.changeIntent(reference, 'dispute')
    expect((await look(reference)).disputed).toEqual({ amount: inEur(22_990), status: 'needs_response' })
    const refund = { reference, amount: inEur(100), operation: 'op' }
    expect(await failureOf(bench.provider.refund(refund, 'k2', context()))).toBe('refused none')
    await bench.control.changeIntent(reference, 'lose_dispute')
    expect((await look(reference)).disputed).toEqual({ amount: inEur(22_990), status: 'lost' })
  })
})

describe('refunds', () => {
  const captured = async (card?: string) => {
    const reference = await bench.authorise(undefined, card)
    await bench.provider.capture(reference, inEur(22_990), 'capture', context())
    return reference
  }
  const refund = (reference: string, minor: number, operation: string, key = operation) =>
    bench.provider.refund({ reference, amount: inEur(minor), operation }, key, context())

  test('are found by our operation, several for one payment', async () => {
    const reference = await captured()
    expect(await refund(reference, 10_000, 'pay_1:refund:1')).toBe('done')
    expect(await refund(reference, 5_000, 'pay_1:refund:2')).toBe('done')
    const { refunds } = await look(reference)
    expect(refunds.map(({ operation, amount, state }) => [operation, amount.minor, state])).toEqual([
      ['pay_1:refund:2', 5_000, 'done'],
      ['pay_1:refund:1', 10_000, 'done'],
    ])
  })

  test('made by hand have no operation of ours', async () => {
    const reference = await captured()
    await bench.control.changeIntent(reference, 'refund_by_hand', 300)
    const [refunded] = (await look(reference)).refunds
    expect(refunded).toMatchObject({ amount: inEur(300), state: 'done' })
    expect(refunded).not.toHaveProperty('operation')
  })

  test('above what is left are refused', async () => {
    const reference = await captured()
    await refund(reference, 20_000, 'op1')
    expect(await failureOf(refund(reference, 5_000, 'op2'))).toBe('refused none')
    await refund(reference, 2_990, 'op3')
    expect(await failureOf(refund(reference, 1, 'op4'))).toBe('state none')
  })

  test('may wait for the balance, and are done later', async () => {
    const reference = await captured(CARD.refundPending)
    expect(await refund(reference, 1_000, 'op')).toBe('pending')
    expect((await look(reference)).refunds).toMatchObject([{ state: 'pending', reason: 'insufficient_funds' }])
    bench.clock.advance(MINUTE_MS)
    expect((await look(reference)).refunds).toMatchObject([{ state: 'done' }])
  })

  test('that were done may fail later', async () => {
    const reference = await captured(CARD.refundFails)
    expect(await refund(reference, 1_000, 'op')).toBe('done')
    bench.clock.advance(MINUTE_MS)
    expect((await look(reference)).refunds).toMatchObject([{ state: 'failed', reason: 'expired_or_canceled_card' }])
    expect(await money()).toContain('refund_failed 1000')
  })

  test('more than a page of them are all read', async () => {
    const reference = await captured()
    for (let number = 0; number < 103; number += 1) await bench.control.changeIntent(reference, 'refund_by_hand', 1)
    expect((await look(reference)).refunds).toHaveLength(103)
  })
})

describe('idempotency keys', () => {
  test('the same key answers the same payment, another order under it is refused', async () => {
    const order = { paymentId: 'pay_1', amount: inEur(500), description: 'x' }
    const first = await bench.provider.create(order, 'same', context())
    expect(await bench.provider.create(order, 'same', context())).toEqual(first)
    const other = { ...order, amount: inEur(501) }
    expect(await failureOf(bench.provider.create(other, 'same', context()))).toBe('state unknown')
    expect(await bench.control.intents()).toHaveLength(1)
  })

  test('our limit ends before Stripe may forget a key and do the work again', async () => {
    const order = { paymentId: 'pay_1', amount: inEur(500), description: 'x' }
    await bench.provider.create(order, 'same', context())
    bench.clock.advance(bench.provider.capabilities.keyLifeMs)
    await bench.provider.create(order, 'same', context())
    expect(await bench.control.intents()).toHaveLength(1)
    bench.clock.advance(2 * HOUR_MS)
    await bench.provider.create(order, 'same', context())
    expect(await bench.control.intents()).toHaveLength(2)
  })

  test('a state error is repeated under its key', async () => {
    const reference = await bench.create()
    expect(await failureOf(bench.provider.capture(reference, inEur(1), 'k', context()))).toBe('state none')
    await bench.control.confirm(reference, CARD.good)
    expect(await failureOf(bench.provider.capture(reference, inEur(1), 'k', context()))).toBe('state none')
  })
})

describe('the rest of the port', () => {
  test('an open payment is confirmed in the browser; later there is nothing to do', async () => {
    const reference = await bench.create()
    expect(await bench.provider.nextStep(reference, context())).toEqual({
      kind: 'confirm_in_browser',
      publishableKey: 'pk_test_serai_sandbox',
      clientSecret: expect.stringMatching(new RegExp(`^${reference}_secret_`)),
    })
    await bench.control.confirm(reference, CARD.good)
    expect(await bench.provider.nextStep(reference, context())).toEqual({ kind: 'none' })
  })

  test('payments of a period are listed page by page, with their marks', async () => {
    for (let number = 0; number < 101; number += 1) await bench.create(inEur(1_000), `pay_${number}`)
    bench.clock.advance(HOUR_MS)
    await bench.create(inEur(1_000), 'pay_later')
    const period = { from: bench.clock.now() - 2 * HOUR_MS, to: bench.clock.now() - 1 }
    const found: ListedPayment[] = []
    for await (const listed of bench.provider.list(period, context())) found.push(listed)
    expect(found).toHaveLength(101)
    expect(found[0]).toEqual({
      reference: expect.stringMatching(/^pi_/),
      paymentId: 'pay_100',
      status: 'open',
      authorised: inEur(0),
      captured: inEur(0),
      createdAt: bench.clock.now() - HOUR_MS,
    })
  })

  test('the fee is known after the capture', async () => {
    const reference = await bench.authorise(inEur(10_000))
    expect(await bench.provider.fee(reference, context())).toBeUndefined()
    await bench.provider.capture(reference, inEur(10_000), 'k', context())
    expect(await bench.provider.fee(reference, context())).toEqual(inEur(175))
  })

  test('the probe passes with all permissions, and names each that is missing', async () => {
    const probes = await bench.provider.probe(context())
    expect(probes.filter(({ isOk }) => !isOk)).toEqual([])
    const reads = ['read payments', 'read refunds', 'read charges', 'read reviews', 'read disputes']
    expect(probes.map(({ check }) => check)).toEqual(expect.arrayContaining(reads))
    const readOnly = bench.connect({ secretKey: 'rk_test_serai_read_only' })
    const failed = (await readOnly.probe(context())).filter(({ isOk }) => !isOk)
    expect(failed.map(({ check }) => check)).toEqual(['write payments', 'write refunds'])
    await readOnly.close()
    const unknown = bench.connect({ secretKey: 'sk_test_unknown' })
    expect(await unknown.probe(context())).toMatchObject([{ check: 'key', isOk: false }])
    await unknown.close()
  })

  test('the adapter says what the service must know of Stripe', () => {
    expect(bench.provider.capabilities).toEqual({
      settledBy: 'answer',
      keyLifeMs: 23 * HOUR_MS,
      assumedHoldMs: 114 * HOUR_MS,
      isLive: false,
    })
    expect(bench.provider.accepts(inEur(1_000))).toBe(true)
    expect(bench.provider.accepts({ minor: 1_234, currency: 'IQD' })).toBe(false)
  })

  test('every call is reported with Stripe’s request id and without amounts', async () => {
    await bench.create()
    expect(bench.reports).toEqual([
      {
        operation: 'create',
        requestId: 'req_test',
        providerRequestId: expect.stringMatching(/^req_/),
        status: 200,
        fault: undefined,
        ms: expect.any(Number),
      },
    ])
  })
})
