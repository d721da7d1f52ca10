import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { DEMO } from '../../src/cli/commands/dev.ts'
import type { Site } from '../support/servers/browser.ts'
import { chooseCheapestRoom, fillGuest, openWithin } from './steps.ts'

/** Shortcuts for tests that start in the middle of a booking. */

const headersOf = (token: string) => ({ 'content-type': 'application/json', authorization: `bearer: ${token}` })

export type User = { readonly email: string; readonly password: string }

/** An account that no other file uses. */
export async function newAccount(site: Site): Promise<User> {
  const user = { email: `${randomUUID()}@example.com`, password: 'a long enough password' }
  await site.app.manageAccounts.add(user.email, 'A guest', user.password)
  return user
}

/** Gives the browser a session and returns a token of the same account for calls outside the page. */
export async function signInBrowser(site: Site, page: Page, user: User = DEMO): Promise<string> {
  const headers = { 'sec-fetch-site': 'same-origin' }
  await page.request.post(`${site.url}/api/session`, { data: { user }, headers })
  return freshToken(site, user)
}

export async function freshToken(site: Site, user: User = DEMO): Promise<string> {
  const response = await fetch(`${site.url}/api/accounts/get_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user }),
  })
  return ((await response.json()) as { token: string }).token
}

/** Address of a list: two nights in two months, two adults. Funchal has 100 properties, Lisbon nearly 1,000. */
export async function searchAddress(site: Site, token: string, place = 'Funchal'): Promise<string> {
  const found = await fetch(`${site.url}/api/locations/search?starts_with=${place}&first=1`, {
    headers: headersOf(token),
  })
  const { data } = (await found.json()) as { data: { id: string; name: string }[] }
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const [first] = data
  if (first === undefined) throw new Error(`no place called ${place}`)
  const query = new URLSearchParams({
    to: first.id,
    place: first.name,
    in: day(60),
    out: day(62),
    rooms: '2',
    cur: 'EUR',
  })
  return `/search?${query}`
}

const found = new Map<string, Promise<string>>()

/**
 * Searches a place once per server, because its first search reads the vendors' content and may exceed the page's
 * deadline. Returns the address of a property.
 */
export function warmUp(site: Site, place = 'Funchal'): Promise<string> {
  const key = `${site.url} ${place}`
  const address = found.get(key) ?? findStay(site, place)
  found.set(key, address)
  return address
}

/** Address of a property of the simulator, which answers at once. */
export const simulatedStay = (site: Site): Promise<string> =>
  findStay(site, 'Funchal', { 'x-simulate-return': 'success' })

/** Address of a property in a search of its own, because each room of a search can be booked once per account. */
export const freshStay = (site: Site, user: User, vendors?: readonly string[]): Promise<string> =>
  findStay(site, 'Funchal', {}, user, vendors)

async function findStay(
  site: Site,
  place: string,
  headers: Record<string, string> = {},
  user: User = DEMO,
  vendors?: readonly string[],
): Promise<string> {
  const token = await freshToken(site, user)
  const query = new URL(await searchAddress(site, token, place), site.url).searchParams
  const body = {
    destination_id: query.get('to'),
    check_in: query.get('in'),
    check_out: query.get('out'),
    occupancies: [{ adults: 2 }],
    currency: 'EUR',
    timeout_ms: 15_000,
    ...(vendors && { vendors }),
  }
  for (let tries = 1; ; tries += 1) {
    const { body: answer } = await callWith(site, token, '/api/accommodation_searches/search', body, headers)
    const property = answer.data?.availability[0]
    if (property !== undefined) return `/property/${property.property_id}?${query}&search_id=${answer.data.search_id}`
    if (tries === 4) throw new Error(`the search found nothing: ${JSON.stringify(answer).slice(0, 400)}`)
  }
}

/** Opens the checkout and fills it in. */
export async function openFilledCheckout(page: Page, address: string): Promise<void> {
  await openWithin(page, address)
  await page.locator('#rooms table').first().waitFor()
  await chooseCheapestRoom(page)
  await fillGuest(page)
}

async function callWith(site: Site, token: string, path: string, body?: object, more: Record<string, string> = {}) {
  const response = await fetch(`${site.url}${path}`, {
    headers: { authorization: `bearer: ${token}`, ...(body && { 'content-type': 'application/json' }), ...more },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as ReturnType<typeof JSON.parse> }
}

const DAY_MS = 86_400_000
const GUEST = { given_name: 'Ada', family_name: 'Lovelace', email: 'ada@guests.example' }

/** Books a room at one vendor without the page and expects this status. */
export async function bookAt(
  site: Site,
  token: string,
  vendorId: string,
  wanted = 201,
): Promise<{ readonly booking_id: string; readonly reference: string }> {
  const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10)
  const places = await callWith(site, token, '/api/locations/search?starts_with=Funchal&first=1')
  const search = await callWith(site, token, '/api/accommodation_searches/search', {
    destination_id: places.body.data[0].id,
    check_in: day(60),
    check_out: day(62),
    occupancies: [{ adults: 2 }],
    currency: 'EUR',
    timeout_ms: 15_000,
    vendors: [vendorId],
  })
  const { search_id, availability } = search.body.data
  for (const { property_id } of availability.slice(0, 6)) {
    const query = new URLSearchParams({ search_id, property_id })
    const { body } = await callWith(site, token, `/api/accommodation_searches/accommodation?${query}`)
    const room = body.accommodation?.available_rooms[0]
    const order = { ...room?.booking_info, guests: [GUEST], contact: { email: GUEST.email } }
    const booked = await callWith(site, token, '/api/accommodation/book', order)
    if (booked.status === wanted) return booked.body.data
  }
  throw new Error(`no booking was answered with ${wanted}`)
}
