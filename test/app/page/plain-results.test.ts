import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, dateIn } from '../../../src/lib/time/plain-date.ts'
import { type PlainResults, resultsHtml } from '../../../src/page/plain/results-html.ts'
import { type LedgerApp, ledgerApp } from '../../support/app/ledger-app.ts'
import { withGuests } from '../../support/app/page-browser.ts'

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }

let app: LedgerApp
let placeId = ''
let bigPlaceId = ''
let address = 0
beforeAll(async () => {
  app = await ledgerApp(withGuests('search', true))
  const findId = async (name: string) =>
    (await app.request({ url: `/api/locations/search?starts_with=${name}` })).json().data[0].id
  placeId = await findId('Zermatt')
  bigPlaceId = await findId('Nice')
})
afterAll(() => app.close())
/** Limits count by address. */
beforeEach(() => {
  address += 1
})

function link(changes: Record<string, string> = {}): string {
  const checkIn = addDays(dateIn('UTC', app.clock.now()), 40)
  const stay = { to: placeId, place: 'Zermatt', in: checkIn, out: addDays(checkIn, 2), rooms: '2,1-7.4', cur: 'CHF' }
  return `/search?${new URLSearchParams({ ...stay, ...changes })}`
}

const press = (url: string, headers: Record<string, string> = {}, more: InjectOptions = {}) =>
  app.call({
    method: 'POST',
    url,
    remoteAddress: `192.0.2.${address}`,
    headers: { ...SAME_ORIGIN, ...headers },
    ...more,
  })

const readNames = (html: string) => [...html.matchAll(/<h2><a href="[^"]*">([^<]*)<\/a>/g)].map(([, name]) => name)
const readPrices = (html: string) => [...html.matchAll(/<strong>([^<]*)<\/strong>/g)].map(([, price]) => price ?? '')

describe('results without JavaScript', () => {
  test('the first 30 properties are listed with price, terms and link, and nothing is loaded or kept', async () => {
    const answer = await press(link({ to: bigPlaceId }))
    expect(answer.statusCode).toBe(200)
    expect(readNames(answer.body)).toHaveLength(30)
    expect(readPrices(answer.body).every((price) => /^(≈ )?CHF\s[\d,]+\.\d\d$/.test(price))).toBe(true)
    expect(answer.body).toContain('2 nights · 2 adults + 1 adult, 2 children (age 7, 4)')
    expect(answer.body).toMatch(/30 of \d+ stays are listed/)
    expect(answer.body).toMatch(/\d stars|Rated/)
    expect(answer.body).toMatch(/Breakfast|Room only/)
    expect(answer.body).toMatch(/Free cancellation until [^<]+ \(local time\)/)
    const [, href = ''] = /<a href="(\/property\/[^"]+)"/.exec(answer.body) ?? []
    expect(new URL(href.replaceAll('&amp;', '&'), 'http://x').search).toBe(
      new URL(link({ to: bigPlaceId }), 'http://x').search,
    )
    expect(answer.body).not.toMatch(/<script|<img|<link|javascript:/i)
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none';style-src 'sha256-/)
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
  })

  test('order, limits and conditions of the link apply, and filters that do not are named', async () => {
    const cheapest = (await press(link({ sort: 'price', min: '300', board: 'breakfast' }))).body
    const prices = readPrices(cheapest).map((price) => Number(price.replace(/[^\d.]/g, '')))
    expect(prices).toEqual(prices.toSorted((a, b) => a - b))
    expect(prices[0]).toBeGreaterThanOrEqual(300)
    expect(cheapest).not.toContain('Room only')
    expect(cheapest).not.toContain('Some filters')
    expect((await press(link({ stars: '5' }))).body).toContain('Some filters of this link are not applied here')
  })

  test('a German browser gets German words and figures', async () => {
    const { body } = await press(link({ cur: 'EUR' }), { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' })
    expect(body).toContain('<html lang="de">')
    expect(body).toContain('Unterkünfte in und um Zermatt')
    expect(readPrices(body)[0]).toMatch(/^(≈ )?[\d.]+,\d\d\s€$/)
  })

  test('neither the link nor the form of another site asks a vendor', async () => {
    const before = await app.calls()
    await app.call({ url: link(), headers: { accept: 'text/html' } })
    const sent = await press(link(), { 'sec-fetch-site': 'cross-site' })
    expect([sent.statusCode, sent.headers.location]).toEqual([303, link()])
    expect(sent.headers['set-cookie']).toBeUndefined()
    expect(await app.calls()).toBe(before)
  })

  test('searches count for the guest and for the address, and the refusal says how long to wait', async () => {
    const first = await press(link({ to: '' }))
    const cookie = String(first.headers['set-cookie']).split(';', 1)[0] ?? ''
    const codes = [first.statusCode]
    for (let count = 1; count < 9; count += 1) codes.push((await press(link({ to: '' }), { cookie })).statusCode)
    expect(codes).toEqual([...Array(8).fill(422), 429])
    const refused = await press(link({ to: '' }), { cookie })
    expect(refused.body).toMatch(/Too many searches were made from here\.<\/p><p>Wait \d+ seconds/)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    // A browser that keeps no cookie is a new guest each time.
    const others: number[] = []
    for (let count = 0; count < 13; count += 1) others.push((await press(link({ to: '' }))).statusCode)
    expect(others).toEqual([...Array(12).fill(422), 429])
  })

  test.each([
    ['past dates', { in: '2020-01-01', out: '2020-01-03' }, 422, 'such as dates in the past'],
    ['rooms that are not numbers', { rooms: 'two' }, 422, 'Place, dates or guests'],
    ['an unknown place', { to: '00000000-0000-4000-8000-000000000000' }, 404, 'The place of this link does not exist'],
  ])('a link with %s is refused in words', async (_, changes, status, words) => {
    const answer = await press(link(changes))
    expect(answer.statusCode).toBe(status)
    expect(answer.body).toContain(words)
    expect(answer.body).toContain('<button>Search again</button>')
  })

  test('if no vendor answers, the page says so', async () => {
    await app.faults({ kind: 'error_before', operation: '*' })
    const answer = await press(link({ in: addDays(dateIn('UTC', app.clock.now()), 41) }))
    await app.noFaults()
    expect(answer.statusCode).toBe(502)
    expect(answer.body).toContain('No source of prices answered.')
  })

  test('if guests may not search, the page asks to sign in', async () => {
    const closed = await ledgerApp(withGuests('off'))
    const answer = await closed.call({ method: 'POST', url: link(), headers: SAME_ORIGIN })
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined])
    expect(answer.body).toContain('only customers who are signed in')
    await closed.close()
  })

  test('neither names of properties and places nor the link can add markup', () => {
    const hostile = `"><script>alert(1)</script><img src=x onerror='a'>`
    const card = {
      property_id: hostile,
      name: hostile,
      star_rating: 4.5,
      guest_rating: 4,
      review_count: 1_190,
      distance_km: 1.23,
      total_price: 100,
      currency: 'EUR',
      converted: true,
      board: 'breakfast',
      free_cancellation: { total_price: 120, until: null },
      fees_in_text: true,
    }
    const search = {
      check_in: '2027-01-15',
      check_out: '2027-01-17',
      nights: 2,
      occupancies: [{ adults: 2, children_ages: [] }],
      partial: true,
      simulated: true,
      location: { name: hostile },
    }
    const query = new URLSearchParams({ place: hostile })
    const html = resultsHtml(
      { search, cards: [card], total: 1, ignoresFilters: false, query } as never as PlainResults,
      'en',
    )
    expect(html).not.toMatch(/<script|<img/)
    expect(html.match(/<a [^>]*>/g)).toHaveLength(2)
    expect(html).toContain('Stays around &quot;&gt;&lt;script&gt;')
    expect(html).toContain('4.5 stars · Rated 4.0 of 5 (1,190 reviews) · 1.2\u00a0km')
    expect(html).toContain('≈ €100.00</strong> · Breakfast')
    expect(html).toContain('Free cancellation for ≈ €120.00 · Plus fees at the property')
    expect(html).toContain('Some prices are missing')
    expect(html).toContain('This is a simulation')
  })
})
