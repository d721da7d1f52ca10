import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { signWebhook, verifyWebhook, WebhookError } from '../../../packages/client/src/index.ts'

const SECRET = `whsec_${Buffer.from('a secret of twenty-four!').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another secret, as long!').toString('base64')}`
const NOW = Date.parse('2027-01-15T12:00:00Z')
const BODY = JSON.stringify({ type: 'booking.confirmed', data: { booking_id: 'bkg_1', name: 'Zoë' } })

function signHeaders(secrets: readonly string[], body = BODY, time = NOW): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign('evt_1', new Date(time), body))
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(time / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}
const verify = (more: object) =>
  verifyWebhook({ secret: SECRET, headers: signHeaders([SECRET]), body: BODY, now: NOW, ...more })

describe('a message signed by the standardwebhooks library', () => {
  test.each([
    ['as text', {}],
    ['as bytes', { body: new TextEncoder().encode(BODY) }],
    ['with headers as a browser has them', { headers: new Headers(signHeaders([SECRET])) }],
    // Not an instance of this process's Headers.
    ['with headers of another fetch', { headers: { get: (name: string) => signHeaders([SECRET])[name] ?? null } }],
    [
      'with headers in capitals',
      { headers: Object.fromEntries(Object.entries(signHeaders([SECRET])).map(([k, v]) => [k.toUpperCase(), v])) },
    ],
    ['with a second signature, after a new secret', { headers: signHeaders([OTHER, SECRET]) }],
    ['with either of two secrets', { secret: [OTHER, SECRET] }],
    ['four minutes old', { now: NOW + 240_000 }],
  ])('is accepted %s', async (_, more) => {
    expect(await verify(more)).toMatchObject({ id: 'evt_1', type: 'booking.confirmed', data: { booking_id: 'bkg_1' } })
  })

  test('a message signed by the client is accepted by the standardwebhooks library', async () => {
    const timestamp = Math.floor(Date.now() / 1000)
    const signature = await signWebhook(SECRET, 'evt_1', timestamp, BODY)
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
    expect(new Webhook(SECRET).verify(BODY, headers)).toMatchObject({ type: 'booking.confirmed' })
  })
})

describe('an invalid message', () => {
  const signed = signHeaders([SECRET])
  test.each([
    ['a changed body', { body: BODY.replace('bkg_1', 'bkg_2') }],
    ['another secret', { secret: OTHER }],
    ['another id', { headers: { ...signed, 'webhook-id': 'evt_2' } }],
    ['another time', { headers: { ...signed, 'webhook-timestamp': String(NOW / 1000 + 1) } }],
    ['a message from ten minutes ago', { now: NOW + 600_000 }],
    ['a message from tomorrow', { now: NOW - 86_400_000 }],
    ['an invalid timestamp', { headers: { ...signed, 'webhook-timestamp': 'NaN' } }],
    ['no signature', { headers: { ...signed, 'webhook-signature': '' } }],
    ['a signature of another version', { headers: { ...signed, 'webhook-signature': 'v2,AAAA' } }],
    ['a signature that is not base64', { headers: { ...signed, 'webhook-signature': 'v1,***' } }],
    ['no id', { headers: { ...signed, 'webhook-id': undefined } }],
    ['an empty secret', { secret: 'whsec_' }],
    ['no secret at all', { secret: [] }],
  ])('%s is rejected', async (_, more) => {
    await expect(verify(more)).rejects.toBeInstanceOf(WebhookError)
  })
})
