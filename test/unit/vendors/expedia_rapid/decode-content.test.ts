import { describe, expect, test } from 'vitest'
import { clockTime, decodeContent, decodeRegionIds } from '../../../../src/vendors/expedia_rapid/decode-content.ts'
import { sample } from './samples.ts'

const property = { property_id: '7', name: 'Inn', location: { coordinates: { latitude: 1, longitude: 2 } } }
const decodeOne = (more: object) => decodeContent({ '7': { ...property, ...more } }).properties[0]

describe('content', () => {
  test.each([
    ['getPropertyContent.200.single-property-example', 1, 0],
    ['getPropertyContent.200.single-property-vrbo-example', 1, 0],
    ['getPropertyContent.200.multiple-properties-example', 2, 0],
    ['getPropertyContent.200.no-properties-example', 0, 0],
    // Asked without a location, which our own calls always ask for.
    ['getPropertyContent.200.multiple-properties-with-include-name-and-ratings', 0, 2],
  ])('%s', (name, properties, dropped) => {
    const page = decodeContent(sample(name))
    expect([page.properties.length, page.dropped]).toEqual([properties, dropped])
  })

  test('a hotel is read whole', () => {
    expect(decodeContent(sample('getPropertyContent.200.single-property-example')).properties[0]).toMatchObject({
      vendorId: 'expedia_rapid',
      vendorPropertyId: '12345',
      name: 'Test Property Name',
      byeLine: 'Near National Museum of Natural Science',
      category: 'Hotel',
      chain: 'Hyatt Place',
      starRating: 3.5,
      guestRatings: {
        overall: 3.1,
        cleanliness: 4.2,
        service: 1.1,
        comfort: 4.3,
        condition: 1.6,
        amenities: 1.4,
        count: 48382,
      },
      reviewCount: 48382,
      location: { lat: 37.158451, lon: -93.268382 },
      address: {
        line1: '123 Main St',
        line2: 'Apt A',
        city: 'Springfield',
        region: 'Missouri',
        postalCode: '65804',
        countryCode: 'US',
      },
      phone: '+14178620153',
      amenitySlugs: ['indoor_pool', 'fitness', 'pets'],
      amenitiesByCategory: { Other: ['Fitness facilities', 'Number of indoor pools - 10'] },
      checkInTime: '15:00',
      checkOutTime: '11:00',
      rooms: [
        {
          id: '224829',
          name: 'Single Room',
          squareMeters: 20,
          squareFeet: 215,
          sleeps: 5,
          beds: ['1 King Bed'],
          amenities: { '130': { id: '130', name: 'Refrigerator' } },
          description: expect.stringMatching(/^<p>2 Twin Beds<br>/),
        },
      ],
    })
  })

  test('a house whose address must be hidden shows its town and a blurred point only', () => {
    expect(decodeContent(sample('getPropertyContent.200.single-property-vrbo-example')).properties[0]).toMatchObject({
      location: { lat: 38.247296, lon: -92.912563 },
      address: { line1: '', line2: '', city: 'Springfield', region: 'Missouri', postalCode: '', countryCode: 'US' },
      phone: '',
      chain: '',
    })
    const hidden = {
      location: { coordinates: { latitude: 48.123456, longitude: 2.987654 }, obfuscation_required: true },
    }
    expect(decodeOne(hidden)?.location).toEqual({ lat: 48.12, lon: 2.99 })
  })

  test('pictures fall back to the nearest size there is', () => {
    const [image] = decodeOne({ images: sample('x.images.all-sizes') })?.images ?? []
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

  test('amenities are grouped by category, and a count of none is none', () => {
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

  test('"pets not allowed" is no pets', () => {
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
  ])('a house that cannot be shown is dropped and counted: %j', (bad) => {
    expect(decodeContent({ a: bad, '7': property })).toMatchObject({
      dropped: 1,
      properties: [{ vendorPropertyId: '7' }],
    })
  })

  test('prototype keys reach no prototype', () => {
    const body = JSON.parse(
      '{"__proto__":{"polluted":1},"7":{"property_id":"7","name":"Inn","location":{"coordinates":{"latitude":1,"longitude":2}},"amenities":{"__proto__":{"id":"__proto__","name":"Evil"}},"rooms":{"1":{"id":"__proto__","name":"R","amenities":{"x":{"id":"constructor","name":"C"}}}}}}',
    )
    const [read] = decodeContent(body).properties
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(read?.amenitiesByCategory).toEqual({})
    expect(read?.rooms[0]).toMatchObject({ id: '1', amenities: { x: { id: 'x', name: 'C' } } })
  })

  test.each([undefined, null, [], 'x'])('anything but a map is malformed: %j', (body) => {
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
])('%s is %s', (time, read) => {
  expect(clockTime(time)).toBe(read)
})

describe('regions', () => {
  test('property ids are gathered, each once', () => {
    expect(decodeRegionIds([{ property_ids: ['1', 2, null] }, { property_ids: ['1', '3'] }, {}, null])).toEqual([
      '1',
      '2',
      '3',
    ])
  })

  test.each(['getRegions.200.regions', 'getRegions.200.no-regions'])('%s is read', (name) => {
    expect(decodeRegionIds(sample(name))).toEqual([])
  })
})
