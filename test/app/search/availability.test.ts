import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AvailabilityPageResponse } from '../../../src/search/schemas/availability.ts'
import {
  type SearchAnswer,
  type SearchApp,
  type Summary,
  searchApp,
  searchUntilComplete,
} from '../../support/app/search-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'

type Facets = {
  stars: Record<string, number>
  amenities: { slug: string; label: string; count: number }[]
  price: { min: number; max: number; bars: { from: number; to: number; count: number }[] }
}
type Page = { data: Summary[]; meta: Record<string, unknown> & { facets: Facets; errors: { field: string }[] } }

let app: SearchApp
let search: SearchAnswer
beforeAll(async () => {
  app = await searchApp()
  search = await searchUntilComplete(app)
})
afterAll(() => app.close())

const list = async (query = '') =>
  (await app.get(`/api/accommodation_searches/${search.search_id}/availability${query}`)).json<Page>()
const ids = ({ data }: Pick<Page, 'data'>) => data.map(({ property_id }) => property_id)
const filter = (field: string, op: string, value: string | number) =>
  `filters[0][field]=${field}&filters[0][op]=${encodeURIComponent(op)}&filters[0][value]=${encodeURIComponent(value)}`

describe('paging', () => {
  test('a page has 50 properties by default, in the order of the search', async () => {
    const page = await list()
    expectToMatch(AvailabilityPageResponse, page)
    expect(page.meta).toMatchObject({ page_size: 50, current_page: 1, total_count: search.availability.length })
    expect(ids(page)).toEqual(search.availability.slice(0, 50).map(({ property_id }) => property_id))
  })

  test.each(['first', 'last'])('paging by %s covers the list exactly once', async (direction) => {
    for (const order of ['', '&order_by[]=star_rating', '&order_by[]=total_price&order_directions[]=desc']) {
      const all = ids(await list(`?limit=1000${order}`))
      const walked: string[] = []
      let from = ''
      for (;;) {
        const page = await list(`?${direction}=7${order}${from}`)
        if (direction === 'first') walked.push(...ids(page))
        else walked.unshift(...ids(page))
        if (page.meta[direction === 'first' ? 'has_next_page?' : 'has_previous_page?'] !== true) break
        from =
          direction === 'first'
            ? `&after=${encodeURIComponent(String(page.meta.end_cursor))}`
            : `&before=${encodeURIComponent(String(page.meta.start_cursor))}`
      }
      expect(walked).toEqual(all)
    }
  })

  test('a page number and an offset return the same properties', async () => {
    const second = await list('?page=2&page_size=5')
    expect(ids(second)).toEqual(ids(await list('?offset=5&limit=5')))
    expect(second.meta).toMatchObject({ current_page: 2, previous_page: 1, next_page: 3, current_offset: 5 })
  })

  test('a cursor of another search is refused', async () => {
    const { meta } = await list('?first=1')
    const other = await app.search({ check_out: app.day(44) })
    const answer = await app.get(
      `/api/accommodation_searches/${other.search_id}/availability?first=1&after=${encodeURIComponent(String(meta.end_cursor))}`,
    )
    expect(answer.statusCode).toBe(422)
    expect(answer.json().meta.errors[0].field).toBe('after')
  })
})

describe('filters', () => {
  const cases: [string, string, string | number, (property: Summary) => boolean][] = [
    ['total_price', '<=', 1_000, ({ total_price }) => total_price <= 1_000],
    ['star_rating', '>=', 4, ({ star_rating }) => star_rating >= 4],
    ['guest_rating', '>', 4.2, ({ guest_ratings }) => guest_ratings.overall > 4.2],
    ['distance_km', '<', 0.5, ({ distance_km }) => distance_km < 0.5],
    ['free_cancellation', '==', 'true', ({ free_cancellation }) => Boolean(free_cancellation)],
    ['board', '==', 'breakfast', ({ board }) => board === 'breakfast'],
    ['board', '==', 'breakfast', ({ board }) => board === 'breakfast'],
    ['amenities', 'contains', 'spa', ({ amenities }) => amenities.includes('spa')],
    ['vendor_id', '==', 'hotelbeds', ({ vendor_id }) => vendor_id === 'hotelbeds'],
    ['name', '=~', 'hotel', ({ name }) => /hotel/i.test(name)],
  ]
  test.each(cases)('the filter %s %s %s returns exactly the matching properties', async (field, op, value, matches) => {
    const page = await list(`?limit=1000&${filter(field, op, value)}`)
    expect(ids(page)).toEqual(ids({ data: search.availability.filter(matches) }))
    expect(page.data.length).toBeGreaterThan(0)
    expect(page.data.length).toBeLessThan(search.availability.length)
  })

  test('operators that ignore case find a name in any spelling, and the others only the exact one', async () => {
    const named = search.availability.find(({ name }) => /[^\p{ASCII}]/u.test(name))
    expect(named).toBeDefined()
    const name = named?.name ?? ''
    const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toUpperCase()
    const found = async (op: string, value: string) => ids(await list(`?${filter('name', op, value)}&limit=1000`))
    for (const value of [name, plain, name.toLowerCase()]) {
      for (const op of ['=~', 'ilike', 'starts_with', 'ends_with', 'ilike_and'])
        expect(await found(op, value), `${op} ${value}`).toContain(named?.property_id)
      expect(await found('not_ilike', value)).not.toContain(named?.property_id)
    }
    for (const op of ['==', 'like', 'like_and', '<=', '>='])
      expect(await found(op, name), op).toContain(named?.property_id)
    for (const op of ['==', 'like', 'like_and']) {
      expect(await found(op, plain), op).toEqual([])
      expect(await found(op, name.toLowerCase()), op).toEqual([])
    }
    const several = (value: string) =>
      list(`?filters[0][field]=name&filters[0][op]=in&filters[0][value][]=${encodeURIComponent(value)}`)
    expect(ids(await several(name))).toContain(named?.property_id)
    expect(ids(await several(plain))).toEqual([])
    expect(await found('!=', name)).not.toContain(named?.property_id)
    expect(await found('!=', plain)).toContain(named?.property_id)
    expect(await found('not_like', name)).not.toContain(named?.property_id)
  })

  test.each(['!!!', '&', "'", '-', '. -'])('punctuation alone is matched literally: %s', async (signs) => {
    const having = search.availability.filter(({ name }) => name.includes(signs))
    expect(ids(await list(`?${filter('name', '=~', signs)}&limit=1000`))).toEqual(ids({ data: having }))
    expect(having.length).toBeLessThan(search.availability.length)
    const rest = await list(`?${filter('name', 'not_ilike', signs)}&limit=1`)
    expect(rest.meta.total_count).toBe(search.availability.length - having.length)
  })

  test('both notations of a filter are equivalent', async () => {
    expect(ids(await list('?filters[]=vendor_id:==<hotelbeds'))).toEqual(
      ids(await list(`?${filter('vendor_id', '==', 'hotelbeds')}`)),
    )
  })

  test.each([
    ['first=0', 'first'],
    ['first=1e9', 'first'],
    ['first=5&last=5', 'first'],
    ['first=2&after=garbage', 'after'],
    ['order_by[]=password', 'order_by'],
    [filter('star_rating', 'drop table', '3'), 'filters[0]'],
    [filter('secret', '==', '3'), 'filters[0]'],
    [filter('star_rating', '==', 'many'), 'filters[0]'],
  ])('the query %s is refused with 422, naming the field and returning the parameters', async (query, field) => {
    const answer = await app.get(`/api/accommodation_searches/${search.search_id}/availability?${query}`)
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(422)
    const { data, meta } = answer.json<Page>()
    expect(data).toEqual([])
    expect(meta.errors.map((error) => error.field).join(' ')).toContain(field)
    expect(Object.keys(meta.params as object).length).toBeGreaterThan(0)
  })
})

describe('facets', () => {
  test('each facet equals the number of properties that its filter returns', async () => {
    const { meta } = await list('?limit=1')
    const { stars, amenities, price } = meta.facets
    const count = async (query: string) => (await list(`?limit=1&${query}`)).meta.total_count
    for (const { slug, count: expected } of amenities)
      expect(await count(filter('amenities', 'contains', slug))).toBe(expected)
    for (const [star, expected] of Object.entries(stars)) {
      const to = `filters[1][field]=star_rating&filters[1][op]=<&filters[1][value]=${Number(star) + 1}`
      expect(await count(`${filter('star_rating', '>=', star)}&${to}`)).toBe(expected)
    }
    expect(Object.values(stars).reduce((sum, count) => sum + count, 0)).toBe(search.availability.length)
    for (const { from, to, count: expected } of price.bars.slice(0, -1)) {
      const below = `filters[1][field]=total_price&filters[1][op]=<&filters[1][value]=${to}`
      expect(await count(`${filter('total_price', '>=', from)}&${below}`)).toBe(expected)
    }
  })

  test('the price bars cover every property, with whole numbers as bounds', async () => {
    const { price } = (await list('?limit=1')).meta.facets
    expect(price.bars.reduce((sum, bar) => sum + bar.count, 0)).toBe(search.availability.length)
    for (const [index, bar] of price.bars.entries()) {
      expect([Number.isInteger(bar.from), Number.isInteger(bar.to)]).toEqual([true, true])
      expect(bar.from).toBe(price.bars[index - 1]?.to ?? price.min)
    }
    expect(price.bars.at(-1)?.to).toBeGreaterThanOrEqual(price.max)
  })

  test('the facets describe the whole search, whatever the page and its filters', async () => {
    const { meta } = await list(`?limit=1&${filter('star_rating', '>=', 5)}`)
    expect(meta.facets).toEqual((await list()).meta.facets)
  })
})
