import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BOOKING_STATES } from '../../../src/domain/booking/booking.ts'
import { PAYMENT_NEWS } from '../../../src/domain/payment/payment.ts'
import {
  buildMessageId,
  parseMessageId,
  RETRY_FOR_MS,
  receiverPauseMs,
  retryWaitMs,
  testSubject,
  toWebhookEvent,
  WEBHOOK_EVENTS,
} from '../../../src/domain/webhook.ts'
import { webhookPayload } from '../../../src/webhooks/present.ts'
import { isPublicAddress } from '../../../src/webhooks/webhook-target.ts'
import { aBooking } from '../../support/booking/an-offer.ts'

test('events exist for outcomes, discrepancies, confirmation numbers and payments, but not for intermediate states', () => {
  const states = BOOKING_STATES.flatMap((state) => toWebhookEvent({ to: state }) ?? [])
  const kinds = ['discrepancy', 'confirmation_number', ...PAYMENT_NEWS] as const
  const events = [...states, ...kinds.map((kind) => toWebhookEvent({ kind, to: 'confirmed' }))]
  expect([...events].sort()).toEqual([...WEBHOOK_EVENTS].sort())
  expect(toWebhookEvent({ to: 'pending' })).toBeUndefined()
  expect(toWebhookEvent({ to: 'cancelling' })).toBeUndefined()
})

test('the first retry comes within seconds, and a day has at least a dozen attempts', () => {
  expect(retryWaitMs(1, () => 0.5)).toBe(5_000)
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), (dice) => {
      let elapsedMs = 0
      let tries = 1
      for (;;) {
        const wait = retryWaitMs(tries, () => dice.next().value)
        expect(wait).toBeGreaterThan(0)
        elapsedMs += wait
        if (elapsedMs > RETRY_FOR_MS) break
        tries += 1
      }
      expect(tries).toBeGreaterThanOrEqual(12)
      expect(tries).toBeLessThan(30)
    }),
  )
})

test('one failure causes no pause, and a receiver that stays down is tried at most once a minute', () => {
  expect([0, 1, 2, 3].map(receiverPauseMs)).toEqual([0, 0, 0, 0])
  expect(receiverPauseMs(4)).toBeGreaterThan(0)
  expect(receiverPauseMs(1_000)).toBe(60_000)
})

test('a message id is stable across attempts, unique per event and contains no dot', () => {
  expect(buildMessageId('bkg_abc', 3)).toBe('evt_abc_3')
  expect(buildMessageId('bkg_abc', 3)).not.toBe(buildMessageId('bkg_abc', 4))
  expect(buildMessageId('bkg_abc', 3)).not.toContain('.')
})

test('a message id is parsed into its delivery, and any other text is not', () => {
  for (const subject of ['bkg_0h3m6q8r1t5vz', testSubject('7f2k9m')])
    expect(parseMessageId(buildMessageId(subject, 12))).toEqual({ bookingId: subject, sequence: 12 })
  for (const id of ['', 'evt_', 'evt_x', 'evt__1', 'evt_a-b_1', 'evt_a_1x', 'evt_a_1234567890', 'x'.repeat(500)])
    expect([id, parseMessageId(id)]).toEqual([id, undefined])
})

test('no guest, address or contact is in a payload', () => {
  const canary = (name: string) => `CANARY-${name}`
  const booking = aBooking({
    persons: {
      guests: [
        {
          givenName: canary('given'),
          familyName: canary('family'),
          email: canary('email'),
          phone: canary('phone'),
        },
      ],
      contact: { email: canary('mail'), phone: canary('tel') },
      specialRequests: canary('wish'),
    },
    ref: { token: canary('token') },
  })
  const event = { sequence: 3, from: 'submitting', to: 'confirmed', at: 0, reason: canary('reason') } as const
  expect(webhookPayload('booking.confirmed', booking, event)).not.toContain('CANARY')
})

test('only publicly assigned addresses are public', () => {
  for (const address of ['8.8.8.8', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8']) {
    expect([address, isPublicAddress(address)]).toEqual([address, true])
  }
  const parts = fc.nat({ max: 255 })
  const privateV4 = fc.oneof(
    fc.tuple(fc.constant(10), parts, parts, parts),
    fc.tuple(fc.constant(127), parts, parts, parts),
    fc.tuple(fc.constant(169), fc.constant(254), parts, parts),
    fc.tuple(fc.constant(192), fc.constant(168), parts, parts),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), parts, parts),
    fc.tuple(fc.integer({ min: 224, max: 255 }), parts, parts, parts),
    fc.tuple(fc.constant(0), parts, parts, parts),
  )
  fc.assert(
    fc.property(privateV4, ([a, b, c, d]) => {
      const text = `${a}.${b}.${c}.${d}`
      const hex = [a * 256 + b, c * 256 + d].map((word) => word.toString(16)).join(':')
      for (const spelling of [text, `::ffff:${text}`, `::ffff:${hex}`, `::${hex}`, `64:ff9b::${hex}`, `2002:${hex}::`])
        expect([spelling, isPublicAddress(spelling)]).toEqual([spelling, false])
    }),
  )
  expect(isPublicAddress('example.com')).toBe(false)
  expect(isPublicAddress('')).toBe(false)
})
