import type { Client } from '../create-client.ts'
import type { Booking, BookingEvent, WebhookMessage } from '../generated/api-types.ts'
import { WEBHOOK_EVENTS } from '../generated/operations.ts'

export type Message = { readonly id: string; readonly body: WebhookMessage }

/** Older bookings are not remembered; their events are recognised by time. */
const MAX_KNOWN_BOOKINGS = 1_000
const PAGE_SIZE = 20
const NEWEST_FIRST = { order_by: ['updated_at' as const], order_directions: ['desc' as const] }

/** Last known state of a booking; `sequence` is known after the booking itself was read. */
type KnownBooking = { readonly updatedAt: string; readonly sequence?: number }

/** Returns a function that polls the account's bookings for new events. */
export async function watchBookings({ booking }: Client) {
  const startedAt = Date.now()
  const known = new Map<string, KnownBooking>()
  for await (const { booking_id, updated_at } of booking.list.all({ ...NEWEST_FIRST, first: 100 })) {
    known.set(booking_id, { updatedAt: updated_at })
    if (known.size >= MAX_KNOWN_BOOKINGS) break
  }

  /** Webhook messages for the new events, oldest first. */
  return async function poll(): Promise<Message[]> {
    const changed: Booking[] = []
    for await (const item of booking.list.all({ ...NEWEST_FIRST, first: PAGE_SIZE })) {
      if (known.get(item.booking_id)?.updatedAt === item.updated_at) break
      changed.push(item)
    }
    const messages: Message[] = []
    // Stored only if all reads succeed; otherwise the next poll finds the events again.
    const seen: [string, KnownBooking][] = []
    for (const { booking_id } of changed.reverse()) {
      const current = await booking.show({ booking_id })
      const fresh = eventsSince(current, known.get(booking_id), startedAt)
      messages.push(...fresh.flatMap((event) => buildMessage(current, event) ?? []))
      seen.push([booking_id, { updatedAt: current.updated_at, sequence: current.events?.at(-1)?.sequence ?? 0 }])
    }
    for (const [booking_id, state] of seen) known.set(booking_id, state)
    return messages
  }
}

function eventsSince(booking: Booking, before: KnownBooking | undefined, startedAt: number): BookingEvent[] {
  const { events = [], updated_at } = booking
  const last = before?.sequence
  if (last !== undefined) return events.filter(({ sequence }) => sequence > last)
  if (before === undefined && wasCreatedSince(booking, startedAt)) return events
  // Events use the test clock, `updated_at` the real one.
  const aheadMs = Math.max(0, Date.parse(events.at(-1)?.at ?? updated_at) - Date.parse(updated_at))
  const since = before === undefined ? startedAt : Date.parse(before.updatedAt)
  return events.filter(({ at }) => Date.parse(at) - aheadMs > since)
}

const CLOCK_TOLERANCE_MS = 60_000
const wasCreatedSince = ({ created_at }: Booking, time: number) => Date.parse(created_at) > time - CLOCK_TOLERANCE_MS

/** The current booking: the one at the time of the event is in `GET /api/events`. */
function withoutPersons(booking: Booking): WebhookMessage['data']['booking'] {
  const { guests: _guests, contact: _contact, special_requests: _wishes, ...rest } = booking
  const { persons_erased_at: _erased, net: _net, events: _events, ...snapshot } = rest
  const { payment } = snapshot
  return payment === undefined ? snapshot : { ...snapshot, payment: { ...payment, card: null } }
}

/** Current amounts. `GET /api/events` has those at the time of the event. */
const paymentFigures = ({ payment }: Booking) =>
  payment && { payment_id: payment.payment_id, captured: payment.captured, refunded: payment.refunded }

/** Same message and id as the service's own webhook. */
function buildMessage(booking: Booking, event: BookingEvent): Message | undefined {
  const { at, sequence } = event
  const type = WEBHOOK_EVENTS.find((name) => name === event.type)
  // Webhooks do not send intermediate steps.
  if (type === undefined) return undefined
  const differing = booking.discrepancies.filter(({ until, code }) => until === null && code === event.reason)
  return {
    id: `evt_${booking.booking_id.replace(/^bkg_/, '')}_${sequence}`,
    body: {
      type,
      timestamp: at,
      data: {
        booking_id: booking.booking_id,
        status: event.to,
        client_reference: booking.client_reference,
        vendor_id: booking.vendor_id,
        vendor_reference: booking.vendor_reference,
        check_in: booking.check_in,
        check_out: booking.check_out,
        total_price: booking.total_price,
        currency: booking.currency,
        sequence,
        simulated: booking.simulated,
        actor: event.actor,
        ...(type === 'booking.discrepancy' && { discrepancies: differing }),
        ...(type.startsWith('booking.payment_') && paymentFigures(booking)),
        ...(type === 'booking.confirmation_number' && { confirmation: booking.confirmation }),
        booking: withoutPersons(booking),
      },
    },
  }
}
