import { describe, expect, test } from 'vitest'
import type { ContentPage } from '../../../../src/vendors/contract.ts'
import { decodeContent, decodeGeography } from '../../../../src/vendors/expedia_rapid/content/decode.ts'
import { createExpediaRapid } from '../../../../src/vendors/expedia_rapid/index.ts'
import type { Call } from '../../../../src/vendors/transport/call.ts'
import { readClockTime } from '../../../../src/vendors/wire/read-time.ts'
import {
  contentAnswer,
  contentProperty,
  hiddenProperty,
  images,
  PROPERTY_ID,
} from '../../../support/vendors/expedia_rapid.ts'
import { clock, config, context, ORIGIN, scripted } from './scripted.ts'

const property = { property_id: '7', name: 'Inn', location: { coordinates: { latitude: 1, longitude: 2 } } }
const decodeOne = (more: object) => decodeContent({ '7': { ...property, ...more } }).properties[0]

describe('content', () => {
  test('every property of a page is decoded or counted as dropped', () => {
    const { location: _, ...unplaced } = contentProperty()
    const page = decodeContent(
      contentAnswer(
        contentProperty(),
        { ...hiddenProperty(), property_id: '70002' },
        { ...unplaced, property_id: '70003' },
      ),
    )
    expect([page.properties.length, page.dropped]).toEqual([2, 1])
    expect(decodeContent({})).toEqual({ properties: [], dropped: 0 })
  })

  test('a hotel is decoded with all its fields', () => {
    expect(decodeContent(contentAnswer(contentProperty())).properties[0]).toMatchObject({
      vendorId: 'expedia_rapid',
      vendorPropertyId: PROPERTY_ID,
      name: 'The Harbour Inn',
      byeLine: 'On the old quay',
      category: 'Hotel',
      chain: 'Harbour Inns',
      description: '<p>Two minutes from the ferry.</p><p>Twelve rooms, each with a view of the water.</p>',
      starRating: 3.5,
      guestRatings: {
        overall: 4.4,
        cleanliness: 4.5,
        service: 4.2,
        comfort: 4.3,
        condition: 4.1,
        amenities: 3.9,
        count: 1204,
      },
      reviewCount: 1204,
      location: { lat: 43.077123, lon: -70.757456 },
      address: {
        line1: '4 Quay Street',
        line2: 'Building B',
        city: 'Portsmouth',
        region: 'New Hampshire',
        postalCode: '03801',
        countryCode: 'US',
      },
      phone: '+16035550142',
      amenitySlugs: ['indoor_pool', 'fitness', 'pets'],
      amenitiesByCategory: { Other: ['Fitness facilities', 'Number of indoor pools - 1'] },
      checkInTime: '15:00',
      checkOutTime: '11:00',
      rooms: [
        {
          id: '8101',
          name: 'Harbour Room',
          squareMeters: 21,
          squareFeet: 226,
          sleeps: 3,
          beds: ['2 Twin Beds'],
          amenities: { '130': { id: '130', name: 'Refrigerator' } },
          description: '<p>2 twin beds<br>Looks over the harbour.</p>',
        },
      ],
    })
  })

  test('an obfuscated property shows only its town and a rounded location until it is booked', () => {
    expect(decodeContent(contentAnswer(hiddenProperty())).properties[0]).toMatchObject({
      location: { lat: 43.08, lon: -70.76 },
      address: { line1: '', line2: '', city: 'Portsmouth', region: 'New Hampshire', postalCode: '', countryCode: 'US' },
      phone: '',
      chain: '',
      afterBooking: {
        location: { lat: 43.077123, lon: -70.757456 },
        address: { line1: '4 Quay Street', city: 'Portsmouth', postalCode: '03801' },
        phone: '+16035550142',
      },
    })
    expect(decodeContent(contentAnswer(contentProperty())).properties[0]).not.toHaveProperty('afterBooking')
    const hidden = {
      location: { coordinates: { latitude: 48.123456, longitude: 2.987654 }, obfuscation_required: true },
    }
    expect(decodeOne(hidden)?.location).toEqual({ lat: 48.12, lon: 2.99 })
  })

  test('images fall back to the nearest available size', () => {
    const [image] = decodeOne({ images: images() })?.images ?? []
    expect([image?.hi, image?.med, image?.lo].map((address) => address?.slice(-6))).toEqual([
      '_z.jpg',
      '_b.jpg',
      '_s.jpg',
    ])
    const tiny = { hero_image: true, links: { '70px': { href: 'https://i/t.jpg' } } }
    expect(decodeOne({ images: [tiny] })?.images[0]).toMatchObject({
      hi: 'https://i/t.jpg',
      med: 'https://i/t.jpg',
      lo: 'https://i/t.jpg',
    })
    const evil = { links: { '70px': { href: 'javascript:alert(1)' }, '200px': { href: 'https://a"onerror=' } } }
    expect(decodeOne({ images: [evil, null, 3] })?.images).toEqual([])
  })

  test('amenities are grouped by category, and those with a count of zero are left out', () => {
    const amenities = {
      '9': { id: '9', name: 'Fitness facilities', categories: ['gym', 'free_access'] },
      '2820': { id: 2820, name: 'Number of indoor pools - 0', value: 0 },
      __proto__x: { name: 'Sauna' },
    }
    expect(decodeOne({ amenities })?.amenitiesByCategory).toEqual({
      Gym: ['Fitness facilities'],
      'Free access': ['Fitness facilities'],
      Other: ['Sauna'],
    })
  })

  test('"pets not allowed" does not set the pets amenity', () => {
    expect(
      decodeOne({ attributes: { pets: { '2050': { id: '2050', name: 'Pets not allowed' } } } })?.amenitySlugs,
    ).toEqual([])
  })

  test.each([
    null,
    { ...property, name: '<script>x</script>' },
    { ...property, location: { coordinates: { latitude: 91, longitude: 0 } } },
    { ...property, location: { coordinates: { latitude: '1', longitude: 2 } } },
    { ...property, property_id: '../x' },
  ])('an invalid property is dropped and counted: %j', (bad) => {
    expect(decodeContent({ a: bad, '7': property })).toMatchObject({
      dropped: 1,
      properties: [{ vendorPropertyId: '7' }],
    })
  })

  test('prototype keys do not pollute the prototype', () => {
    const body = JSON.parse(
      '{"__proto__":{"polluted":1},"7":{"property_id":"7","name":"Inn","location":{"coordinates":{"latitude":1,"longitude":2}},"amenities":{"__proto__":{"id":"__proto__","name":"Evil"}},"rooms":{"1":{"id":"__proto__","name":"R","amenities":{"x":{"id":"constructor","name":"C"}}}}}}',
    )
    const [read] = decodeContent(body).properties
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(read?.amenitiesByCategory).toEqual({})
    expect(read?.rooms[0]).toMatchObject({ id: '1', amenities: { x: { id: 'x', name: 'C' } } })
  })

  test.each([undefined, null, [], 'x'])('content that is not a map is malformed: %j', (body) => {
    expect(() => decodeContent(body)).toThrow(expect.objectContaining({ fault: 'malformed' }))
  })
})

test.each([
  ['3:00 PM', '15:00'],
  ['12:00 AM', '00:00'],
  ['12:30 pm', '12:30'],
  ['noon', '12:00'],
  ['midnight', '00:00'],
  ['15:00', '15:00'],
  ['3 PM', '15:00'],
  ['13:00 PM', ''],
  ['25:00', ''],
  ['anytime', ''],
  [3, ''],
])('the time %s is read as %s', (time, read) => {
  expect(readClockTime(time)).toBe(read)
})

describe('the properties of an area', () => {
  const inn = (id: string, lat: number) => ({
    property_id: id,
    name: `No. ${id}`,
    location: { coordinates: { latitude: lat, longitude: 2.35 } },
  })
  const circle = { center: { lat: 48.85, lon: 2.35 }, radiusKm: 10 }
  async function read(idsWithin: (call: Call) => readonly string[]) {
    const { send, calls } = scripted((call) => {
      if (call.operation === 'geography')
        return { body: Object.fromEntries(idsWithin(call).map((id) => [id, { property_id: id }])) }
      const ids = new URL(call.path, ORIGIN).searchParams.getAll('property_id')
      return { body: Object.fromEntries(ids.map((id) => [id, inn(id, id === '2' ? 50 : 48.86)])) }
    })
    const vendor = createExpediaRapid(config, { send, clock })
    const pages: ContentPage[] = []
    for await (const page of vendor.content({ kind: 'area', circle, limit: 100 }, context)) pages.push(page)
    return { pages, calls }
  }
  const readWidth = ({ body }: Call) => {
    const [ring = []] = (body as { coordinates: [number, number][][] }).coordinates
    const lats = ring.map(([, lat]) => lat)
    return Math.max(...lats) - Math.min(...lats)
  }

  test('an area is read as a polygon, without properties outside the circle', async () => {
    const { pages, calls } = await read(() => ['1', '2', '3'])
    expect(pages.flatMap(({ properties }) => properties.map(({ vendorPropertyId: id }) => id))).toEqual(['1', '3'])
    expect(pages[0]?.isCut).toBeUndefined()
    expect(calls.map(({ operation }) => operation)).toEqual(['geography', 'content'])
  })

  test('an area with many more properties than the limit is read in a smaller circle', async () => {
    const many = Array.from({ length: 251 }, (_, index) => String(index + 1))
    const { pages, calls } = await read((call) => (readWidth(call) > 0.15 ? many : ['1']))
    expect(calls.map(({ operation }) => operation)).toEqual(['geography', 'geography', 'content'])
    expect(pages).toMatchObject([{ isCut: true, properties: [{ vendorPropertyId: '1' }] }])
  })

  test('a geography response that is not a map is malformed', () => {
    expect(() => decodeGeography([])).toThrow('not a map')
    expect(decodeGeography({})).toEqual([])
  })
})
