import { brotliCompressSync, constants } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PropertyCardSchema } from '../../../src/search/schemas/property-card.ts'
import { type LedgerApp, ledgerApp } from '../../support/app/ledger-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'

let app: LedgerApp
let saved: string
beforeAll(async () => {
  app = await ledgerApp()
  await app.room()
  saved = `/api/accommodation_searches/${app.searchId}/availability`
})
afterAll(() => app.close())

type Card = Readonly<Record<string, unknown>> & { readonly property_id: string }

const search = async (query: string, headers = {}) => {
  const { meta } = (await app.request({ url: `${saved}?limit=1` })).json()
  const { location, check_in, check_out, occupancies } = meta.search
  const payload = { destination_id: location.id, check_in, check_out, occupancies, currency: 'EUR' }
  return app.request({ method: 'POST', url: `/api/accommodation_searches/search?${query}`, payload, headers })
}

test('a card has the members of a summary, or ones derived from it', async () => {
  const cards: Card[] = (await app.request({ url: `${saved}?view=card` })).json().data
  const summaries = (await app.request({ url: saved })).json().data
  expect(cards.length).toBeGreaterThan(5)
  for (const [index, card] of cards.entries()) {
    expectToMatch(PropertyCardSchema, card)
    const summary = summaries[index]
    const { guest_rating, image, offers_count, ...same } = card
    expect(summary).toMatchObject(same)
    expect([guest_rating, image, offers_count]).toEqual([
      summary.guest_ratings.overall,
      summary.hero_images.med,
      summary.offers.length,
    ])
    expect(Object.keys(card)).not.toContain('description')
  }
})

test('a search returns the same cards as its saved list', async () => {
  const { data } = (await search('view=card')).json()
  const url = `/api/accommodation_searches/${data.search_id}/availability?view=card&limit=1000`
  expect((await app.request({ url })).json().data).toEqual(data.availability)
})

test('the merged cards of a stream are those of its saved list', async () => {
  const stream = (await search('view=card', { accept: 'text/event-stream' })).body
  const found = new Map<string, object>()
  for (const [, event, data = ''] of stream.matchAll(/event: (\w+)\ndata: (.*)\n/g)) {
    if (event !== 'properties') continue
    for (const card of JSON.parse(data).availability as Card[]) {
      const { free_cancellation: free, ...merged } = { ...found.get(card.property_id), ...card } as Card
      found.set(card.property_id, { ...merged, ...(free != null && { free_cancellation: free }) })
    }
  }
  const done = JSON.parse(/event: done\ndata: (.*)\n/.exec(stream)?.[1] ?? '{}').data
  const url = `/api/accommodation_searches/${done.search_id}/availability?view=card&limit=1000`
  const { data } = (await app.request({ url })).json()
  expect(data.length).toBeGreaterThan(5)
  expect([...done.order].map((id) => found.get(id))).toEqual(data)
})

test('a card takes at most 170 bytes compressed', async () => {
  const { data } = (await app.request({ url: `${saved}?view=card&limit=1000` })).json()
  const params = { [constants.BROTLI_PARAM_QUALITY]: 3 }
  const bytes = brotliCompressSync(JSON.stringify(data), { params }).length / data.length
  const { data: full } = (await app.request({ url: `${saved}?limit=1000` })).json()
  const fullBytes = brotliCompressSync(JSON.stringify(full), { params }).length / full.length
  console.log(`${bytes.toFixed(0)} bytes per card, ${fullBytes.toFixed(0)} per summary, of ${data.length}`)
  expect(bytes).toBeLessThan(170)
})

test('an unknown view is refused (422) in the envelope of the operation', async () => {
  const listed = await app.request({ url: `${saved}?view=tiles` })
  expect([listed.statusCode, listed.json()]).toMatchObject([422, { data: [], meta: { errors: [{ field: 'view' }] } }])
  const searched = await search('view=tiles')
  expect([searched.statusCode, searched.json().errors]).toMatchObject([422, [{ field: 'view' }]])
})

test('an unchanged page of a saved search is 304 for its owner, and has links', async () => {
  const url = `${saved}?limit=2&view=card`
  const first = await app.request({ url })
  expect(first.headers.link).toBe(`<${saved}?limit=2&view=card&offset=2>; rel="next"`)
  const headers = { 'if-none-match': String(first.headers.etag) }
  const unchanged = await app.request({ url, headers })
  expect([unchanged.statusCode, unchanged.body]).toEqual([304, ''])
  expect((await app.request({ url: `${saved}?limit=2`, headers })).statusCode).toBe(200)
  expect((await app.as(app.otherToken, { url, headers })).statusCode).toBe(404)
})

test('the first page of a search links to the second page of its saved list', async () => {
  const first = await search('page_size=2&order_by[]=name')
  const [, link = ''] = /<([^>]+)>; rel="next"/.exec(String(first.headers.link)) ?? []
  const { data, meta } = (await app.request({ url: link })).json()
  expect([data.length, meta.current_page]).toEqual([2, 2])
  const all = (await app.request({ url: link.replace(/\?.*/, '?order_by[]=name&limit=4') })).json().data
  expect([...first.json().data.availability, ...data]).toEqual(all)
})

test('an expired search is 410, whatever tag is sent', async () => {
  const { etag } = (await app.request({ url: saved })).headers
  app.clock.advance(2 * 3_600_000)
  expect((await app.request({ url: saved, headers: { 'if-none-match': String(etag) } })).statusCode).toBe(410)
})
