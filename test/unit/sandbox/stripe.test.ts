import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readForm } from '../../../sandbox/stripe/form-body.ts'
import { remoteStripeControl } from '../../../sandbox/stripe/stripe-control.ts'
import { DAY_MS } from '../../../src/lib/time/durations.ts'
import { CARD, context, inEur, openStripeBench, type StripeBench } from '../../support/payments/stripe-bench.ts'

let bench: StripeBench
beforeEach(async () => {
  bench = await openStripeBench()
})
afterEach(() => bench.close())

/** The official client with its own transport, as any other program would use it. */
function openClient() {
  const { hostname, port } = new URL(bench.origin)
  return new Stripe('sk_test_serai_sandbox', { host: hostname, port, protocol: 'http', telemetry: false })
}

const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${bench.origin}${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { authorization: 'Bearer sk_test_serai_sandbox', 'stripe-version': '2026-10-28.endive', ...headers },
  })
const errorOf = async (answer: Response) => {
  const { error } = (await answer.json()) as { error: { type: string; code?: string; param?: string } }
  return [answer.status, error.code ?? error.type, error.param]
}
const ORDER = { amount: '22990', currency: 'eur', capture_method: 'manual' }

test('the official client works with it unchanged, from creation to the refund', async () => {
  const stripe = openClient()
  const { id } = await stripe.paymentIntents.create({ amount: 22_990, currency: 'eur', capture_method: 'manual' })
  await bench.control.confirm(id, CARD.good)
  expect(await stripe.paymentIntents.capture(id)).toMatchObject({ status: 'succeeded', amount_received: 22_990 })
  expect(await stripe.refunds.create({ payment_intent: id, amount: 90 })).toMatchObject({ status: 'succeeded' })
  expect((await stripe.refunds.list({ payment_intent: id })).data).toHaveLength(1)
  const [refund] = (await stripe.refunds.list({ payment_intent: id })).data
  expect(await stripe.refunds.retrieve(refund?.id ?? '')).toEqual(refund)
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(id)
  expect(await stripe.charges.retrieve(String(charge))).toMatchObject({ captured: true, amount_refunded: 90 })
  const types = (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type)
  expect(types.reverse()).toEqual([
    'payment_intent.created',
    'payment_intent.amount_capturable_updated',
    'payment_intent.succeeded',
    'refund.created',
  ])
})

test('a payment without capture_method is captured as soon as the guest confirms it', async () => {
  const { id } = await openClient().paymentIntents.create({ amount: 22_990, currency: 'eur' })
  expect(await bench.control.confirm(id, CARD.good)).toBe('succeeded')
  expect((await bench.control.ledger()).map(({ kind }) => kind)).toEqual(['authorised', 'captured'])
})

test('search finds a payment only after a while, and list at once', async () => {
  const stripe = openClient()
  await bench.create(inEur(500), 'pay_9')
  const search = async () => (await stripe.paymentIntents.search({ query: "metadata['serai_payment']:'pay_9'" })).data
  expect(await search()).toHaveLength(0)
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1)
  bench.clock.advance(10_000)
  expect(await search()).toHaveLength(1)
})

describe('parameters', () => {
  test.each<[string, Record<string, string>, unknown[]]>([
    ['unknown', { ...ORDER, surprise: '1' }, [400, 'parameter_unknown', 'surprise']],
    [
      'payment_method_types',
      { ...ORDER, 'payment_method_types[0]': 'card' },
      [400, 'payment_method_types_no_longer_supported', 'payment_method_types'],
    ],
    [
      'rivals of the allowed types',
      { ...ORDER, 'allowed_payment_method_types[0]': 'card', 'automatic_payment_methods[enabled]': 'true' },
      [400, 'invalid_request_error', 'automatic_payment_methods'],
    ],
    ['a missing amount', { currency: 'eur' }, [400, 'parameter_missing', 'amount']],
    ['a missing currency', { amount: '500' }, [400, 'parameter_missing', 'currency']],
    ['an amount with decimals', { ...ORDER, amount: '5.5' }, [400, 'parameter_invalid_integer', 'amount']],
    ['too little', { ...ORDER, amount: '49' }, [400, 'amount_too_small', 'amount']],
    ['ISK with decimals', { ...ORDER, currency: 'isk', amount: '2550' }, [400, 'parameter_invalid_integer', 'amount']],
    [
      'KWD with a third decimal',
      { ...ORDER, currency: 'kwd', amount: '2555' },
      [400, 'parameter_invalid_integer', 'amount'],
    ],
    [
      'an unknown capture method',
      { ...ORDER, capture_method: 'later' },
      [400, 'invalid_request_error', 'capture_method'],
    ],
  ])('%s are refused', async (_name, form, expected) => {
    expect(await errorOf(await post('/v1/payment_intents', form))).toEqual(expected)
  })

  test('brackets are groups and lists, and a name is either text or group', () => {
    expect(readForm('a=1&b[c]=2&d[0]=x&d[1]=y&e[f][g]=%20')).toEqual({
      a: '1',
      b: { c: '2' },
      d: { '0': 'x', '1': 'y' },
      e: { f: { g: ' ' } },
    })
    for (const text of ['a=1&a[b]=2', 'a[b]=2&a=1', 'a[=1', '__proto__[x]=1', 'a=1&a=2'])
      expect(readForm(text)).toBeUndefined()
  })

  test('an address that Stripe lacks, a missing version, and a wrong key are refused', async () => {
    expect((await post('/v1/surprises', {})).status).toBe(404)
    expect((await post('/v1/payment_intents', ORDER, { authorization: 'Bearer sk_test_other' })).status).toBe(401)
    const headers = { authorization: 'Bearer sk_test_serai_sandbox' }
    const answer = await fetch(`${bench.origin}/v1/payment_intents`, { headers })
    expect(answer.status).toBe(400)
  })
})

describe('idempotency keys', () => {
  const withKey = (form: Record<string, string>) => post('/v1/payment_intents', form, { 'idempotency-key': 'k1' })

  test('a saved answer is repeated byte for byte and marked', async () => {
    const first = await withKey(ORDER)
    const again = await withKey(ORDER)
    expect(await again.text()).toBe(await first.text())
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
  })

  test('other parameters are a mismatch, and a refused request does not occupy its key', async () => {
    expect(await errorOf(await withKey({ ...ORDER, amount: '1' }))).toEqual([400, 'amount_too_small', 'amount'])
    expect((await withKey(ORDER)).status).toBe(200)
    expect(await errorOf(await withKey({ ...ORDER, amount: '500' }))).toEqual([400, 'idempotency_error', undefined])
  })

  test('a throttled request does not occupy its key', async () => {
    await bench.control.addFaults({ kind: 'throttle', operation: 'create', times: 1 })
    expect((await withKey(ORDER)).status).toBe(429)
    expect((await withKey(ORDER)).status).toBe(200)
  })

  test('two requests at once: the second one is in use', async () => {
    await bench.control.addFaults({ kind: 'latency', operation: 'create', times: 1, ms: 200 })
    const first = withKey(ORDER)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await errorOf(await withKey(ORDER))).toEqual([409, 'idempotency_key_in_use', undefined])
    expect((await first).status).toBe(200)
    expect(await bench.control.intents()).toHaveLength(1)
  })
})

test('a capture may be refused by the bank, chosen by the expiry date', async () => {
  const reference = await bench.create()
  await bench.control.confirm(reference, CARD.good, { month: 1, year: 2040 })
  const capture = await post(`/v1/payment_intents/${reference}/capture`, {})
  expect(await errorOf(capture)).toEqual([402, 'card_declined', undefined])
})

test('a hold may lapse after a minute, chosen by the expiry date', async () => {
  const reference = await bench.create()
  await bench.control.confirm(reference, CARD.good, { month: 2, year: 2040 })
  bench.clock.advance(61_000)
  expect(await bench.provider.look(reference, context())).toMatchObject({ status: 'gone', lapsed: true })
})

test.each([
  ['4242424242424241', {}, 'incorrect_number'],
  [CARD.good, { month: 13 }, 'invalid_expiry_month'],
  [CARD.good, { year: 2020 }, 'invalid_expiry_year'],
  [CARD.good, { cvc: '12' }, 'invalid_cvc'],
  ['4000000000009995', {}, 'insufficient_funds'],
  ['4000000000000069', {}, 'expired_card'],
  ['4100000000000019', {}, 'fraudulent'],
  ['5555555555554444', {}, 'requires_capture'],
  ['378282246310005', { cvc: '1234' }, 'requires_capture'],
])('the card %s %j answers %s', async (number, card, outcome) => {
  expect(await bench.control.confirm(await bench.create(), number, card)).toBe(outcome)
})

test('payments, refunds and the ledger survive a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-'))
  try {
    const path = join(folder, 'stripe.jsonl')
    const first = await openStripeBench({ path })
    const reference = await first.authorise()
    await first.provider.capture(reference, inEur(20_000), 'k', context())
    const [ledger, view] = [await first.control.ledger(), await first.provider.look(reference, context())]
    await first.close()
    const second = await openStripeBench({ path })
    expect(await second.control.ledger()).toEqual(ledger)
    expect(await second.provider.look(reference, context())).toEqual(view)
    await second.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the controls work from another process too', async () => {
  const remote = remoteStripeControl(bench.origin)
  const reference = await bench.create()
  expect(await remote.confirm(reference, CARD.good)).toBe('requires_capture')
  await remote.addFaults({ kind: 'throttle', operation: 'list', times: 1 })
  await remote.change({ searchLagMs: 0 })
  await remote.changeIntent(reference, 'lapse')
  expect((await remote.intents())[0]).toMatchObject({ id: reference, status: 'canceled' })
  expect((await remote.ledger()).map(({ kind }) => kind)).toEqual(['authorised', 'released'])
  await expect(remote.changeIntent(reference, 'lapse')).rejects.toThrow('409')
  await remote.clearFaults()
})

describe('pages', () => {
  const open = (path: string) => fetch(`${bench.origin}${path}`, { redirect: 'manual' })
  const secretOf = async (reference: string) =>
    (await bench.control.intents()).find(({ id }) => id === reference)?.secret ?? ''

  test('the card form has labelled fields and a policy without foreign sources', async () => {
    const reference = await bench.create()
    const secret = await secretOf(reference)
    const answer = await open(`/form/${reference}?client_secret=${secret}&parent_origin=http://127.0.0.1:4000/x`)
    const html = await answer.text()
    for (const field of ['number', 'expiry', 'cvc']) expect(html).toContain(`<label for="${field}">`)
    expect(html).toContain('"parentOrigin":"http://127.0.0.1:4000"')
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'nonce-/)
  })

  test('a payment is not shown without its secret', async () => {
    const reference = await bench.create()
    expect((await open(`/form/${reference}?client_secret=wrong`)).status).toBe(404)
    expect((await open(`/3ds/${reference}`)).status).toBe(404)
  })

  test('the form confirms with the publishable key and the secret of this payment only', async () => {
    const reference = await bench.create()
    const secret = await secretOf(reference)
    const card = {
      'payment_method_data[card][number]': CARD.good,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '39',
      'payment_method_data[card][cvc]': '123',
    }
    const confirm = (form: Record<string, string>) =>
      fetch(`${bench.origin}/v1/payment_intents/${reference}/confirm`, {
        method: 'POST',
        body: new URLSearchParams({ key: 'pk_test_serai_sandbox', ...card, ...form }),
      })
    expect((await confirm({})).status).toBe(404)
    expect(await (await confirm({ client_secret: secret })).json()).toMatchObject({ status: 'requires_capture' })
    const key = { key: 'pk_test_serai_sandbox', client_secret: secret }
    expect((await post(`/v1/payment_intents/${reference}/capture`, key, { authorization: '' })).status).toBe(401)
  })

  test.each([
    ['complete', 'succeeded', 'requires_capture'],
    ['fail', 'failed', 'requires_payment_method'],
  ])('the bank’s page: “%s” goes back to the shop', async (outcome, redirected, status) => {
    const reference = await bench.create()
    const secret = await secretOf(reference)
    await fetch(`${bench.origin}/v1/payment_intents/${reference}/confirm`, {
      method: 'POST',
      body: new URLSearchParams({
        key: 'pk_test_serai_sandbox',
        client_secret: secret,
        return_url: 'http://127.0.0.1:4000/checkout?id=web_1',
        'payment_method_data[card][number]': CARD.asks3ds,
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': '39',
        'payment_method_data[card][cvc]': '123',
      }),
    })
    const asked = await (await open(`/3ds/${reference}?client_secret=${secret}`)).text()
    expect(asked).toMatch(/A payment of EUR\s229\.90 waits for you.*Complete/s)
    const answer = await fetch(`${bench.origin}/3ds/${reference}?client_secret=${secret}`, {
      method: 'POST',
      body: new URLSearchParams({ outcome }),
      redirect: 'manual',
    })
    expect(answer.status).toBe(303)
    expect(Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams)).toEqual({
      id: 'web_1',
      payment_intent: reference,
      payment_intent_client_secret: secret,
      redirect_status: redirected,
    })
    expect((await bench.control.intents())[0]?.status).toBe(status)
  })

  test('a hold that was not captured ends by itself, without any request', async () => {
    const reference = await bench.authorise()
    bench.clock.advance(7 * DAY_MS)
    await expect
      .poll(async () => (await bench.control.intents())[0])
      .toMatchObject({ id: reference, status: 'canceled' })
  })
})
