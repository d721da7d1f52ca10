import { BOOKING_FIELDS } from '../booking/show-bookings.ts'
import type { Booking } from '../domain/booking/booking.ts'
import { hasIdShape } from '../lib/crypto/ids.ts'
import { foldText } from '../lib/text/fold-text.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runOnSql } from '../lists/sql/run.ts'
import type { Charge } from '../lists/work.ts'
import type { OperatorBookingStore, SearchedBooking } from './store/bookings.ts'

export const OPERATOR_BOOKING_LIST = defineList({
  fields: { ...BOOKING_FIELDS, account_id: { type: 'string', sortable: true, filterable: true, nullable: false } },
  tiebreaker: 'booking_id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['desc'] },
})

/** Extent of a search: guests are encrypted, so bookings are decrypted one by one. */
export type SearchedRange = {
  readonly bookings: number
  /** Creation time of the oldest one. */
  readonly backTo: number | undefined
  /** True if no older or further bookings exist. */
  readonly isAll: boolean
}
type FoundBookings = { readonly page: ListPage<Booking>; readonly looked: SearchedRange | undefined }

const SLICE_SIZE = 250
const SCANNED_MAX = 10_000
const FOUND_MAX = 500

export type FindBookings = (plan: ListPlan, charge: Charge, text: string) => Promise<FoundBookings>

/** `text` may contain references, names, e-mails and dates; all of its words must match. */
export function createFindBookings(store: OperatorBookingStore): FindBookings {
  const readPage = async (plan: ListPlan, charge: Charge, ids?: readonly string[]) => {
    const page = await store.listing(ids, (source) => runOnSql(plan, source, charge))
    return { ...page, data: page.data.map(store.fromRow) }
  }
  return async (plan, charge, text) => {
    if (splitWords(text).length === 0) return { page: await readPage(plan, charge), looked: undefined }
    const { ids, looked } = await findBookingIds(store, text)
    return { page: await readPage(plan, charge, ids), looked }
  }
}

type FoundIds = { readonly ids: readonly string[]; readonly looked: SearchedRange | undefined }

/** Newest first. `looked` is undefined if a reference of ours was found without a search. */
export async function findBookingIds(store: OperatorBookingStore, text: string): Promise<FoundIds> {
  const exact = hasIdShape(text.trim()) ? await store.byReference(text.trim()) : []
  return exact.length > 0 ? { ids: exact, looked: undefined } : scan(store, splitWords(text))
}

async function scan(store: OperatorBookingStore, words: readonly string[]): Promise<FoundIds> {
  const ids: string[] = []
  let count = 0
  let last: SearchedBooking | undefined
  while (count < SCANNED_MAX && ids.length < FOUND_MAX) {
    const slice = await store.newest(last, SLICE_SIZE)
    ids.push(...slice.filter((booking) => matches(booking, words)).map(({ bookingId }) => bookingId))
    count += slice.length
    last = slice.at(-1) ?? last
    if (slice.length < SLICE_SIZE) return { ids, looked: { bookings: count, backTo: last?.createdAt, isAll: true } }
    // Lets other requests run between two slices.
    await new Promise((later) => setImmediate(later))
  }
  return { ids: ids.slice(0, FOUND_MAX), looked: { bookings: count, backTo: last?.createdAt, isAll: false } }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/

const splitWords = (text: string): string[] =>
  text
    .split(/\s+/)
    .map((word) => (DATE.test(word) ? word : foldText(word)))
    .filter(Boolean)

function matches(booking: SearchedBooking, words: readonly string[]): boolean {
  const { createdAt, checkIn, checkOut, propertyName, references } = booking
  const { guests, contact } = booking.persons
  const people = [contact, ...guests].flatMap(({ email, phone }) => [email, phone])
  const names = guests.map(({ givenName, familyName }) => `${givenName} ${familyName}`)
  const dates = [checkIn, checkOut, new Date(createdAt).toISOString().slice(0, 10)]
  const text = [propertyName, ...references, ...names, ...people].map(foldText).join('\n')
  return words.every((word) => (DATE.test(word) ? dates.includes(word) : text.includes(word)))
}
