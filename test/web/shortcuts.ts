import type { Page } from 'playwright-core'
import { DEMO } from '../../src/cli/dev.ts'
import type { Site } from '../support/servers/browser.ts'
import { chooseRoom, fillGuest } from './steps.ts'

/** Shortcuts for tests that start in the middle of a booking. */

const headersOf = (token: string) => ({ 'content-type': 'application/json', authorization: `bearer: ${token}` })

/** Gives the browser a session, as signing in would. Answers with a token of the same account for calls beside the page. */
export async function signedIn(site: Site, page: Page): Promise<string> {
  const headers = { 'sec-fetch-site': 'same-origin' }
  await page.request.post(`${site.url}/api/session`, { data: { user: DEMO }, headers })
  return freshToken(site)
}

export async function freshToken(site: Site): Promise<string> {
  const response = await fetch(`${site.url}/api/accounts/get_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: DEMO }),
  })
  return ((await response.json()) as { token: string }).token
}

/** The address of a list: two nights in two months, two adults. Funchal has a hundred properties, Lisbon nearly a thousand. */
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

/**
 * The first search of a place after a start reads the vendors' content, which a busy machine may not manage within the
 * page's deadline; so the tests make it beforehand. Answers with the address of one property of it.
 */
export async function warmUp(site: Site, place = 'Funchal'): Promise<string> {
  const token = await freshToken(site)
  const address = await searchAddress(site, token, place)
  const query = new URL(address, site.url).searchParams
  const body = {
    destination_id: query.get('to'),
    check_in: query.get('in'),
    check_out: query.get('out'),
    occupancies: [{ adults: 2 }],
    currency: 'EUR',
    timeout_ms: 15_000,
  }
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${site.url}/api/accommodation_searches/search`, {
      method: 'POST',
      headers: headersOf(token),
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { data?: { search_id: string; availability: { property_id: string }[] } }
    const property = answer.data?.availability[0]
    if (property !== undefined) return `/property/${property.property_id}?${query}&search_id=${answer.data?.search_id}`
    if (tries === 4) throw new Error(`the search found nothing: ${JSON.stringify(answer).slice(0, 400)}`)
  }
}

/** At the checkout with everything filled in. */
export async function atCheckout(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('#rooms table').first().waitFor()
  const checked = page.waitForResponse((response) => response.url().includes('/api/accommodation/price_check'))
  await chooseRoom(page)
  await fillGuest(page)
  // Later faults are for the booking, not for the check that opens the checkout.
  await checked
}
