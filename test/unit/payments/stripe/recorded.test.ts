import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { signBody } from '../../../../sandbox/stripe/events.ts'
import { DAY_MS } from '../../../../src/lib/time/durations.ts'
import type { PaymentView } from '../../../../src/payments/provider.ts'
import { readStripeNotification } from '../../../../src/payments/providers/stripe/notification.ts'
import { createStripeProvider } from '../../../../src/payments/providers/stripe/stripe.ts'
import { replyJson, scriptedServer } from '../../../support/http/scripted-server.ts'
import { context, failureOf, inEur } from '../../../support/payments/stripe-bench.ts'
import { manualClock } from '../../../support/time/clock.ts'
import { describeRecorded, recordedBodies } from '../../../support/vendors/recorded-bodies.ts'

/** Samples of the payment provider are beside the folder of the vendors. */
const samples = (like: RegExp) => recordedBodies('../payments', like)
const one = (name: string): unknown => samples(new RegExp(`^${name}-`))[0]?.[1]

type RecordedRequest = { method: string; path: string; form: Record<string, string> }
type RecordedError = { status: number; headers: Record<string, string>; body: { error: { type: string } } }
type Vector = {
  secret: string
  earlier_secret: string
  timestamp: number
  payload: string
  header: string
  header_while_rolling: string
  header_test_mode: string
  accepted_at: number[]
  refused_at: number[]
  accepted_though_from_the_future: number[]
}

/** The adapter against a server that answers with these bodies, one after the other. */
async function against(...bodies: readonly { status?: number; headers?: Record<string, string>; body: unknown }[]) {
  const server = await scriptedServer()
  server.play(...bodies.map(({ status = 200, headers, body }) => replyJson(status, body, headers)))
  const settings = { secretKey: 'sk_test_x', publishableKey: 'pk_test_x', webhookSecrets: [], origin: server.url }
  const provider = createStripeProvider(settings, { clock: manualClock() })
  return {
    provider,
    seen: server.seen,
    async [Symbol.asyncDispose]() {
      await provider.close()
      await server.close()
    },
  }
}

const NO_REFUNDS = { body: { object: 'list', url: '/v1/refunds', has_more: false, data: [] } }

describeRecorded('samples of Stripe', () => {
  test('the folder has the samples', () => {
    expect(readdirSync(join(process.env.SERAI_RECORDED_BODIES ?? '', '../payments/samples')).length).toBeGreaterThan(50)
  })

  test.each<[string, Partial<PaymentView>]>([
    ['02', { status: 'open', authorised: inEur(0), captured: inEur(0), paymentId: 'pay_0h3m6q8r1t5vz', isLive: false }],
    ['04', { status: 'open' }],
    ['05', { status: 'open' }],
    [
      '06',
      {
        status: 'authorised',
        authorised: inEur(22_990),
        captureBefore: 1_800_619_240_000,
        card: { brand: 'visa', last4: '3220' },
        isInReview: false,
      },
    ],
    ['08', { status: 'authorised', isInReview: true }],
    ['09', { status: 'open', failure: { code: 'insufficient_funds', message: 'Your card has insufficient funds.' } }],
    ['10', { status: 'open' }],
    ['12', { status: 'captured', captured: inEur(22_990) }],
    ['14', { status: 'captured', captured: inEur(20_990) }],
    ['17', { status: 'gone', lapsed: true }],
  ])('look at sample %s', async (name, view) => {
    await using wire = await against({ body: one(name) }, NO_REFUNDS)
    expect(await wire.provider.look('pi_1', context())).toMatchObject(view)
  })

  test('the answer to a cancel is a payment that we released', async () => {
    const canceled = { ...(one('16') as object), latest_charge: null }
    await using wire = await against({ body: canceled })
    expect(await wire.provider.look('pi_1', context())).toMatchObject({ status: 'gone', lapsed: false })
  })

  test('an extended authorisation lasts longer than a usual one', async () => {
    await using wire = await against({ body: one('07') })
    const { captureBefore = 0 } = await wire.provider.look('pi_1', context())
    expect(captureBefore - 1_800_014_400_000).toBeGreaterThan(28 * DAY_MS)
  })

  test('the refund of sample 23 is found by our operation', async () => {
    await using wire = await against({ body: one('12') }, { body: one('23') })
    const { refunds } = await wire.provider.look('pi_1', context())
    expect(refunds).toEqual([
      {
        operation: 'pay_0h3m6q8r1t5vz:refund:1',
        reference: 're_3SeraiSample000000000001',
        amount: inEur(17_990),
        state: 'done',
      },
    ])
  })

  test.each([
    ['19', 'done'],
    ['20', 'pending'],
  ])('refund sample %s is %s', async (name, settled) => {
    await using wire = await against({ body: one(name) })
    const refund = { reference: 'pi_1', amount: inEur(17_990), operation: 'op' }
    expect(await wire.provider.refund(refund, 'k', context())).toBe(settled)
  })

  test.each([
    ['30', 'declined none'],
    ['31', 'declined none'],
    ['32', 'state none'],
    ['33', 'state none'],
    ['34', 'state none'],
    ['35', 'state none'],
    ['36', 'refused none'],
    ['37', 'refused none'],
    ['38', 'state unknown'],
    ['39', 'unavailable unknown'],
    ['40', 'throttled none'],
    ['41', 'throttled none'],
    ['42', 'unavailable unknown'],
    ['43', 'unavailable unknown'],
    ['44', 'credentials none'],
    ['45', 'refused none'],
    ['46', 'refused none'],
    ['47', 'not_found none'],
  ])('error sample %s is “%s”', async (name, failure) => {
    const { status, headers, body } = one(name) as RecordedError
    await using wire = await against({ status, headers, body })
    expect(await failureOf(wire.provider.capture('pi_1', inEur(22_990), 'k', context()))).toBe(failure)
  })

  test('our requests are those of the samples, except for what we leave out on purpose', async () => {
    const [create, capture, refund] = ['01', '13', '18'].map((name) => one(name) as RecordedRequest)
    await using wire = await against({ body: one('02') }, { body: one('14') }, { body: one('19') })
    const order = { paymentId: 'pay_0h3m6q8r1t5vz', amount: inEur(22_990), description: 'Serai booking' }
    await wire.provider.create(order, 'k1', context())
    await wire.provider.capture('pi_3SeraiSample000000000001', inEur(20_990), 'k2', context())
    const operation = 'pay_0h3m6q8r1t5vz:refund:1'
    await wire.provider.refund(
      { reference: 'pi_3SeraiSample000000000001', amount: inEur(17_990), operation },
      'k3',
      context(),
    )
    const sent = wire.seen().map(({ method, url, body }) => ({ method, path: url, form: readBody(body) }))
    const { 'metadata[serai_environment]': _mode, ...ours } = sent[0]?.form ?? {}
    expect(create).toMatchObject({ method: 'POST', path: '/v1/payment_intents', form: ours })
    expect(sent[1]).toMatchObject({ path: capture?.path, form: capture?.form })
    expect(refund).toMatchObject({ path: sent[2]?.path, form: sent[2]?.form })
  })

  test.each(samples(/^(6[0-9]|7[0-2])-event/))('%s names its payment', (_name, event) => {
    const body = JSON.stringify(event)
    const now = 1_800_014_400_000
    const headers = { 'stripe-signature': signBody(body, ['whsec_x'], now) }
    const read = readStripeNotification(headers, Buffer.from(body), { secrets: ['whsec_x'], isLive: false, now })
    expect(read).toMatchObject({ references: ['pi_3SeraiSample000000000001'] })
  })

  test('the signature vector is accepted and refused as stated, and never from the future', () => {
    const vector = one('80') as Vector
    const read = (header: string, seconds: number, secret = vector.secret) =>
      readStripeNotification({ 'stripe-signature': header }, Buffer.from(vector.payload), {
        secrets: [secret],
        isLive: false,
        now: seconds * 1_000,
      })
    // The vector's payload has no livemode, so a valid signature is read as an event of another mode.
    for (const seconds of vector.accepted_at) expect(read(vector.header, seconds)).toBeUndefined()
    for (const seconds of [...vector.refused_at, ...vector.accepted_though_from_the_future])
      expect(read(vector.header, seconds)).toBe('unsigned')
    expect(read(vector.header_while_rolling, vector.timestamp, vector.earlier_secret)).toBeUndefined()
    expect(read(vector.header_test_mode, vector.timestamp)).toBeUndefined()
    expect(read(vector.header, vector.timestamp, vector.earlier_secret)).toBe('unsigned')
  })
})

const readBody = (body: string) => Object.fromEntries(new URLSearchParams(body))
