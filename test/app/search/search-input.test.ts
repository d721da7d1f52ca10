import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp, testLocations } from '../../support/app/app.ts'
import { findLocationId } from '../../support/app/search-app.ts'
import { manualClock } from '../../support/time/clock.ts'

const NOW = Date.parse('2027-01-15T12:00:00Z')
const url = '/api/accommodation_searches/search'

let app: TestApp
let token = ''
const clock = manualClock(NOW)
beforeAll(async () => {
  const unlimited = { quota: 1e9, windowMs: 60_000 }
  app = await testApp(
    { allowances: { account: unlimited, address: unlimited, signInsPerAddress: unlimited, signInsPerPair: unlimited } },
    { clock, locations: testLocations() },
  )
  token = await app.signIn()
})
afterAll(() => app.close())

const validRequest = () => ({
  destination_id: findLocationId('Paris'),
  check_in: '2027-02-10',
  check_out: '2027-02-12',
  occupancies: [{ adults: 2 }],
})
const post = (payload: unknown, path = url) =>
  app.as(token, {
    method: 'POST',
    url: path,
    payload: JSON.stringify(payload),
    headers: { 'content-type': 'application/json' },
  })
const readErrors = async (fields: Record<string, unknown>) => {
  const answer = await post({ ...validRequest(), ...fields })
  expect(answer.statusCode, answer.body).toBe(422)
  expect(answer.headers['content-type']).toContain('application/problem+json')
  const { code, errors } = answer.json<{ code: string; errors: { field: string; code: string; message: string }[] }>()
  expect(code).toBe('invalid_request')
  for (const { message } of errors) expect(message).toMatch(/^[^\n]{10,300}$/)
  return errors.map((error) => `${error.field} ${error.code}`)
}
const BOX = { south: 48.83, west: 2.29, north: 48.88, east: 2.39 }
const rooms = (count: number) => Array.from({ length: count }, () => ({ adults: 1 }))
const age = (value: unknown) => ({ occupancies: [{ adults: 1, children_ages: [value] }] })

test('an error that is left out because of many others does not make the request fail', async () => {
  const occupancies = Array.from({ length: 8 }, () => ({ adults: 'two', children_ages: Array(6).fill('young') }))
  expect(await readErrors({ occupancies, vendors: 5 })).toHaveLength(50)
})

test('the valid request that the other tests vary returns 200', async () => {
  expect((await post(validRequest())).statusCode).toBe(200)
})

test.each(['customer_ip', 'currency', 'language', 'country_code', 'radius_km', 'area', 'vendors', 'timeout_ms'])(
  '%s: null means the same as an omitted field',
  async (field) => {
    const answer = await post({ ...validRequest(), [field]: null })
    expect(answer.statusCode, answer.body).toBe(200)
    const left = (await post(validRequest())).json().data
    const { search_id: _one, ...data } = answer.json().data
    const { search_id: _other, ...expected } = left
    expect(data).toEqual(expected)
  },
)

test('children_ages: null means no children', async () => {
  const answer = await post({ ...validRequest(), occupancies: [{ adults: 2, children_ages: null }] })
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json().data.occupancies).toEqual([{ adults: 2, children_ages: [] }])
})

describe('invalid requests', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['a check-in in the past', { check_in: '2027-01-14', check_out: '2027-01-20' }, 'check_in check_in_in_the_past'],
    [
      'a check-in in another century',
      { check_in: '1999-01-01', check_out: '1999-01-02' },
      'check_in check_in_in_the_past',
    ],
    ['a check-in 501 days ahead', { check_in: '2028-05-31', check_out: '2028-06-02' }, 'check_in check_in_too_far'],
    ['check-out before check-in', { check_out: '2027-02-09' }, 'check_out check_out_not_after_check_in'],
    ['check-out on the same day', { check_out: '2027-02-10' }, 'check_out check_out_not_after_check_in'],
    ['29 nights', { check_out: '2027-03-11' }, 'check_out too_many_nights'],
    ['0 adults', { occupancies: [{ adults: 0 }] }, 'occupancies[0].adults too_few_adults'],
    ['−1 adults', { occupancies: [{ adults: -1 }] }, 'occupancies[0].adults too_few_adults'],
    ['15 adults', { occupancies: [{ adults: 15 }] }, 'occupancies[0].adults too_many_adults'],
    ['1.5 adults', { occupancies: [{ adults: 1.5 }] }, 'occupancies[0].adults wrong_type'],
    ['adults as text', { occupancies: [{ adults: '2' }] }, 'occupancies[0].adults wrong_type'],
    ['no adults', { occupancies: [{}] }, 'occupancies[0].adults required'],
    ['a room that is a number', { occupancies: [2] }, 'occupancies[0] wrong_type'],
    ['a room that is null', { occupancies: [null] }, 'occupancies[0] wrong_type'],
    ['no room', { occupancies: [] }, 'occupancies too_few_rooms'],
    ['9 rooms', { occupancies: rooms(9) }, 'occupancies too_many_rooms'],
    ['rooms as an object', { occupancies: { adults: 2 } }, 'occupancies wrong_type'],
    ['a child of 18', age(18), 'occupancies[0].children_ages[0] child_age_out_of_range'],
    ['a child of −1', age(-1), 'occupancies[0].children_ages[0] child_age_out_of_range'],
    ['a child of 7.5', age(7.5), 'occupancies[0].children_ages[0] wrong_type'],
    ['a child of "7"', age('7'), 'occupancies[0].children_ages[0] wrong_type'],
    ['a child of 1e300', age(1e300), 'occupancies[0].children_ages[0] child_age_out_of_range'],
    [
      '7 children',
      { occupancies: [{ adults: 1, children_ages: [1, 2, 3, 4, 5, 6, 7] }] },
      'occupancies[0].children_ages too_many_children',
    ],
    ['ages as a number', { occupancies: [{ adults: 1, children_ages: 7 }] }, 'occupancies[0].children_ages wrong_type'],
    ['an unknown currency', { currency: 'XYZ' }, 'currency unknown_currency'],
    ['a currency in lower case', { currency: 'eur' }, 'currency unknown_currency'],
    ['a currency named like an object method', { currency: 'toString' }, 'currency unknown_currency'],
    ['the address 999.1.1.1', { customer_ip: '999.1.1.1' }, 'customer_ip not_an_ip_address'],
    ['an address with a port', { customer_ip: '192.0.2.1:80' }, 'customer_ip not_an_ip_address'],
    ['the date 2027-02-30', { check_in: '2027-02-30', check_out: '2027-03-02' }, 'check_in not_a_date'],
    ['a date with a time', { check_in: '2027-02-10T00:00:00Z' }, 'check_in not_a_date'],
    ['a date with a one-digit month', { check_in: '2027-2-1' }, 'check_in not_a_date'],
    ['month 13', { check_out: '2027-13-01' }, 'check_out not_a_date'],
    ['a date as a number', { check_in: 20270210 }, 'check_in wrong_type'],
    ['a date that is null', { check_out: null }, 'check_out required'],
    ['a destination that is not an id', { destination_id: 'paris' }, 'destination_id wrong_format'],
    ['a destination that is a number', { destination_id: 7 }, 'destination_id wrong_format'],
    ['a radius of 0', { radius_km: 0 }, 'radius_km out_of_range'],
    ['a radius of 101', { radius_km: 101 }, 'radius_km out_of_range'],
    ['a radius as text', { radius_km: '5' }, 'radius_km out_of_range'],
    ['an area as text', { area: 'Paris' }, 'area wrong_type'],
    ['an area without an east side', { area: { south: 48, west: 2, north: 49 } }, 'area.east required'],
    ['an area beyond the pole', { area: { ...BOX, north: 91 } }, 'area.north out_of_range'],
    ['an area beyond the 180th meridian', { area: { ...BOX, east: 181 } }, 'area.east out_of_range'],
    ['an area with a side as text', { area: { ...BOX, west: '2.3' } }, 'area.west out_of_range'],
    ['an area upside down', { area: { ...BOX, south: 48.9, north: 48.8 } }, 'area.north not_north_of_south'],
    ['an area without height', { area: { ...BOX, south: 48.9, north: 48.9 } }, 'area.north not_north_of_south'],
    ['an area without width', { area: { ...BOX, west: 2.3, east: 2.3 } }, 'area.east not_east_of_west'],
    ['an area of one building', { area: { south: 48.8, west: 2.3, north: 48.801, east: 2.301 } }, 'area out_of_range'],
    ['an area of a country', { area: { south: 42, west: -4, north: 51, east: 8 } }, 'area out_of_range'],
    ['an area around the whole earth', { area: { ...BOX, west: 2.4, east: 2.3 } }, 'area out_of_range'],
    ['a timeout of 499 ms', { timeout_ms: 499 }, 'timeout_ms out_of_range'],
    ['a timeout of 15,001 ms', { timeout_ms: 15_001 }, 'timeout_ms out_of_range'],
    ['an unknown vendor', { vendors: ['acme'] }, 'vendors unknown_vendor'],
    ['no vendor', { vendors: [] }, 'vendors unknown_vendor'],
    ['vendors as text', { vendors: 'hotelbeds' }, 'vendors unknown_vendor'],
    ['a language that is not a tag', { language: 'english, please' }, 'language wrong_format'],
    ['an overlong language', { language: `en${'-abcdefgh'.repeat(4)}` }, 'language wrong_format'],
    ['a country in lower case', { country_code: 'fr' }, 'country_code wrong_format'],
    ['an unknown country', { country_code: 'ZZ' }, 'country_code wrong_format'],
  ])('a request with %s is refused with its own error code', async (_, fields, expected) => {
    expect(await readErrors(fields)).toEqual([expected])
  })

  test.each(['destination_id', 'check_in', 'check_out', 'occupancies'])(
    'a request without %s is refused',
    async (field) => {
      expect(await readErrors({ [field]: undefined })).toEqual([`${field} required`])
    },
  )

  test.each<[string, unknown]>([
    ['a list', []],
    ['a text', 'x'],
    ['a number', 1],
    ['null', null],
  ])('a body that is %s is refused', async (_, body) => {
    const answer = await post(body)
    expect(answer.json()).toMatchObject({ status: 422, errors: [{ field: 'body', code: 'wrong_type' }] })
  })

  test('an error lists everything that is wrong, including the date at the destination', async () => {
    const fields = {
      check_in: '2027-01-01',
      check_out: '2026-12-31',
      occupancies: [{ adults: 0, children_ages: [18, -1, 7.5] }, { adults: 2 }, 'room'],
      currency: 'XYZ',
      customer_ip: '999.1.1.1',
      timeout_ms: 1,
    }
    expect(await readErrors(fields)).toEqual([
      'occupancies[0].adults too_few_adults',
      'occupancies[0].children_ages[0] child_age_out_of_range',
      'occupancies[0].children_ages[1] child_age_out_of_range',
      'occupancies[0].children_ages[2] wrong_type',
      'occupancies[2] wrong_type',
      'customer_ip not_an_ip_address',
      'currency unknown_currency',
      'timeout_ms out_of_range',
      'check_out check_out_not_after_check_in',
      'check_in check_in_in_the_past',
    ])
  })

  test('an unknown order is listed together with the invalid fields of the body', async () => {
    const answer = await post({ ...validRequest(), currency: 'XYZ' }, `${url}?order_by[]=password`)
    expect(answer.json().errors.map(({ field }: { field: string }) => field)).toEqual(['order_by', 'currency'])
    expect((await post(validRequest(), `${url}?order_by[]=total_price&order_directions[]=sideways`)).statusCode).toBe(
      422,
    )
  })

  test('a thousand invalid ages get a short response', async () => {
    const answer = await post({
      ...validRequest(),
      occupancies: rooms(8).map((room) => ({ ...room, children_ages: Array(1_000).fill(99) })),
    })
    expect(answer.statusCode).toBe(422)
    expect(answer.body.length).toBeLessThan(50_000)
  })
})

describe('limits of a request', () => {
  test.each<[string, Record<string, unknown>]>([
    ['a check-in today', { check_in: '2027-01-15', check_out: '2027-01-16' }],
    ['a check-in 500 days ahead', { check_in: '2028-05-29', check_out: '2028-05-30' }],
    ['28 nights', { check_out: '2027-03-10' }],
    ['8 rooms', { occupancies: rooms(8) }],
    ['14 adults and 6 children', { occupancies: [{ adults: 14, children_ages: [0, 17, 1, 2, 3, 4] }] }],
    ['an empty list of ages', { occupancies: [{ adults: 2, children_ages: [] }] }],
    ['an IPv6 address', { customer_ip: '2001:db8::1' }],
    ['a language in another case', { language: 'EN-us' }],
    ['a check-in on 29 February', { check_in: '2028-02-29', check_out: '2028-03-01' }],
    ['the shortest timeout and radius', { timeout_ms: 500, radius_km: 0.5 }],
    ['the longest timeout and radius', { timeout_ms: 15_000, radius_km: 100 }],
  ])('a request with %s is accepted', async (_, fields) => {
    const answer = await post({ ...validRequest(), ...fields })
    expect(answer.statusCode, answer.body).toBe(200)
  })
})

describe('the date at the destination', () => {
  const searchAt = async (instant: string, town: string, checkIn: string) => {
    clock.advance(Date.parse(instant) - clock.now())
    const fields = { destination_id: findLocationId(town), check_in: checkIn, check_out: '2027-01-20' }
    const answer = await post({ ...validRequest(), ...fields })
    clock.advance(NOW - clock.now())
    return answer.statusCode
  }
  test('in Auckland, where it is already tomorrow, today in UTC is refused', async () => {
    expect(await searchAt('2027-01-15T12:00:00Z', 'Auckland', '2027-01-15')).toBe(422)
    expect(await searchAt('2027-01-15T12:00:00Z', 'Auckland', '2027-01-16')).toBe(200)
    expect(await searchAt('2027-01-15T10:59:00Z', 'Auckland', '2027-01-15')).toBe(200)
  })
  test('in Honolulu, where it is still yesterday, yesterday in UTC is accepted', async () => {
    expect(await searchAt('2027-01-15T05:00:00Z', 'Honolulu', '2027-01-14')).toBe(200)
    expect(await searchAt('2027-01-15T05:00:00Z', 'Paris', '2027-01-14')).toBe(422)
    expect(await searchAt('2027-01-15T10:01:00Z', 'Honolulu', '2027-01-14')).toBe(422)
  })
})

describe('the destination', () => {
  test('an unknown destination returns 404', async () => {
    const answer = await post({ ...validRequest(), destination_id: '00000000-0000-4000-8000-000000000000' })
    expect(answer.json()).toMatchObject({ status: 404, code: 'location_not_found' })
  })

  test.each(['France', 'Australia', 'United States', 'California'])(
    'the destination %s is too large (422), and the error suggests smaller ones',
    async (name) => {
      const [place] = testLocations()
        .search(name, 10)
        .filter(({ type }) => type === 'country' || type === 'region')
      const answer = await post({ ...validRequest(), destination_id: place?.id })
      expect(answer.json()).toMatchObject({ status: 422, code: 'location_too_large' })
      const choices = answer.json<{ choose_instead: { id: string; name: string; type: string }[] }>().choose_instead
      expect(choices.length).toBeGreaterThan(2)
      for (const choice of choices) expect(choice.name).toMatch(new RegExp(`, ${place?.name}$`))
      const again = await post({ ...validRequest(), destination_id: choices[0]?.id })
      expect(again.statusCode).toBe(200)
    },
  )

  test('a country can be searched around its centre with an explicit radius', async () => {
    const [france] = testLocations()
      .search('France', 10)
      .filter(({ type }) => type === 'country')
    expect((await post({ ...validRequest(), destination_id: france?.id, radius_km: 50 })).statusCode).toBe(200)
  })
})
