import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import {
  type SearchAnswer,
  type SearchApp,
  type Summary,
  searchApp,
  searchUntilComplete,
} from '../../support/app/search-app.ts'

const PROPERTIES = 12
let app: SearchApp
let germanSearch: SearchAnswer
const shown: { german: Detail; english: Detail }[] = []
beforeAll(async () => {
  app = await searchApp({ search: { reuseMs: 0, savedTtlMs: 3_600_000, detailTimeoutMs: 8_000, propertiesMax: 200 } })
  germanSearch = await searchUntilComplete(app, { language: 'de-DE' })
  const properties = germanSearch.availability.slice(0, PROPERTIES)
  // On a busy machine the texts may arrive only in time for the second request.
  for (const query of ['&language=en', '']) for (const property of properties) await fetchDetail(property, query)
  for (const property of properties)
    shown.push({ german: await fetchDetail(property), english: await fetchDetail(property, '&language=en-GB') })
})
afterAll(() => app.close())

type Language = { languages: { name: string; description: string; amenities: string } }
type Room = Language & {
  name: string
  room_type_name: string
  description: string
  vendor_id: string
  room_id: string
  beds: string[]
  bed_types: unknown[][]
  fees: { label: string; label_code: string | null }[]
  notices: { text: string; language: string | null }[]
  booking_info: { price_check_uri: string }
}
type Detail = {
  overview: {
    name: string
    description: string
    languages: Record<string, string>
    category_code: string
    popular_amenities: Record<string, string[]>
    amenity_groups: Record<string, string>
    amenities: string[]
  }
  available_rooms: Room[]
  room_types: { room_type_id: string; name: string; language: string; rooms: number[] }[]
}

async function fetchDetail(property: Summary, query = '', search = germanSearch): Promise<Detail> {
  const url = `/api/accommodation_searches/accommodation?search_id=${search.search_id}&property_id=${property.property_id}${query}`
  const answer = await app.get(url)
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return answer.json().accommodation
}
const germanDetails = () => shown.map(({ german }) => german)

describe('a search in German', () => {
  test('descriptions, rooms and notices are in German if a vendor has them, each marked with its language', () => {
    const all = germanDetails()
    const german = all.filter(({ overview }) => overview.languages.description === 'de')
    expect(german.length / all.length).toBeGreaterThan(0.7)
    for (const { overview } of german) expect(overview.description).toMatch(/ (der|die|das|und|ist|liegt) /)
    // LiteAPI and a new vendor may have no German texts.
    const rooms = all
      .flatMap(({ available_rooms }) => available_rooms)
      .filter(
        ({ description, vendor_id }) =>
          description !== '' && ['expedia_rapid', 'hotelbeds', 'liteapi'].includes(vendor_id),
      )
    const described = rooms.filter(({ languages }) => languages.description === 'de')
    expect(described.length).toBeGreaterThan(rooms.length / 2)
    for (const { description } of described) expect(description).toMatch(/ m² mit | /)
    expect(rooms.flatMap(({ notices }) => notices).some(({ language }) => language === 'de')).toBe(true)
    const types = all.flatMap(({ room_types }) => room_types)
    expect(types.filter(({ language }) => language === 'de').some(({ name }) => /zimmer/i.test(name))).toBe(true)
  })

  test('texts are in English and marked as such if no vendor has German', () => {
    const all = germanDetails()
    const rooms = all.flatMap(({ available_rooms }) => available_rooms)
    const inEnglish = rooms.filter(({ languages }) => languages.description === 'en')
    expect(inEnglish.length).toBeGreaterThan(0)
    // Rates of LiteAPI are only in English.
    for (const { languages } of rooms.filter(({ vendor_id }) => vendor_id === 'liteapi'))
      expect(languages.name).toBe('en')
  })

  test('beds, fees, groups of amenities and kinds of properties have codes, and most amenities are in German', () => {
    const all = germanDetails()
    const rooms = all.flatMap(({ available_rooms }) => available_rooms)
    const beds = rooms.flatMap((room) => room.beds.map((text, place) => [text, room.bed_types[place] ?? []] as const))
    expect(beds.length).toBeGreaterThan(0)
    expect(beds.filter(([, types]) => types.length === 0)).toEqual([])
    const fees = rooms.flatMap((room) => room.fees)
    expect(fees.filter(({ label_code }) => label_code === null)).toEqual([])
    for (const { overview } of all) {
      expect(Object.keys(overview.amenity_groups)).toEqual(Object.keys(overview.popular_amenities))
      expect(overview.category_code).toMatch(/^[a-z_]+$/)
      expect(overview.amenities.length).toBeGreaterThan(0)
    }
    const german = all.filter(({ overview }) => overview.languages.popular_amenities === 'de')
    expect(german.length / all.length).toBeGreaterThan(0.8)
  })

  test('places have names in the requested language', async () => {
    const find = async (text: string) =>
      (await app.get(`/api/locations/search?starts_with=${text}&first=1&language=de-AT`)).json().data[0]
    expect(await find('Vienna')).toMatchObject({ name: 'Wien, Österreich' })
    expect(await find('Wien')).toEqual(await find('Vienna'))
    expect(germanSearch.location.name.split(', ').at(-1)).toBe('Schweiz')
    const refused = await app.get('/api/locations/search?starts_with=Vienna&language=Deutsch!')
    expect([refused.statusCode, refused.json().meta.errors[0].field]).toEqual([422, 'language'])
  })

  test('rooms have the same room types as in an English search', () => {
    const mapRoomTypes = ({ available_rooms, room_types }: Detail) =>
      new Map(
        room_types.flatMap(({ room_type_id, rooms }) =>
          rooms.flatMap((index) => {
            const room = available_rooms[index]
            return room === undefined || room.name.includes(' + ')
              ? []
              : [[`${room.vendor_id} ${room.room_id}`, room_type_id]]
          }),
        ),
      )
    expect(shown).toHaveLength(PROPERTIES)
    for (const { german, english } of shown) {
      expect(english.overview.languages).toEqual({ description: 'en', bye_line: 'en', popular_amenities: 'en' })
      expect(english.overview.name).toBe(german.overview.name)
      const ids = mapRoomTypes(english)
      for (const [key, id] of mapRoomTypes(german)) if (!key.endsWith(' ')) expect(ids.get(key) ?? id, key).toBe(id)
    }
  })

  test('each vendor is asked for a property’s texts once', async () => {
    const [property] = germanSearch.availability
    if (property === undefined) throw new Error('No property was found.')
    await fetchDetail(property)
    app.traffic.reset()
    await fetchDetail(property)
    const calls = STAND_IN_IDS.flatMap((id) => app.traffic.calls(id))
    expect(calls.length).toBeGreaterThan(0)
    expect(calls.filter((call) => /content|\/data\//.test(call))).toEqual([])
  })

  test('a checked room keeps its texts, and an unsupported language falls back to English', async () => {
    const [property] = germanSearch.availability
    if (property === undefined) throw new Error('No property was found.')
    const [room] = (await fetchDetail(property)).available_rooms
    const checked = (await app.get(room?.booking_info.price_check_uri ?? '')).json().data
    expect(checked.room).toMatchObject({
      name: room?.name,
      room_type_name: room?.room_type_name,
      description: room?.description,
      languages: room?.languages,
    })
    const french = await fetchDetail(property, '&language=fr')
    expect(french.overview.languages.description).toBe('en')
  })

  test('a language that is not a BCP 47 tag is refused (422)', async () => {
    const url = `/api/accommodation_searches/accommodation?search_id=${germanSearch.search_id}&property_id=prp_1&language=Deutsch!`
    const answer = await app.get(url)
    expect([answer.statusCode, answer.json().errors[0].field]).toEqual([422, 'language'])
  })
})
