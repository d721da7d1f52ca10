import type { Static } from 'typebox'
import { presentBooking, presentBy, presentConfirmation, presentDiscrepancy } from '../booking/present/booking.ts'
import { soldBooking } from '../domain/booking/apply-sale.ts'
import type { Booking, BookingEvent, PaymentFigures } from '../domain/booking/booking.ts'
import { isOpenDiscrepancy } from '../domain/booking/discrepancy.ts'
import { toMajor } from '../domain/money/money.ts'
import {
  type DeliveryRecord,
  type StoredEvent,
  TEST_EVENT,
  type Webhook,
  type WebhookEvent,
} from '../domain/webhook.ts'
import { moment, momentOrNull } from '../http/present/moment.ts'
import type {
  BookingSnapshot,
  DeliverySchema,
  EventRecord,
  TestMessage,
  WebhookMessage,
  WebhookSchema,
} from './schemas.ts'

/** Contains no personal data: a receiver that needs it reads the booking from the API. */
export function webhookPayload(type: WebhookEvent, stored: Booking, event: BookingEvent): string {
  const booking = soldBooking(stored)
  const discrepancies = (booking.discrepancies ?? []).filter(
    (found) => isOpenDiscrepancy(found) && found.code === event.reason,
  )
  return JSON.stringify({
    type,
    timestamp: moment(event.at),
    data: {
      booking_id: booking.bookingId,
      status: event.to,
      client_reference: booking.clientReference ?? null,
      vendor_id: booking.vendorId,
      vendor_reference: booking.vendorReference ?? null,
      check_in: booking.stay.checkIn,
      check_out: booking.stay.checkOut,
      total_price: toMajor(booking.price.total),
      currency: booking.price.total.currency,
      sequence: event.sequence,
      simulated: booking.simulated,
      actor: presentBy(event).actor,
      ...(event.kind === 'discrepancy' && { discrepancies: discrepancies.map(presentDiscrepancy) }),
      ...(event.payment && presentPaymentFigures(event.payment)),
      ...(event.kind === 'confirmation_number' && { confirmation: presentConfirmation(booking) }),
      booking: presentSnapshot(stored),
    },
  } satisfies Static<typeof WebhookMessage>)
}

const presentPaymentFigures = ({ paymentId, captured, refunded, currency }: PaymentFigures) => ({
  payment_id: paymentId,
  captured: toMajor({ minor: captured, currency }),
  refunded: toMajor({ minor: refunded, currency }),
})

/** The booking at the time of the event, without persons and net prices. */
function presentSnapshot(booking: Booking): Static<typeof BookingSnapshot> {
  const {
    guests: _guests,
    contact: _contact,
    special_requests: _wishes,
    ...snapshot
  } = presentBooking(booking, booking.updatedAt)
  const { payment } = snapshot
  return payment === undefined ? snapshot : { ...snapshot, payment: { ...payment, card: null } }
}

export function presentEventRecord({ id, bookingId, createdAt, payload }: StoredEvent): Static<typeof EventRecord> {
  const { type, data }: Static<typeof WebhookMessage> = JSON.parse(payload)
  return { id, type, created_at: moment(createdAt), object_type: 'booking', object_id: bookingId, data }
}

export function testPayload(webhookId: string, at: number): string {
  const message: Static<typeof TestMessage> = {
    type: TEST_EVENT,
    timestamp: moment(at),
    data: { webhook_id: webhookId },
  }
  return JSON.stringify(message)
}

export function presentWebhook(webhook: Webhook): Static<typeof WebhookSchema> {
  return {
    id: webhook.id,
    url: webhook.url,
    events: [...webhook.events],
    description: webhook.description,
    status: webhook.status,
    created_at: moment(webhook.createdAt),
    earlier_secret_until: momentOrNull(webhook.earlierSecretUntil),
  }
}

type Shown = Static<typeof DeliverySchema>

export function presentDelivery(delivery: DeliveryRecord): Shown {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    booking_id: delivery.bookingId ?? null,
    sequence: delivery.sequence,
    status: delivery.status,
    created_at: moment(delivery.createdAt),
    next_attempt_at: momentOrNull(delivery.dueAt),
    attempts: delivery.attempts.map(({ attempt, at, tookMs, status, error, answer }) => ({
      attempt,
      at: moment(at),
      took_ms: tookMs,
      status: status ?? null,
      error: error ?? null,
      answer,
    })),
    body: JSON.parse(delivery.payload),
  }
}
