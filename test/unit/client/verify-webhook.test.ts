import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { signWebhook, verifyWebhook, WebhookError } from '../../../packages/client/src/index.ts'

const SECRET = `whsec_${Buffer.from('a secret of twenty-four!').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another secret, as long!').toString('base64')}`
const NOW = Date.parse('2027-01-15T12:00:00Z')
const BODY = JSON.stringify({ type: 'booking.confirmed', data: { booking_id: 'bkg_1', name: 'Zoë' } })

function headersOf(secrets: readonly string[], body = BODY, at = NOW): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign('evt_1', new Date(at), body))
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}
const verify = (more: object) =>
  verifyWebhook({ secret: SECRET, headers: headersOf([SECRET]), body: BODY, now: NOW, ...more })

describe('a message signed by the public library is accepted', () => {
  test.each([
    ['as text', {}],
    ['as bytes', { body: new TextEncoder().encode(BODY) }],
    ['with headers as a browser has them', { headers: new Headers(headersOf([SECRET])) }],
    // Such as those of a library, which are not the Headers of this process.
    ['with headers of another fetch', { headers: { get: (name: string) => headersOf([SECRET])[name] ?? null } }],
    [
      'with headers in capitals',
      { headers: Object.fromEntries(Object.entries(headersOf([SECRET])).map(([k, v]) => [k.toUpperCase(), v])) },
    ],
    ['with a second signature, after a new secret', { headers: headersOf([OTHER, SECRET]) }],
    ['with either of two secrets', { secret: [OTHER, SECRET] }],
    ['four minutes old', { now: NOW + 240_000 }],
  ])('%s', async (_, more) => {
    expect(await verify(more)).toMatchObject({ id: 'evt_1', type: 'booking.confirmed', data: { booking_id: 'bkg_1' } })
  })

  test('and what it signs, the public library accepts', async () => {
    const at = Math.floor(Date.now() / 1000)
    const signature = await signWebhook(SECRET, 'evt_1', at, BODY)
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(at), 'webhook-signature': signature }
    expect(new Webhook(SECRET).verify(BODY, headers)).toMatchObject({ type: 'booking.confirmed' })
  })
})

describe('anything else is refused', () => {
  const signed = headersOf([SECRET])
  test.each([
    ['a changed body', { body: BODY.replace('bkg_1', 'bkg_2') }],
    ['another secret', { secret: OTHER }],
    ['another id', { headers: { ...signed, 'webhook-id': 'evt_2' } }],
    ['another time', { headers: { ...signed, 'webhook-timestamp': String(NOW / 1000 + 1) } }],
    ['a message of ten minutes ago', { now: NOW + 600_000 }],
    ['a message of tomorrow', { now: NOW - 86_400_000 }],
    ['a time that is none', { headers: { ...signed, 'webhook-timestamp': 'NaN' } }],
    ['no signature', { headers: { ...signed, 'webhook-signature': '' } }],
    ['a signature of another version', { headers: { ...signed, 'webhook-signature': 'v2,AAAA' } }],
    ['a signature that is no base64', { headers: { ...signed, 'webhook-signature': 'v1,***' } }],
    ['no id', { headers: { ...signed, 'webhook-id': undefined } }],
    ['an empty secret', { secret: 'whsec_' }],
    ['no secret at all', { secret: [] }],
  ])('%s', async (_, more) => {
    await expect(verify(more)).rejects.toBeInstanceOf(WebhookError)
  })
})
