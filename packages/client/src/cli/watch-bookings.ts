import type { Client } from '../create-client.ts'
import { WEBHOOK_EVENTS } from '../generated/operations.ts'
import type { Booking, BookingEvent, WebhookMessage } from '../shapes.ts'

export type Message = { readonly id: string; readonly body: WebhookMessage }

/** So many bookings are remembered from before; what has happened to an older one is told by its time instead. */
const KNOWN_MAX = 1_000
const PAGE = 20
const NEWEST_FIRST = { order_by: ['updated_at' as const], order_directions: ['desc' as const] }

/** A booking as it was last seen; which event was its last is known once it was read itself. */
type Known = { readonly updatedAt: string; readonly sequence?: number }

/** Finds what has happened to the account's bookings since the last look. */
export async function watchBookings({ booking }: Client) {
  const startedAt = Date.now()
  const known = new Map<string, Known>()
  for await (const { booking_id, updated_at } of booking.list.all({ ...NEWEST_FIRST, first: 100 })) {
    known.set(booking_id, { updatedAt: updated_at })
    if (known.size >= KNOWN_MAX) break
  }

  /** The messages that webhooks get for it, the oldest first. */
  return async function look(): Promise<Message[]> {
    const changed: Booking[] = []
    for await (const one of booking.list.all({ ...NEWEST_FIRST, first: PAGE })) {
      if (known.get(one.booking_id)?.updatedAt === one.updated_at) break
      changed.push(one)
    }
    const messages: Message[] = []
    // Noted when all of it is known: what fails midway is found again at the next look.
    const seen: [string, Known][] = []
    for (const { booking_id } of changed.reverse()) {
      const one = await booking.show({ booking_id })
      const fresh = eventsSince(one, known.get(booking_id), startedAt)
      messages.push(...fresh.flatMap((event) => messageOf(one, event) ?? []))
      seen.push([booking_id, { updatedAt: one.updated_at, sequence: one.events?.at(-1)?.sequence ?? 0 }])
    }
    for (const [booking_id, as] of seen) known.set(booking_id, as)
    return messages
  }
}

function eventsSince(booking: Booking, before: Known | undefined, startedAt: number): BookingEvent[] {
  const { events = [], updated_at } = booking
  const last = before?.sequence
  if (last !== undefined) return events.filter(({ sequence }) => sequence > last)
  if (before === undefined && isSince(booking, startedAt)) return events
  // Events have the time of the test clock, `updated_at` has the real one.
  const aheadMs = Math.max(0, Date.parse(events.at(-1)?.at ?? updated_at) - Date.parse(updated_at))
  const since = before === undefined ? startedAt : Date.parse(before.updatedAt)
  return events.filter(({ at }) => Date.parse(at) - aheadMs > since)
}

/** The clocks of the service and of this machine may differ a little. */
const CLOCKS_DIFFER_MS = 60_000
const isSince = ({ created_at }: Booking, time: number) => Date.parse(created_at) > time - CLOCKS_DIFFER_MS

/** The message as the service itself sends it, with the same id. */
function messageOf(booking: Booking, event: BookingEvent): Message | undefined {
  const { at, sequence } = event
  const type = WEBHOOK_EVENTS.find((name) => name === event.type)
  // The steps in between are not sent.
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
        ...(type === 'booking.confirmation_number' && { confirmation: booking.confirmation }),
      },
    },
  }
}
