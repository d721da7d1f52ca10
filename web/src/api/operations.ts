import { getPreferences } from '../browser/preferences.ts'
import { forgetOpened, readLinkToken, rememberOpened, removeLinkToken } from '../session/opened-booking.ts'
import { beginSession, endSession } from '../session/session.ts'
import { askToSignOut } from '../session/sign-out.ts'
import { callApi, clientFor, serai } from './client.ts'
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

/** `code` is the one-time code, if the account uses them. */
export async function signIn(email: string, password: string, code = ''): Promise<void> {
  const user = code === '' ? { email, password } : { email, password, totp: code }
  await beginSession(() => callApi(serai.session.signIn({ user })))
}

/** Ends the session in all tabs, whatever the service responds. */
export async function signOut(): Promise<void> {
  await askToSignOut()
  endSession()
}

export async function findPlaces(text: string, signal?: AbortSignal): Promise<readonly Place[]> {
  const { data } = await callApi(
    serai.locations.search({ starts_with: text, first: 8, language: getPreferences().locale }, { signal }),
  )
  return data
}

export function listNeighbourhoods(placeId: string): Promise<readonly Neighbourhood[]> {
  return callApi(serai.locations.neighbourhoods({ location_id: placeId }))
}

export type SearchListener = {
  onVendor(report: VendorReport): void
  onProperties(found: readonly Summary[]): void
}

/** Runs a search, reports its progress and returns the saved search. */
export async function runSearch(
  body: SearchBody,
  listener: SearchListener,
  signal?: AbortSignal,
): Promise<SearchResult> {
  return callApi(followSearch(body, listener, signal))
}

async function followSearch(body: SearchBody, listener: SearchListener, signal?: AbortSignal): Promise<SearchResult> {
  for await (const event of serai.search.stream({ ...body, view: 'card' }, { signal })) {
    if (event.type === 'vendor') listener.onVendor(event.vendor)
    else if (event.type === 'properties') listener.onProperties(event.changed)
    else return event.search
  }
  throw new Error('the search ended without a result')
}

const fetchSavedPage = (searchId: string, page: number, size: number) =>
  callApi(serai.search.availability({ search_id: searchId, page, page_size: size, view: 'card' }))

/** Maximum page size of a list. */
const PAGE_SIZE = 1_000

/** Results and terms of a saved search, for reloads and links. */
export async function fetchSavedResults(searchId: string) {
  const found: Summary[] = []
  for (let page = 1; ; page += 1) {
    const { data, meta } = await fetchSavedPage(searchId, page, PAGE_SIZE)
    found.push(...data)
    if (!meta['has_next_page?']) return { found, search: meta.search }
  }
}

/** First results of a saved search, in the recommended order. */
export async function fetchFirstResults(searchId: string, count: number): Promise<readonly Summary[]> {
  return (await fetchSavedPage(searchId, 1, count)).data
}

/** Terms of a saved search. */
export async function fetchSavedSearch(searchId: string) {
  return (await fetchSavedPage(searchId, 1, 1)).meta.search
}

/** Searches for one property without reporting progress; returns the id of the saved search. */
export async function searchProperty(body: SearchBody): Promise<string> {
  return (await callApi(serai.search.create(body))).search_id
}

export function fetchProperty(searchId: string, propertyId: string, language: string): Promise<Detail> {
  return callApi(serai.search.detail({ search_id: searchId, property_id: propertyId, language }))
}

/** Current price and terms of the room. Books nothing. */
export async function checkPrice(uri: string): Promise<PriceCheck> {
  return callApi(serai.booking.checkRoom({ booking_info: { price_check_uri: uri } }))
}

export function sendBooking(body: BookBody, idempotencyKey: string): Promise<Booking> {
  return callApi(serai.booking.create(body, { idempotencyKey }))
}

const OVER_STATUSES = 'cancelled,rejected'
/** Upcoming bookings by arrival, all others latest first. `day` is today's date at the guest's location. */
const BOOKING_QUERIES = {
  upcoming: (day: string) => ({
    filters: [`check_out:>=<${day}`, `status:not_in<${OVER_STATUSES}`],
    order_by: ['check_in' as const],
  }),
  past: (day: string) => ({
    filters: [`check_out:<<${day}`, `status:not_in<${OVER_STATUSES}`],
    order_by: ['check_in' as const],
    order_directions: ['desc' as const],
  }),
  cancelled: () => ({
    filters: [`status:in<${OVER_STATUSES}`],
    order_by: ['created_at' as const],
    order_directions: ['desc' as const],
  }),
} as const
export type BookingListName = keyof typeof BOOKING_QUERIES

export async function listBookings(
  name: BookingListName,
  day: string,
  page: number,
): Promise<{ bookings: readonly Booking[]; more: boolean }> {
  const { data, meta } = await callApi(serai.booking.list({ page, page_size: 20, ...BOOKING_QUERIES[name](day) }))
  return { bookings: data, more: meta['has_next_page?'] }
}

/** Opens the booking first if its page was reached with the link of a mail. */
export async function fetchBooking(id: string): Promise<Booking> {
  const token = readLinkToken()
  if (token !== undefined) {
    await callApi(serai.session.openBooking({ token }))
    rememberOpened(id)
    removeLinkToken()
  }
  return callApi(clientFor(id).booking.show({ booking_id: id }))
}

/** Current cancellation fee. Cancels nothing. */
export function previewCancelFee(id: string): Promise<CancelAnswer> {
  return callApi(clientFor(id).booking.cancel({ booking_id: id, preview: true }))
}

/** Cancels for at most the fee that was shown. */
export function cancelForFee(id: string, penalty: number): Promise<CancelAnswer> {
  return callApi(clientFor(id).booking.cancel({ booking_id: id, accept_penalty_up_to: String(penalty) }))
}

/** Voucher as a PDF, or the stay as a calendar entry. */
export function fetchBookingFile(id: string, type: 'application/pdf' | 'text/calendar'): Promise<Blob> {
  return callApi(clientFor(id).booking.voucherFile({ booking_id: id, type }))
}

export function fetchReceiptPdf(id: string): Promise<Blob> {
  return callApi(clientFor(id).booking.receiptFile({ booking_id: id, type: 'application/pdf' }))
}

/** The response does not tell if there is such a booking. */
export async function sendBookingLink(reference: string, email: string): Promise<void> {
  await callApi(serai.session.sendBookingLink({ reference, email }))
}

/** Forgets a booking that was opened with a link. */
export async function closeBooking(id: string): Promise<void> {
  await callApi(serai.session.closeBooking({ booking_id: id }))
  forgetOpened(id)
}
