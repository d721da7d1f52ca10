import type { LedgerEntry } from '../../sandbox/server/ledger.ts'
import type { ListedBooking, ShownTerms } from './api-client.ts'
import { worseThanShown } from './compare-terms.ts'

/** One booking a client wanted, and its final answers: `201`, `202`, or a refusal that names a booking. */
export type IntentHistory = {
  /** Sent as `client_reference` and as the guest's family name, so that both sides can be searched for it. */
  readonly name: string
  readonly answers: readonly { readonly status: number; readonly text: string }[]
  /** What its client was shown. */
  readonly shown?: ShownTerms
}

export type Records = {
  readonly intents: readonly IntentHistory[]
  readonly bookings: readonly ListedBooking[]
  readonly ledgers: Readonly<Record<string, readonly LedgerEntry[]>>
  /** Vendors whose "no such booking" is not final; only their bookings may need a review, and only if absent. */
  readonly absenceIsNotFinal: readonly string[]
}

const WAITING = ['pending', 'submitting', 'in_doubt', 'cancelling']

/** Compares our bookings with the vendors'. Each line is a broken promise. */
export function compareBookings(records: Records): string[] {
  return [
    ...doubled(records),
    ...missing(records),
    ...invented(records),
    ...stuck(records),
    ...answeredWrongly(records),
    ...worse(records),
  ]
}

/** Bookings under worse terms than their client was shown. */
function worse({ intents, bookings }: Records): string[] {
  const shownTo = new Map(intents.map(({ name, shown }) => [name, shown]))
  return bookings.flatMap((booking) => {
    const shown = booking.status === 'rejected' ? undefined : shownTo.get(booking.client_reference ?? '')
    const how = shown && worseThanShown(shown, booking)
    return how === undefined ? [] : [`WORSE: ${booking.booking_id} ${how}`]
  })
}

const vendorBookings = ({ ledgers }: Records) =>
  Object.entries(ledgers).flatMap(([vendorId, entries]) => entries.map((entry) => ({ vendorId, entry })))

function doubled(records: Records): string[] {
  const entries = vendorBookings(records)
  const twice = (what: string, keyOf: (one: (typeof entries)[number]) => string) =>
    [...Map.groupBy(entries, keyOf)]
      .map(([key, group]) => [key, new Set(group.map(({ entry }) => entry.vendorReference)).size] as const)
      .filter(([, size]) => size > 1)
      .map(([key, size]) => `DOUBLED: ${size} vendor bookings for ${what} ${key}`)
  const ours = [...Map.groupBy(records.bookings, (booking) => booking.client_reference)]
    .filter(([, group]) => group.length > 1)
    .map(([name, group]) => `DOUBLED: ${group.length} bookings of ours for intent ${name}`)
  return [...twice('reference', (one) => one.entry.ourReference), ...twice('guest', (one) => one.entry.holder), ...ours]
}

/** Bookings a vendor has and we do not. */
function missing({ bookings, ...records }: Records): string[] {
  const byReference = new Map(bookings.map((booking) => [booking.reference, booking]))
  return vendorBookings({ bookings, ...records }).flatMap(({ vendorId, entry }) => {
    const what = `${vendorId} ${entry.vendorReference} (${entry.ourReference})`
    const booking = byReference.get(entry.ourReference)
    if (booking === undefined || booking.vendor_id !== vendorId) return [`ORPHAN: ${what} is unknown to us`]
    if (booking.status !== entry.status) return [`LOST: ${what} is ${entry.status} there and ${booking.status} here`]
    if (booking.vendor_reference !== entry.vendorReference) {
      return [`LOST: ${what} is known to us as ${booking.vendor_reference}`]
    }
    return []
  })
}

/** Bookings we have and no vendor has. */
function invented({ bookings, ledgers }: Records): string[] {
  return bookings.flatMap(({ booking_id, status, vendor_id, reference }) => {
    const held = ledgers[vendor_id]?.some((entry) => entry.ourReference === reference) ?? false
    if (held || (status !== 'confirmed' && status !== 'cancelled')) return []
    return [`PHANTOM: ${booking_id} is ${status}, but ${vendor_id} has no ${reference}`]
  })
}

function stuck({ bookings, ledgers, absenceIsNotFinal }: Records): string[] {
  return bookings.flatMap(({ booking_id, status, vendor_id, reference }) => {
    if (WAITING.includes(status)) return [`STUCK: ${booking_id} is still ${status}`]
    if (status !== 'needs_review') return []
    const held = ledgers[vendor_id]?.some((entry) => entry.ourReference === reference) ?? false
    const mayNeedReview = !held && absenceIsNotFinal.includes(vendor_id)
    return mayNeedReview ? [] : [`STUCK: ${booking_id} needs a review, although ${vendor_id} has answered`]
  })
}

/** Clients got true and constant answers. */
function answeredWrongly({ intents, bookings }: Records): string[] {
  const byId = new Map(bookings.map((booking) => [booking.booking_id, booking]))
  return intents.flatMap(({ name, answers }) => {
    // While the outcome is open, the answer is the present state (202); the outcome is told in the same bytes for ever.
    const known = answers.findIndex(({ status }) => status !== 202)
    const first = answers[Math.max(0, known)]
    if (first === undefined) return []
    const outcomes = known < 0 ? [] : answers.slice(known)
    const changed = outcomes.some(({ status, text }) => status !== first.status || text !== first.text)
    const body = JSON.parse(first.text) as { data?: { booking_id: string }; booking_id?: string }
    const booking = byId.get(body.data?.booking_id ?? body.booking_id ?? '')
    const isUntrue =
      booking === undefined ||
      booking.client_reference !== name ||
      (first.status === 201 && booking.status !== 'confirmed' && booking.status !== 'cancelled') ||
      (first.status >= 400 && booking.status !== 'rejected')
    return [
      ...(changed ? [`REPLAY: ${name} was answered in ${new Set(outcomes.map(({ text }) => text)).size} ways`] : []),
      ...(isUntrue ? [`UNTRUE: ${name} was answered ${first.status}, we have ${booking?.status}`] : []),
    ]
  })
}
