import { expect, test } from 'vitest'
import type { VendorProperty } from '../../../../src/domain/property/property.ts'
import type { ContentPage, ContentQuery } from '../../../../src/vendors/contract.ts'
import type { Call } from '../../../../src/vendors/transport/call.ts'
import { TOO_LARGE, VendorError } from '../../../../src/vendors/vendor-error.ts'
import {
  codeLists,
  detailed,
  listed,
  listedToo,
  properties as pageOf,
  singleProperty,
} from '../../../support/vendors/hotelbeds.ts'
import { context, scripted } from './scripted.ts'

const NOW = '2027-01-10T12:00:00Z'
type Answer = { status?: number; body?: unknown }

/** Answers requests for code lists, and delegates those for properties. */
function library(properties: (call: Call) => Answer): (call: Call) => Answer {
  return (call) => {
    const list = /\/(?:types|locations)\/(\w+)\?/.exec(call.path)?.[1]
    return list === undefined ? properties(call) : { body: codeLists[list] }
  }
}
const twoListed = () => pageOf(listed(), listedToo())

async function read(query: ContentQuery, answer: (call: Call) => Answer) {
  const { vendor, calls } = scripted(
    Array.from({ length: 40 }, () => answer),
    NOW,
  )
  const pages: ContentPage[] = []
  for await (const page of vendor.content(query, context)) pages.push(page)
  return { pages, calls, properties: pages.flatMap((page) => page.properties) }
}
const byIds: ContentQuery = { kind: 'ids', ids: ['6601', '6602'] }
const only = async (body: unknown): Promise<VendorProperty> => {
  const { properties } = await read(
    byIds,
    library(() => ({ body })),
  )
  if (properties[0] === undefined) throw new Error('nothing was read')
  return properties[0]
}

test('a listed property is decoded with the names of the code lists', async () => {
  const { properties, pages } = await read(
    byIds,
    library(() => ({ body: twoListed() })),
  )
  expect(pages).toMatchObject([{ dropped: 0, cursor: undefined }])
  const [first, second] = properties
  expect(first).toMatchObject({
    vendorId: 'hotelbeds',
    vendorPropertyId: '6601',
    name: 'The Lantern House',
    category: 'Hotel',
    chain: 'Lantern Hotels',
    description: '<p>The Lantern House stands by the river.<br>Its garden is open all year.</p>',
    starRating: 5,
    location: { lat: 51.5103, lon: -0.1207 },
    address: { line1: 'River Walk 7', city: 'London', region: '', postalCode: 'SE1 9ZZ', countryCode: 'GB' },
    phone: '+442070000001',
    checkInTime: '15:00',
    checkOutTime: '12:00',
    reviewCount: 0,
  })
  expect(second).toMatchObject({ name: 'Mill Lane Rooms', starRating: 4, chain: '' })
})

test('facilities marked as absent are left out', async () => {
  const property = await only(twoListed())
  const labels = Object.values(property.amenitiesByCategory).flat().join('; ')
  expect(labels).toContain('Wi-fi')
  expect(labels).not.toContain('pets')
  expect(property.amenitySlugs).toContain('wifi')
  expect(property.amenitySlugs).not.toContain('pets')
})

test('rooms have size, beds, capacity, images and amenities by category', async () => {
  const property = await only(twoListed())
  const queen = property.rooms.find((room) => room.id === 'DBL.QN-SU')
  expect(queen).toMatchObject({
    name: 'Double Superior Queen Bed',
    squareMeters: 30,
    squareFeet: 323,
    sleeps: 2,
    beds: ['1 double bed'],
  })
  expect(queen?.amenities['Room facilities']).toContainEqual({ id: '60-261', name: 'Wi-fi' })
  const family = property.rooms.find((room) => room.id === 'FAM.B2')
  expect(family).toMatchObject({ name: 'The Lantern Suite', beds: ['1 king-size bed', '2 double beds'] })
  expect(queen?.images.map((image) => image.med)).toEqual(['https://photos.invalid/giata/00/006601/room_1.jpg'])
})

test('labels of facilities contain charges and amounts', async () => {
  const facilities = [
    { facilityCode: 320, facilityGroupCode: 70, indYesOrNo: true, amount: 48, currency: 'GBP' },
    { facilityCode: 550, facilityGroupCode: 70, indYesOrNo: true, indFee: true },
    { facilityCode: 363, facilityGroupCode: 73, indLogic: true },
    { facilityCode: 520, facilityGroupCode: 70, indLogic: true },
    { facilityCode: 40, facilityGroupCode: 40, distance: 5000 },
  ]
  const property = await only({ total: 1, hotels: [{ ...listed(), facilities }] })
  expect(property.amenitiesByCategory.Facilities).toEqual([
    'Car park (48 GBP)',
    'Wi-fi (extra charge)',
    '24-hour security',
  ])
  expect(property.amenitiesByCategory.Distances).toEqual(['Beach (5000 m)'])
  expect(property.amenitySlugs).toEqual(['parking', 'outdoor_pool', 'pool', 'wifi'])
  expect(property.popularAmenities).toEqual(['Outdoor pool', 'Wi-Fi', 'Parking'])
})

test("images keep the vendor's order and use sizes that always exist", async () => {
  const property = await only(twoListed())
  expect(property.images.map(({ caption, hero, hi }) => [caption, hero, hi])).toEqual([
    ['General view', true, 'https://photos.invalid/giata/bigger/00/006601/front_1.jpg'],
    ['Room', false, 'https://photos.invalid/giata/bigger/00/006601/room_1.jpg'],
    ['Pool', false, 'https://photos.invalid/giata/bigger/00/006601/pool_1.jpg'],
  ])
  expect(property.images[0]).toMatchObject({
    med: 'https://photos.invalid/giata/00/006601/front_1.jpg',
    lo: 'https://photos.invalid/giata/medium/00/006601/front_1.jpg',
  })
  const shown = await only(pageOf(detailed()))
  expect(shown.images).toEqual(property.images)
})

test('a detailed property is decoded without code lists', async () => {
  const answer = (body: unknown) => (call: Call) => (call.path.includes('/hotels?') ? { body } : { status: 500 })
  const [property] = (await read(byIds, answer(pageOf(detailed())))).properties
  expect(property).toMatchObject({
    name: 'The Lantern House',
    category: 'Hotel',
    chain: 'Lantern Hotels',
    starRating: 5,
    address: { countryCode: 'GB' },
  })
  expect(property?.rooms[0]).toMatchObject({ id: 'DBL.QN-SU', name: 'Double Superior Queen Bed' })
  const [single] = (await read(byIds, answer(singleProperty()))).properties
  expect(single).toMatchObject({ vendorPropertyId: '6601', phone: '527440000000', address: { countryCode: 'MX' } })
})

test('built-in names are used if code lists cannot be read', async () => {
  const { properties } = await read(byIds, (call) =>
    call.path.includes('/hotels?') ? { body: twoListed() } : { status: 503 },
  )
  expect(properties[0]).toMatchObject({ starRating: 5, category: 'Hotel', chain: '', address: { countryCode: 'GB' } })
  expect(Object.values(properties[0]?.amenitiesByCategory ?? {}).flat()).toContain('Wi-fi')
})

test('short code lists are read once, long ones only for codes that occur', async () => {
  const { calls } = await read(
    { kind: 'feed' },
    library((call) => {
      const from = Number(new URLSearchParams(call.path.split('?')[1]).get('from'))
      return { body: { ...twoListed(), from, total: 6 } }
    }),
  )
  const lists = calls.map((call) => call.path).filter((path) => !path.includes('/hotels?'))
  expect(lists.filter((path) => path.includes('types/facilities'))).toHaveLength(1)
  expect(lists.filter((path) => path.includes('types/chains'))).toEqual([
    '/hotel-content-api/1.0/types/chains?fields=all&useSecondaryLanguage=true&codes=LANTN,MILLS&language=ENG&from=1&to=1000',
  ])
})

test('a feed is read page by page and resumes at its cursor', async () => {
  const answer = library((call) => {
    const from = Number(new URLSearchParams(call.path.split('?')[1]).get('from'))
    return { body: { ...twoListed(), from, total: 5 } }
  })
  const whole = await read({ kind: 'feed', since: '2027-01-01' }, answer)
  expect(whole.pages.map((page) => page.cursor)).toEqual(['3', '5', undefined])
  expect(whole.pages[0]?.total).toBe(5)
  expect(whole.calls[0]?.path).toContain('lastUpdateTime=2027-01-01&language=ENG&from=1&to=2')
  const rest = await read({ kind: 'feed', cursor: '5' }, answer)
  expect(rest.pages.map((page) => page.cursor)).toEqual([undefined])
})

test('a page over the size limit halves the page size for the rest of the feed', async () => {
  const answer = library((call) => {
    const query = new URLSearchParams(call.path.split('?')[1])
    const [from, to] = [Number(query.get('from')), Number(query.get('to'))]
    if (to > from) throw new VendorError('hotelbeds', 'malformed', 'none', { detail: TOO_LARGE })
    return { body: { ...twoListed(), from, total: 3 } }
  })
  const { pages, calls } = await read({ kind: 'feed' }, answer)
  expect(pages.map((page) => page.cursor)).toEqual(['2', '3', undefined])
  const asked = calls.map(({ path }) => /\/hotels\?.*(from=\d+&to=\d+)/.exec(path)?.[1]).filter(Boolean)
  expect(asked).toEqual(['from=1&to=2', 'from=1&to=1', 'from=2&to=2', 'from=3&to=3'])
  await expect(
    read(
      { kind: 'feed' },
      library(() => ({ body: undefined })),
    ),
  ).rejects.toThrow()
  const tooLong = library(() => {
    throw new VendorError('hotelbeds', 'malformed', 'none', { detail: TOO_LARGE })
  })
  await expect(read({ kind: 'feed' }, tooLong)).rejects.toThrow(TOO_LARGE)
})

test('a page past the end of the feed is empty', async () => {
  const { pages } = await read(
    { kind: 'feed', cursor: '99' },
    library(() => ({ body: { from: 99, to: 100, total: 5 } })),
  )
  expect(pages).toEqual([{ properties: [], dropped: 0, cursor: undefined, total: 5 }])
})

const around = (radiusKm: number, limit: number): ContentQuery => ({
  kind: 'area',
  circle: { center: { lat: 51.5, lon: -0.1 }, radiusKm },
  limit,
})

test('an area is found through availability, and the nearest properties are read by code', async () => {
  const hotels = [
    { code: 7, latitude: '51.9', longitude: '-0.1' },
    { code: 6601, latitude: '51.5', longitude: '-0.1' },
    'rubbish',
    { code: '6602', latitude: '51.6', longitude: '-0.1' },
  ]
  const { calls, pages, properties } = await read(
    around(500, 2),
    library((call) => (call.method === 'POST' ? { body: { hotels: { hotels, total: 4 } } } : { body: twoListed() })),
  )
  expect(calls[0]?.body).toMatchObject({
    stay: { checkIn: '2027-02-09', checkOut: '2027-02-10' },
    geolocation: { radius: 200, unit: 'km' },
    filter: { maxHotels: 2000, maxRatesPerRoom: 1 },
  })
  expect(calls[1]?.path).toContain('codes=6601,6602&')
  expect(properties).toHaveLength(2)
  expect(pages).toMatchObject([{ isCut: true }])
})

test('a smaller circle is read if the list of hotels is truncated', async () => {
  const hotels = (count: number) => Array.from({ length: count }, (_, index) => ({ code: 6601 + index }))
  const readRadius = ({ body }: Call) => (body as { geolocation: { radius: number } }).geolocation.radius
  const { calls, pages } = await read(
    around(20, 2),
    library((call) => {
      if (call.method !== 'POST') return { body: twoListed() }
      return { body: { hotels: { hotels: hotels(readRadius(call) > 10 ? 2000 : 2) } } }
    }),
  )
  expect(calls.filter(({ method }) => method === 'POST').map(readRadius)).toEqual([20, 14, 10])
  expect(pages).toMatchObject([{ isCut: true }])
  const { pages: whole } = await read(
    around(20, 2),
    library((call) => (call.method === 'POST' ? { body: { hotels: { hotels: hotels(2) } } } : { body: twoListed() })),
  )
  expect(whole).toMatchObject([{ isCut: false }])
})

test('invalid properties are dropped and counted', async () => {
  const good = listed()
  const bad = [
    null,
    7,
    {},
    { ...good, code: '12/../3' },
    { ...good, name: { content: '<script>x</script>' } },
    { ...good, coordinates: { latitude: 0, longitude: 0 } },
    { ...good, coordinates: { latitude: '999', longitude: 1 } },
    { ...good, countryCode: 'Mars' },
  ]
  const { pages } = await read(
    byIds,
    library(() => ({ body: { total: 9, hotels: [...bad, good] } })),
  )
  expect(pages[0]).toMatchObject({ dropped: bad.length, properties: [{ vendorPropertyId: '6601' }] })
})

test('hostile text and images are removed', async () => {
  const property = await only({
    total: 1,
    hotels: [
      {
        ...listed(),
        name: { content: 'Inn <img src=x onerror=alert(1)>' },
        description: { content: 'Fine.<script>alert(1)</script>\nQuiet & old' },
        images: [
          { path: '../../etc/passwd', imageTypeCode: 'GEN', visualOrder: 1 },
          { path: '//evil.example/x.jpg', imageTypeCode: 'GEN' },
          { path: 'javascript:alert(1)' },
          { path: '00/1/a.jpg', imageTypeCode: '__proto__', type: { code: 'X', description: { content: '<b>x</b>' } } },
        ],
        facilities: [{ facilityCode: 'x' }, { facilityCode: 1, facilityGroupCode: '__proto__' }, null, 3],
        rooms: [
          null,
          5,
          { roomCode: {} },
          { roomCode: '__proto__', roomFacilities: 'x', roomStays: [{ roomStayFacilities: [1] }] },
        ],
        phones: { phoneNumber: 1 },
        wildcards: 'x',
      },
    ],
  })
  expect(property.name).toBe('Inn')
  expect(property.description).toBe('<p>Fine.<br>Quiet &amp; old</p>')
  expect(property.images.map((image) => image.med)).toEqual(['https://photos.invalid/giata/00/1/a.jpg'])
  expect(property.rooms.map((room) => room.id)).toEqual(['__proto__'])
  expect(property.phone).toBe('')
})

test('a response without properties is malformed', async () => {
  for (const body of [undefined, [], 'x', { hotels: 'x' }, { other: 1 }]) {
    await expect(
      read(
        byIds,
        library(() => ({ body })),
      ),
    ).rejects.toMatchObject({ fault: 'malformed', effect: 'none' })
  }
})
