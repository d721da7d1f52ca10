import type { LedgerEntry } from '../../src/sandbox/ledger.ts'
import type { ListedBooking } from './crash-traveller.ts'

/** What one client wanted once, and every answer that decided it: `201`, `202`, or a refusal that names a booking. */
export type IntentHistory = {
  /** Sent as `client_reference` and as the guest's family name, so that both books can be searched for it. */
  readonly name: string
  readonly answers: readonly { readonly status: number; readonly text: string }[]
}

export type Books = {
  readonly intents: readonly IntentHistory[]
  readonly bookings: readonly ListedBooking[]
  readonly ledgers: Readonly<Record<string, readonly LedgerEntry[]>>
  /** Vendors whose "no such booking" is not believed; only theirs may wait for a person, and only when absent. */
  readonly absenceIsNotFinal: readonly string[]
}

const WAITING = ['pending', 'submitting', 'in_doubt', 'cancelling']

/** Holds our book against the vendors' own. Every line is a promise broken. */
export function compareBooks(books: Books): string[] {
  return [...doubled(books), ...missing(books), ...invented(books), ...stuck(books), ...answeredWrongly(books)]
}

const standing = ({ ledgers }: Books) =>
  Object.entries(ledgers).flatMap(([vendorId, entries]) => entries.map((entry) => ({ vendorId, entry })))

function doubled(books: Books): string[] {
  const entries = standing(books)
  const twice = (what: string, keyOf: (one: (typeof entries)[number]) => string) =>
    [...Map.groupBy(entries, keyOf)]
      .map(([key, group]) => [key, new Set(group.map(({ entry }) => entry.vendorReference)).size] as const)
      .filter(([, size]) => size > 1)
      .map(([key, size]) => `DOUBLED: ${size} vendor bookings for ${what} ${key}`)
  const ours = [...Map.groupBy(books.bookings, (booking) => booking.client_reference)]
    .filter(([, group]) => group.length > 1)
    .map(([name, group]) => `DOUBLED: ${group.length} bookings of ours for intent ${name}`)
  return [...twice('reference', (one) => one.entry.ourReference), ...twice('guest', (one) => one.entry.holder), ...ours]
}

/** What a vendor holds and we do not show. */
function missing({ bookings, ...books }: Books): string[] {
  const byReference = new Map(bookings.map((booking) => [booking.reference, booking]))
  return standing({ bookings, ...books }).flatMap(({ vendorId, entry }) => {
    const what = `${vendorId} ${entry.vendorReference} (${entry.ourReference})`
    const booking = byReference.get(entry.ourReference)
    if (booking === undefined || booking.vendor_id !== vendorId) return [`ORPHAN: ${what} is in no book of ours`]
    if (booking.status !== entry.status) return [`LOST: ${what} is ${entry.status} there and ${booking.status} here`]
    if (booking.vendor_reference !== entry.vendorReference) {
      return [`LOST: ${what} is known to us as ${booking.vendor_reference}`]
    }
    return []
  })
}

/** What we show and no vendor holds. */
function invented({ bookings, ledgers }: Books): string[] {
  return bookings.flatMap(({ booking_id, status, vendor_id, reference }) => {
    const held = ledgers[vendor_id]?.some((entry) => entry.ourReference === reference) ?? false
    if (held || (status !== 'confirmed' && status !== 'cancelled')) return []
    return [`PHANTOM: ${booking_id} is ${status}, but ${vendor_id} has no ${reference}`]
  })
}

function stuck({ bookings, ledgers, absenceIsNotFinal }: Books): string[] {
  return bookings.flatMap(({ booking_id, status, vendor_id, reference }) => {
    if (WAITING.includes(status)) return [`STUCK: ${booking_id} is still ${status}`]
    if (status !== 'needs_review') return []
    const held = ledgers[vendor_id]?.some((entry) => entry.ourReference === reference) ?? false
    const forAPerson = !held && absenceIsNotFinal.includes(vendor_id)
    return forAPerson ? [] : [`STUCK: ${booking_id} waits for a person, though ${vendor_id} has answered`]
  })
}

/** Clients were told the truth, and always the same. */
function answeredWrongly({ intents, bookings }: Books): string[] {
  const byId = new Map(bookings.map((booking) => [booking.booking_id, booking]))
  return intents.flatMap(({ name, answers }) => {
    const [first] = answers
    if (first === undefined) return []
    const changed = answers.some(({ status, text }) => status !== first.status || text !== first.text)
    const body = JSON.parse(first.text) as { data?: { booking_id: string }; booking_id?: string }
    const booking = byId.get(body.data?.booking_id ?? body.booking_id ?? '')
    const lies =
      booking === undefined ||
      booking.client_reference !== name ||
      (first.status === 201 && booking.status !== 'confirmed' && booking.status !== 'cancelled') ||
      (first.status === 409 && booking.status !== 'rejected')
    return [
      ...(changed ? [`REPLAY: ${name} was answered in ${new Set(answers.map(({ text }) => text)).size} ways`] : []),
      ...(lies ? [`LIE: ${name} was answered ${first.status}, our book says ${booking?.status}`] : []),
    ]
  })
}
