import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { WEBHOOK_EVENTS } from '../../../src/domain/webhook.ts'
import { webhookPayload } from '../../../src/webhooks/present.ts'
import { aBooking } from '../../support/booking/an-offer.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')
const readBlock = (language: string) => page.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? ''

type ReadEvent = (secret: string, headers: Record<string, string>, body: string, now: number) => unknown

test('the verification code on the page accepts only what we sign', async () => {
  const source = `data:text/javascript;base64,${Buffer.from(readBlock('js')).toString('base64')}`
  const { readEvent } = (await import(/* @vite-ignore */ source)) as { readEvent: ReadEvent }
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  const time = new Date('2027-01-15T12:00:00Z')
  const body = '{"type":"booking.confirmed"}'
  const headers = {
    'webhook-id': 'evt_1_3',
    'webhook-timestamp': String(time.getTime() / 1000),
    'webhook-signature': new Webhook(secret).sign('evt_1_3', time, body),
  }
  const now = time.getTime()
  expect(readEvent(secret, headers, body, now)).toEqual({ type: 'booking.confirmed' })
  expect(readEvent(secret, headers, body.replace('confirmed', 'cancelled'), now)).toBeUndefined()
  expect(readEvent(secret, { ...headers, 'webhook-id': 'evt_1_4' }, body, now)).toBeUndefined()
  expect(readEvent(secret, headers, body, now + 301_000)).toBeUndefined()
  expect(readEvent(`whsec_${Buffer.alloc(32, 8).toString('base64')}`, headers, body, now)).toBeUndefined()
  expect(readEvent(secret, {}, body, now)).toBeUndefined()
})

test('the example on the page has the fields that are sent, and its table every event', () => {
  const event = { sequence: 3, from: 'submitting', to: 'confirmed', at: 0, reason: undefined } as const
  const sent = JSON.parse(webhookPayload('booking.confirmed', aBooking(), event))
  const shown = JSON.parse(readBlock('json'))
  expect(Object.keys(shown)).toEqual(Object.keys(sent))
  expect(Object.keys(shown.data)).toEqual(Object.keys(sent.data))
  for (const type of WEBHOOK_EVENTS) expect(page).toContain(`| \`${type}\` |`)
})
