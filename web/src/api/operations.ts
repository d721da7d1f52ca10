import { beginSession, endSession } from '../session/session.ts'
import { askToSignOut } from '../session/sign-out.ts'
import { resultOf, serai } from './client.ts'
import type {
  BookBody,
  Booking,
  CancelAnswer,
  Detail,
  Neighbourhood,
  Place,
  PriceCheck,
  SearchBody,
  SearchResult,
  Summary,
  VendorReport,
} from './shapes.ts'

/** `code`: the one-time code, of an account that has them. */
export async function signIn(email: string, password: string, code = ''): Promise<void> {
  const user = code === '' ? { email, password } : { email, password, totp: code }
  await beginSession(() => resultOf(serai.session.signIn({ user })))
}

/** Ends the session in all tabs, and on this page whatever the answer. */
export async function signOut(): Promise<void> {
  await askToSignOut()
  endSession()
}

export async function findPlaces(text: string, signal?: AbortSignal): Promise<readonly Place[]> {
  const { data } = await resultOf(serai.locations.search({ starts_with: text, first: 8 }, { signal }))
  return data
}

export function listNeighbourhoods(placeId: string): Promise<readonly Neighbourhood[]> {
  return resultOf(serai.locations.neighbourhoods({ location_id: placeId }))
}

export type SearchListener = {
  onVendor(report: VendorReport): void
  onProperties(found: readonly Summary[]): void
}

/** Runs a search and reports its progress; resolves with the saved search. */
export async function streamSearch(
  body: SearchBody,
  listener: SearchListener,
  signal?: AbortSignal,
): Promise<SearchResult> {
  return resultOf(follow(body, listener, signal))
}

async function follow(body: SearchBody, listener: SearchListener, signal?: AbortSignal): Promise<SearchResult> {
  for await (const event of serai.search.stream(body, { signal })) {
    if (event.type === 'vendor') listener.onVendor(event.vendor)
    else if (event.type === 'properties') listener.onProperties(event.changed)
    else return event.search
  }
  throw new Error('a search always ends with its result or an error')
}

const savedPage = (searchId: string, page: number, size: number) =>
  resultOf(serai.search.availability({ search_id: searchId, page, page_size: size }))

/** As many as a page of a list may have. */
const PAGE_SIZE = 1_000

/** The results of a saved search and its terms, for reloads and links. */
export async function savedResults(searchId: string) {
  const found: Summary[] = []
  for (let page = 1; ; page += 1) {
    const { data, meta } = await savedPage(searchId, page, PAGE_SIZE)
    found.push(...data)
    if (!meta['has_next_page?']) return { found, search: meta.search }
  }
}

/** The first results of a saved search, in the recommended order. */
export async function firstResults(searchId: string, count: number): Promise<readonly Summary[]> {
  return (await savedPage(searchId, 1, count)).data
}

/** What a saved search was for. */
export async function savedTerms(searchId: string) {
  return (await savedPage(searchId, 1, 1)).meta.search
}

/** Searches without reporting progress, for one property; returns the id of the saved search. */
export async function findProperty(body: SearchBody): Promise<string> {
  return (await resultOf(serai.search.create(body))).search_id
}

export function propertyDetail(searchId: string, propertyId: string, language: string): Promise<Detail> {
  return resultOf(serai.search.detail({ search_id: searchId, property_id: propertyId, language }))
}

/** What the room costs and means now. Nothing is booked. */
export async function checkPrice(uri: string): Promise<PriceCheck> {
  return resultOf(serai.booking.checkRoom({ booking_info: { price_check_uri: uri } }))
}

export function book(body: BookBody, idempotencyKey: string): Promise<Booking> {
  return resultOf(serai.booking.create(body, { idempotencyKey }))
}

const IS_OVER = 'cancelled,rejected'
/** Upcoming ones by arrival, the others latest first. `day` is today where the guest is. */
const BOOKING_LISTS = {
  upcoming: (day: string) => ({
    filters: [`check_out:>=<${day}`, `status:not_in<${IS_OVER}`],
    order_by: ['check_in' as const],
  }),
  past: (day: string) => ({
    filters: [`check_out:<<${day}`, `status:not_in<${IS_OVER}`],
    order_by: ['check_in' as const],
    order_directions: ['desc' as const],
  }),
  cancelled: () => ({
    filters: [`status:in<${IS_OVER}`],
    order_by: ['created_at' as const],
    order_directions: ['desc' as const],
  }),
} as const
export type BookingListName = keyof typeof BOOKING_LISTS

export async function listBookings(
  name: BookingListName,
  day: string,
  page: number,
): Promise<{ bookings: readonly Booking[]; more: boolean }> {
  const { data, meta } = await resultOf(serai.booking.list({ page, page_size: 20, ...BOOKING_LISTS[name](day) }))
  return { bookings: data, more: meta['has_next_page?'] }
}

export function readBooking(id: string): Promise<Booking> {
  return resultOf(serai.booking.show({ booking_id: id }))
}

/** What cancelling would cost now. Nothing is cancelled. */
export function previewCancel(id: string): Promise<CancelAnswer> {
  return resultOf(serai.booking.cancel({ booking_id: id, preview: true }))
}

/** Cancels for the fee that was shown, or less. */
export function cancelBooking(id: string, penalty: number): Promise<CancelAnswer> {
  return resultOf(serai.booking.cancel({ booking_id: id, accept_penalty_up_to: String(penalty) }))
}

export function voucherPdf(id: string): Promise<Blob> {
  return resultOf(serai.booking.voucherFile({ booking_id: id, type: 'application/pdf' }))
}
