import { acceptSession, endSession } from '../state/session.ts'
import { send, sendForJson } from './client.ts'
import { readEvents } from './event-stream.ts'
import { ApiProblem } from './problem.ts'
import type {
  BookBody,
  Booking,
  CancelAnswer,
  Detail,
  PageSession,
  Place,
  PriceCheck,
  SearchBody,
  SearchDone,
  SearchResult,
  Summary,
  VendorReport,
} from './shapes.ts'

const POST = 'POST' as const

export async function signIn(email: string, password: string): Promise<void> {
  const body = { user: { email, password } }
  const { data } = await sendForJson<{ data: PageSession }>('/api/session', { method: POST, body, signedIn: false })
  acceptSession(data)
}

/** Ends the session in all tabs, and on this page even if the service cannot be reached. */
export async function signOut(): Promise<void> {
  await send('/api/accounts/revoke_token', { method: POST, signedIn: false }).catch(() => undefined)
  endSession()
}

export async function findPlaces(text: string, signal?: AbortSignal): Promise<readonly Place[]> {
  const query = new URLSearchParams({ starts_with: text, first: '8' })
  const { data } = await sendForJson<{ data: Place[] }>(`/api/locations/search?${query}`, { signal })
  return data
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
  const headers = { accept: 'text/event-stream, application/json;q=0.5' }
  const response = await send('/api/accommodation_searches/search', { method: POST, body, headers, signal })
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (!streamed || response.body === null) return ((await response.json()) as { data: SearchResult }).data
  const found = new Map<string, Summary>()
  let result: SearchResult | undefined
  for await (const { event, data } of readEvents(response.body)) {
    const read = JSON.parse(data)
    if (event === 'vendor') listener.onVendor(read as VendorReport)
    else if (event === 'properties') {
      const { availability } = read as { availability: Summary[] }
      for (const property of availability) found.set(property.property_id, property)
      listener.onProperties(availability)
    } else if (event === 'problem') throw new ApiProblem(Number(read.status) || 502, read)
    else if (event === 'done') result = inOrder((read as { data: SearchDone }).data, found)
  }
  if (result !== undefined) return result
  throw new ApiProblem(0, { code: 'unreachable' })
}

/** The whole answer, put together from the properties that were sent before. */
function inOrder({ order, ...rest }: SearchDone, found: ReadonlyMap<string, Summary>): SearchResult {
  return { ...rest, availability: order.flatMap((id) => found.get(id) ?? []) }
}

/** The results of an earlier search, for reloads and links. */
export async function savedResults(searchId: string): Promise<readonly Summary[]> {
  const path = `/api/accommodation_searches/${encodeURIComponent(searchId)}/availability?page=1&page_size=1000`
  const { data } = await sendForJson<{ data: Summary[] }>(path)
  return data
}

export async function propertyDetail(searchId: string, propertyId: string): Promise<Detail> {
  const query = new URLSearchParams({ search_id: searchId, property_id: propertyId })
  const path = `/api/accommodation_searches/accommodation?${query}`
  return (await sendForJson<{ accommodation: Detail }>(path)).accommodation
}

/** What the room costs and means now. Nothing is booked. */
export async function checkPrice(uri: string): Promise<PriceCheck> {
  return (await sendForJson<{ data: PriceCheck }>(uri)).data
}

export async function book(body: BookBody, idempotencyKey: string): Promise<Booking> {
  const headers = { 'idempotency-key': idempotencyKey }
  return (await sendForJson<{ data: Booking }>('/api/accommodation/book', { method: POST, body, headers })).data
}

export async function listBookings(page: number): Promise<{ bookings: readonly Booking[]; more: boolean }> {
  const query = `page=${page}&page_size=20&order_by[]=created_at&order_directions[]=desc`
  const answer = await sendForJson<{ data: Booking[]; meta: Record<string, unknown> }>(
    `/api/accommodation/bookings?${query}`,
  )
  return { bookings: answer.data, more: answer.meta['has_next_page?'] === true }
}

export async function readBooking(id: string): Promise<Booking> {
  return (await sendForJson<{ data: Booking }>(`/api/accommodation/bookings/${encodeURIComponent(id)}`)).data
}

export async function cancelBooking(id: string, preview: boolean): Promise<CancelAnswer> {
  const path = `/api/accommodation/bookings/${encodeURIComponent(id)}/cancel${preview ? '?preview=true' : ''}`
  return (await sendForJson<{ data: CancelAnswer }>(path, { method: POST, body: {} })).data
}
