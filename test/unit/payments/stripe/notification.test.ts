import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { signBody } from '../../../../sandbox/stripe/events.ts'
import { readStripeNotification } from '../../../../src/payments/providers/stripe/notification.ts'

const NOW = 1_800_014_400_000
const SECRET = 'whsec_one'
const event = (more: object = {}, object: object = { object: 'payment_intent', id: 'pi_1' }) =>
  JSON.stringify({ id: 'evt_1', type: 'payment_intent.succeeded', livemode: false, data: { object }, ...more })

function read(
  header: unknown,
  body: string | Buffer = event(),
  options: { secrets?: string[]; isLive?: boolean } = {},
) {
  const { secrets = [SECRET], isLive = false } = options
  const headers = { 'stripe-signature': header as string }
  return readStripeNotification(headers, Buffer.from(body), { secrets, isLive, now: NOW })
}
const sign = (body = event(), secrets = [SECRET], at = NOW) => signBody(body, secrets, at)
const ACCEPTED = { eventId: 'evt_1', type: 'payment_intent.succeeded', references: ['pi_1'] }

describe('signatures', () => {
  test('the official client and our reader agree on a signature', () => {
    const header = Stripe.webhooks.generateTestHeaderString({
      payload: event(),
      secret: SECRET,
      timestamp: NOW / 1_000,
    })
    expect(header).toBe(sign().replace('v1', 'v1'))
    expect(read(header)).toEqual(ACCEPTED)
  })

  test('a known vector: HMAC-SHA256 over timestamp, dot and raw bytes, with the whole secret as text', () => {
    const payload = event()
    const mac = createHmac('sha256', 'whsec_known')
      .update(`${NOW / 1_000}.${payload}`)
      .digest('hex')
    expect(read(`t=${NOW / 1_000},v1=${mac}`, payload, { secrets: ['whsec_known'] })).toEqual(ACCEPTED)
    expect(read(`t=${NOW / 1_000},v1=${mac}`, payload, { secrets: ['known'] })).toBe('unsigned')
  })

  test('either secret is accepted while one replaces the other', () => {
    expect(read(sign(event(), ['whsec_old', 'whsec_new']), event(), { secrets: ['whsec_new'] })).toEqual(ACCEPTED)
    expect(read(sign(event(), ['whsec_old']), event(), { secrets: ['whsec_new', 'whsec_old'] })).toEqual(ACCEPTED)
    expect(read(sign(event(), ['whsec_other']), event(), { secrets: ['whsec_new', 'whsec_old'] })).toBe('unsigned')
  })

  test('the body counts byte by byte: JSON of the same meaning is refused', () => {
    expect(read(sign(), JSON.stringify(JSON.parse(event()), null, 1))).toBe('unsigned')
    expect(read(sign(), `${event()} `)).toBe('unsigned')
  })

  test.each([
    ['five minutes old', -300_000, ACCEPTED],
    ['older', -301_000, 'unsigned'],
    ['five minutes ahead', 300_000, ACCEPTED],
    ['further ahead, which the official client accepts', 301_000, 'unsigned'],
  ])('a timestamp %s', (_name, offset, expected) => {
    expect(read(sign(event(), [SECRET], NOW + offset))).toEqual(expected)
  })

  test.each([[['']], [['  ']], [[]]])('the secrets %j sign nothing', (secrets) => {
    const forged = `t=${NOW / 1_000},v1=${createHmac('sha256', '')
      .update(`${NOW / 1_000}.${event()}`)
      .digest('hex')}`
    expect(read(forged, event(), { secrets })).toBe('unsigned')
  })

  const mac = sign().split('v1=')[1]
  test.each([
    ['is missing', undefined],
    ['is a list', [sign()]],
    ['is empty', ''],
    ['has no timestamp', `v1=${mac}`],
    ['has two timestamps', `t=${NOW / 1_000},t=1,v1=${mac}`],
    ['has a timestamp that is not a number', `t=now,v1=${mac}`],
    ['has only another scheme', `t=${NOW / 1_000},v0=${mac}`],
    ['has a cut signature', `t=${NOW / 1_000},v1=${mac?.slice(0, -1)}`],
  ])('a header that %s is not a signature', (_name, header) => {
    expect(read(header)).toBe('unsigned')
  })

  test('other schemes beside the right one do no harm', () => {
    expect(read(`${sign()},v0=${'0'.repeat(64)}`)).toEqual(ACCEPTED)
  })
})

describe('the payment of an event', () => {
  const readEvent = (text: string) => read(sign(text), text)

  test.each(['charge', 'refund', 'dispute', 'review', 'radar.early_fraud_warning'])(
    '%s names its payment',
    (object) => {
      const text = event({}, { object, id: 'x_1', payment_intent: 'pi_7' })
      expect(readEvent(text)).toMatchObject({ references: ['pi_7'] })
      expect(readEvent(event({}, { object, payment_intent: { id: 'pi_8' } }))).toMatchObject({ references: ['pi_8'] })
    },
  )

  test.each([
    ['of no payment', event({}, { object: 'customer', id: 'cus_1' })],
    ['of a charge without a payment', event({}, { object: 'charge', payment_intent: null })],
    ['of the other mode', event({ livemode: true })],
    ['without an id', event({ id: undefined })],
    ['that is not JSON', 'not json'],
    ['that is a list', '[]'],
  ])('a signed event %s is ignored', (_name, text) => {
    expect(readEvent(text)).toBeUndefined()
  })
})
