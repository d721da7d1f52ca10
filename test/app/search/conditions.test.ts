import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SearchApp, searchApp, searchUntilComplete } from '../../support/app/search-app.ts'

const PATH = '/api/accommodation_searches/search'

let app: SearchApp
beforeAll(async () => {
  app = await searchApp()
  await searchUntilComplete(app)
})
afterAll(() => app.close())

const stay = () => ({ check_in: app.day(40), check_out: app.day(42) })
const post = (fields: object, query = '') => app.post({ ...stay(), ...fields }, { url: `${PATH}${query}` })

describe('conditions of a search', () => {
  test('the result has only properties with a rate that meets them, at its price, and the response repeats them', async () => {
    const all = await app.search(stay())
    const conditions = { free_cancellation: true, boards: ['breakfast'] }
    const found = await app.search({ ...stay(), conditions })
    expect(all.conditions).toEqual({})
    expect(found.conditions).toEqual(conditions)
    expect(found.vendors.map(({ status }) => status)).toEqual(found.vendors.map(() => 'ok'))
    expect(found.availability.length).toBeGreaterThan(0)
    expect(found.availability.length).toBeLessThan(all.availability.length)
    for (const { board, free_cancellation, total_price } of found.availability) {
      expect(board).toBe('breakfast')
      expect(free_cancellation?.total_price).toBe(total_price)
    }
  })

  test('the detail lists all rooms, says which meet them, and shows the price of the cheapest of those', async () => {
    const conditions = { boards: ['breakfast'] }
    const found = await app.search({ ...stay(), conditions })
    let others = 0
    for (const { property_id, total_price } of found.availability.slice(0, 10)) {
      const { available_rooms: rooms, overview } = (await app.detail(found.search_id, property_id)).json().accommodation
      for (const room of rooms) expect(room.meets_conditions).toBe(room.board === 'breakfast')
      others += rooms.filter((room: { meets_conditions: boolean }) => !room.meets_conditions).length
      expect(overview.total_price).toBe(total_price)
    }
    expect(others).toBeGreaterThan(0)
  })

  test('without conditions, every room meets them', async () => {
    const { search_id, availability } = await app.search(stay())
    const detail = await app.detail(search_id, availability[0]?.property_id ?? '')
    const rooms: { meets_conditions: boolean }[] = detail.json().accommodation.available_rooms
    expect(rooms.map(({ meets_conditions }) => meets_conditions)).toEqual(rooms.map(() => true))
  })

  test('`false` and null are no conditions', async () => {
    expect(
      (await app.search({ ...stay(), conditions: { free_cancellation: false, boards: null } })).conditions,
    ).toEqual({})
  })

  test('an unknown member is ignored with a warning that suggests the known one', async () => {
    const { warnings, conditions } = await app.search({ ...stay(), conditions: { bords: ['breakfast'] } })
    expect(conditions).toEqual({})
    expect(warnings).toContain('`conditions.bords` was ignored; did you mean `boards`?')
  })

  test.each([
    [{ boards: ['brunch'] }, 'conditions.boards[0]', 'unknown_board'],
    [{ boards: [] }, 'conditions.boards', 'unknown_board'],
    [{ free_cancellation: 'yes' }, 'conditions.free_cancellation', 'wrong_type'],
    ['free', 'conditions', 'wrong_type'],
  ])('invalid conditions are refused with the field: %j', async (conditions, field, code) => {
    const answer = await post({ conditions })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toMatchObject([{ field, code }])
  })
})

describe('the first page of a search', () => {
  test('has the requested size, `meta` like the list of the saved search, and its next page is in that list', async () => {
    const query = '?page_size=5&order_by[]=total_price&filters[]=star_rating:>=<3'
    const { data, meta } = (await post({}, query)).json()
    const list = `/api/accommodation_searches/${data.search_id}/availability${query}`
    const first = (await app.get(list)).json()
    expect(data.availability).toHaveLength(5)
    expect(data.availability).toEqual(first.data)
    const { search: _search, ...listed } = first.meta
    expect(meta).toEqual(listed)
    expect(meta).toMatchObject({ current_page: 1, next_page: 2, page_size: 5 })
    const second = (await app.get(`${list}&page=${meta.next_page}`)).json()
    expect(second.data.length).toBeGreaterThan(0)
    const ids = new Set(data.availability.map(({ property_id }: { property_id: string }) => property_id))
    for (const { property_id } of second.data) expect(ids.has(property_id)).toBe(false)
  })

  test('without a size the response is whole and has no `meta`, and filters are reported as ignored', async () => {
    const { data, meta } = (await post({}, '?filters[]=star_rating:>=<5')).json()
    expect(meta).toBeUndefined()
    expect(data.availability).toHaveLength((await app.search(stay())).availability.length)
    expect(data.warnings).toEqual(['`filters` was ignored because neither `page_size` nor `limit` was sent'])
  })

  test.each([
    ['?page_size=0', 'page_size'],
    ['?limit=many', 'limit'],
    ['?page_size=5&filters[]=stars:>=<3', 'filters[0][field]'],
  ])('invalid parameters are refused with the field: %s', async (query, field) => {
    const answer = await post({}, query)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toMatchObject([{ field }])
  })
})
