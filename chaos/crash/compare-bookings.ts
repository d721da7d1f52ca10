import type { LedgerEntry } from '../../sandbox/server/ledger.ts'
import type { ListedBooking, ShownTerms } from './api-client.ts'
import { findWorseTerm } from './compare-terms.ts'

/** One intended booking and its final answers: `201`, `202`, or a refusal with a booking id. */
export type IntentHistory = {
  /** Sent as `client_reference` and as the guest's family name, so that both sides can be searched for it. */
  readonly name: string
  readonly answers: readonly { readonly status: number; readonly text: string }[]
  /** Terms shown to the client. */
  readonly shown?: ShownTerms
}

export type Records = {
  readonly intents: readonly IntentHistory[]
  readonly bookings: readonly ListedBooking[]
  readonly ledgers: Readonly<Record<string, readonly LedgerEntry[]>>
  /** Vendors whose "no such booking" is not final. Only their absent bookings may need a review. */
  readonly absenceIsNotFinal: readonly string[]
}

const WAITING = ['pending', 'submitting', 'in_doubt', 'cancelling']

/** Compares our bookings with the vendors'. Each line is a violation. */
export function compareBookings(records: Records): string[] {
  return [
    ...findDuplicates(records),
    ...findMissing(records),
    ...findPhantoms(records),
    ...findStuck(records),
    ...findWrongAnswers(records),
    ...findWorseTerms(records),
  ]
}

/** Bookings with worse terms than their client was shown. */
function findWorseTerms({ intents, bookings }: Records): string[] {
  const shownByName = new Map(intents.map(({ name, shown }) => [name, shown]))
  return bookings.flatMap((booking) => {
    const shown = booking.status === 'rejected' ? undefined : shownByName.get(booking.client_reference ?? '')
    const difference = shown && findWorseTerm(shown, booking)
    return difference === undefined ? [] : [`WORSE: ${booking.booking_id} ${difference}`]
  })
}

const vendorBookings = ({ ledgers }: Records) =>
  Object.entries(ledgers).flatMap(([vendorId, entries]) => entries.map((entry) => ({ vendorId, entry })))

function findDuplicates(records: Records): string[] {
  const entries = vendorBookings(records)
  const findTwice = (what: string, getKey: (booking: (typeof entries)[number]) => string) =>
    [...Map.groupBy(entries, getKey)]
      .map(([key, group]) => [key, new Set(group.map(({ entry }) => entry.vendorReference)).size] as const)
      .filter(([, size]) => size > 1)
      .map(([key, size]) => `DOUBLED: ${size} vendor bookings for ${what} ${key}`)
  const made = records.bookings.filter(({ status }) => status !== 'rejected')
  const ours = [...Map.groupBy(made, (booking) => booking.client_reference)]
    .filter(([, group]) => group.length > 1)
    .map(([name, group]) => `DOUBLED: ${group.length} bookings of ours for intent ${name}`)
  return [
    ...findTwice('reference', (booking) => booking.entry.ourReference),
    ...findTwice('guest', (booking) => booking.entry.holder),
    ...ours,
  ]
}

/** A booking that was rejected before it was sent leaves its reference to the repeated request. */
export function bookingsByReference(bookings: readonly ListedBooking[]): Map<string, ListedBooking> {
  const sorted = bookings.toSorted((a, b) => Number(b.status === 'rejected') - Number(a.status === 'rejected'))
  return new Map(sorted.map((booking) => [booking.reference, booking]))
}

/** Bookings that a vendor has and we do not. */
function findMissing({ bookings, ...records }: Records): string[] {
  const byReference = bookingsByReference(bookings)
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

/** Bookings that we have and no vendor has. */
function findPhantoms({ bookings, ledgers }: Records): string[] {
  return bookings.flatMap(({ booking_id, status, vendor_id, reference }) => {
    const isHeld = ledgers[vendor_id]?.some((entry) => entry.ourReference === reference) ?? false
    if (isHeld || (status !== 'confirmed' && status !== 'cancelled')) return []
    return [`PHANTOM: ${booking_id} is ${status}, but ${vendor_id} has no ${reference}`]
  })
}

function findStuck({ bookings, ledgers, absenceIsNotFinal }: Records): string[] {
  return bookings.flatMap(({ booking_id, status, vendor_id, reference }) => {
    if (WAITING.includes(status)) return [`STUCK: ${booking_id} is still ${status}`]
    if (status !== 'needs_review') return []
    const isHeld = ledgers[vendor_id]?.some((entry) => entry.ourReference === reference) ?? false
    const mayNeedReview = !isHeld && absenceIsNotFinal.includes(vendor_id)
    return mayNeedReview ? [] : [`STUCK: ${booking_id} needs a review although ${vendor_id} has answered`]
  })
}

/** Answers to clients that are untrue or changed. */
function findWrongAnswers({ intents, bookings }: Records): string[] {
  const byId = new Map(bookings.map((booking) => [booking.booking_id, booking]))
  return intents.flatMap(({ name, answers }) => {
    // While the outcome is open, the answer is the current state (202). The final answer is byte-identical from then
    // on.
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
