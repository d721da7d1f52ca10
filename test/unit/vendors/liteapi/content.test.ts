import { describe, expect, test } from 'vitest'
import type { ContentPage, ContentQuery } from '../../../../src/vendors/contract.ts'
import type { LiteapiConfig } from '../../../../src/vendors/liteapi/index.ts'
import type { Call } from '../../../../src/vendors/transport/call.ts'
import { errorAnswer } from '../../../support/vendors/liteapi.ts'
import { context, scripted } from './scripted.ts'

const LISTED = {
  id: 'lp1a',
  name: 'Aurora &amp; Sons',
  hotelDescription: '<p>By the <b>sea</b></p>',
  country: 'HR',
  city: 'Split',
  latitude: 43.5,
  longitude: 16.4,
  address: 'Obala 1',
  zip: '21000',
  main_photo: 'https://pictures.invalid/1.jpg',
  thumbnail: 'https://pictures.invalid/1s.jpg',
  hotelTypeId: 204,
  chain: 'Not Available',
  stars: 3.5,
  rating: 8.6,
  reviewCount: 12,
  facilityIds: [7, 8, 999],
}
const DETAIL = {
  id: 'lp1a',
  name: 'Aurora',
  country: 'hr',
  starRating: 4,
  location: { latitude: 43.5, longitude: 16.4 },
  checkinCheckoutTimes: { checkin_start: '03:00 PM', checkout: '11:00 AM' },
  hotelImages: [
    { url: 'https://pictures.invalid/2.jpg', urlHd: 'https://pictures.invalid/2hd.jpg', defaultImage: false },
    { url: 'https://pictures.invalid/3.jpg', urlHd: '', defaultImage: true },
    { url: 'javascript:alert(1)' },
  ],
  facilities: [{ facilityId: 7, name: 'Free WiFi' }],
  rating: 8,
  sentiment_analysis: { categories: [{ name: 'Cleanliness', rating: 9 }] },
  rooms: [
    {
      id: 77,
      roomName: 'Double',
      roomSizeSquare: 269.1,
      roomSizeUnit: 'sqft',
      maxOccupancy: 3,
      bedTypes: [{ quantity: 2, bedType: 'Twin bed(s)' }],
      roomAmenities: [{ amenitiesId: 5, name: 'TV' }],
      photos: [
        { url: 'https://pictures.invalid/r.jpg', hd_url: 'https://pictures.invalid/rh.jpg', imageDescription: 'Bed' },
      ],
    },
  ],
}

const NAMES = (call: Call) => {
  if (call.path.includes('/facilities'))
    return {
      body: {
        data: [
          { facility_id: 7, facility: 'Free WiFi' },
          { facility_id: 8, facility: 'Pool' },
        ],
      },
    }
  return { body: { data: [{ id: 204, name: 'Hotels' }] } }
}

async function readPages(
  query: ContentQuery,
  answers: Parameters<typeof scripted>[0],
  more: Partial<LiteapiConfig> = {},
) {
  const { vendor, calls } = scripted(answers, more)
  const pages: ContentPage[] = []
  for await (const page of vendor.content(query, context)) pages.push(page)
  return { pages, calls }
}

const circle = { center: { lat: 43.5, lon: 16.4 }, radiusKm: 0.5 }

test('an area is read as one list with a radius of at least a kilometre, and ids get names', async () => {
  const nowhere = { ...LISTED, id: 'lp2', latitude: 0, longitude: 0 }
  const list = { body: { data: [LISTED, nowhere, { ...LISTED, id: 'lp3', deletedAt: '2026-01-01' }], total: 3 } }
  const { pages, calls } = await readPages({ kind: 'area', circle, limit: 40 }, [list, NAMES, NAMES])
  expect(calls[0]?.path).toMatch(/latitude=43\.5&longitude=16\.4&radius=1000&offset=0&limit=40$/)
  expect(pages).toMatchObject([{ dropped: 1, properties: [{ vendorPropertyId: 'lp1a' }] }])
  expect(pages[0]?.properties[0]).toMatchObject({
    name: 'Aurora & Sons',
    category: 'Hotels',
    chain: '',
    description: '<p>By the sea</p>',
    starRating: 3.5,
    guestRatings: { overall: 4.3, count: 12 },
    address: { line1: 'Obala 1', city: 'Split', postalCode: '21000', countryCode: 'HR' },
    images: [{ hero: true, hi: 'https://pictures.invalid/1.jpg', lo: 'https://pictures.invalid/1s.jpg' }],
    amenitySlugs: ['pool', 'wifi'],
    rooms: [],
    // The rest is read when the property is opened.
    roomsUnread: true,
    notices: [],
  })
})

describe('an area with more properties than the limit', () => {
  const wide = { ...circle, radiusKm: 20 }
  const listed = (...latitudes: number[]) =>
    latitudes.map((latitude) => ({ ...LISTED, id: `lp${Math.round(latitude * 10)}`, latitude }))
  const idsIn = (pages: readonly ContentPage[]) =>
    pages.flatMap(({ properties }) => properties.map(({ vendorPropertyId }) => vendorPropertyId))
  const requestedValues = (calls: readonly Call[], name: string) =>
    calls
      .filter(({ path }) => path.includes('/data/hotels'))
      .map(({ path }) => Number(new URL(path, 'https://x').searchParams.get(name)))

  test('an area above the limit is read completely, and the nearest properties are returned', async () => {
    const { pages, calls } = await readPages({ kind: 'area', circle: wide, limit: 2 }, [
      { body: { data: listed(44.4, 43.6), total: 3 } },
      NAMES,
      NAMES,
      { body: { data: listed(43.5), total: 3 } },
    ])
    expect(requestedValues(calls, 'offset')).toEqual([0, 2])
    expect(idsIn(pages)).toEqual(['lp435', 'lp436'])
    expect(pages).toMatchObject([{ isCut: true }])
  })

  test('an area with more properties than can be read is read in a smaller circle', async () => {
    const { pages, calls } = await readPages({ kind: 'area', circle: wide, limit: 2 }, [
      { body: { data: listed(44.4, 43.6), total: 5001 } },
      NAMES,
      NAMES,
      { body: { data: listed(43.6), total: 1 } },
    ])
    expect(requestedValues(calls, 'radius')).toEqual([20_000, 14_000])
    expect(idsIn(pages)).toEqual(['lp436'])
    expect(pages).toMatchObject([{ isCut: true }])
  })
})

test("a property's detail contains notices as plain text", async () => {
  const detail = {
    ...DETAIL,
    hotelImportantInformation: 'A deposit of USD 50 is required.\nBring a <b>credit card</b>.',
    checkinCheckoutTimes: {
      ...DETAIL.checkinCheckoutTimes,
      instructions: ['<p>Show an ID</p>', 'Guests must be 21'],
      special_instructions: 'Ring twice',
    },
    policies: [
      { policy_type: 'POLICY_HOTEL_PARKING', name: 'Parking', description: 'USD 72 per day.\n', parking: '' },
      { policy_type: 'POLICY_CHILDREN', name: 'Children', description: '', child_allowed: 'From 12 years' },
      { policy_type: 'POLICY_OTHER', name: 'Other', description: '' },
    ],
  }
  const { pages } = await readPages({ kind: 'ids', ids: ['lp1a'] }, [{ body: { data: detail } }])
  expect(pages[0]?.properties[0]?.notices).toMatchObject([
    { kind: 'check_in', title: 'Check-in instructions', text: 'Show an ID\nGuests must be 21' },
    { kind: 'check_in', title: 'Special check-in instructions', text: 'Ring twice' },
    {
      kind: 'policies',
      title: 'Important information',
      text: 'A deposit of USD 50 is required.\nBring a credit card.',
    },
    { kind: 'policies', title: 'Policies', text: 'Parking: USD 72 per day.\nChildren: From 12 years' },
  ])
})

test('details contain rooms and images under their own field names', async () => {
  const { pages, calls } = await readPages({ kind: 'ids', ids: ['lp1a', '17', 'lp1a', 'lp9'] }, [
    { body: { data: DETAIL } },
    errorAnswer(400, 4002, 'wrong input'),
  ])
  expect(calls).toHaveLength(2)
  expect(pages).toMatchObject([{ dropped: 0, total: 2 }])
  const [property, ...others] = pages[0]?.properties ?? []
  expect(others).toEqual([])
  expect(property).toMatchObject({
    address: { countryCode: 'HR' },
    starRating: 4,
    checkInTime: '15:00',
    checkOutTime: '11:00',
    guestRatings: { overall: 4, cleanliness: 4.5 },
    amenitiesByCategory: { Other: ['Free WiFi'] },
    rooms: [
      {
        id: '77',
        squareMeters: 25,
        sleeps: 3,
        beds: ['2 twin beds'],
        images: [{ caption: 'Bed' }],
        amenities: { 5: { id: '5', name: 'TV' } },
      },
    ],
  })
  expect(property?.images).toEqual([
    {
      caption: '',
      hero: false,
      hi: 'https://pictures.invalid/2hd.jpg',
      med: 'https://pictures.invalid/2.jpg',
      lo: 'https://pictures.invalid/2.jpg',
    },
    {
      caption: '',
      hero: true,
      hi: 'https://pictures.invalid/3.jpg',
      med: 'https://pictures.invalid/3.jpg',
      lo: 'https://pictures.invalid/3.jpg',
    },
  ])
})

const COUNTRIES = { body: { data: [{ code: 'FR' }, { code: 'DE' }, { code: 'Other' }] } }
const page = (total: number, ...ids: string[]) => ({ body: { data: ids.map((id) => ({ ...LISTED, id })), total } })

test('the feed reads country by country and resumes at its cursor', async () => {
  const answers = [NAMES, NAMES, COUNTRIES, page(3, 'lp1', 'lp2'), page(3, 'lp3'), page(0)]
  const { pages, calls } = await readPages({ kind: 'feed', since: '2027-01-02' }, answers, { contentDetails: 'no' })
  expect(pages.map(({ cursor, properties }) => [cursor, properties.length])).toEqual([
    ['DE 2', 2],
    ['FR 0', 1],
    [undefined, 0],
  ])
  expect(calls[3]?.path).toContain('countryCode=DE&offset=0&lastUpdatedAt=2027-01-02T00%3A00%3A00Z&limit=2')
  const rest = await readPages(
    { kind: 'feed', cursor: 'DE 2' },
    [NAMES, NAMES, COUNTRIES, page(3, 'lp3'), page(1, 'lp4')],
    { contentDetails: 'no' },
  )
  expect(rest.pages.map(({ properties }) => properties[0]?.vendorPropertyId)).toEqual(['lp3', 'lp4'])
  expect(rest.calls.slice(3).map(({ path }) => /countryCode=\w+&offset=\d+/.exec(path)?.[0])).toEqual([
    'countryCode=DE&offset=2',
    'countryCode=FR&offset=0',
  ])
})

test('the feed marks rooms as unread, because details are read later within the daily budget', async () => {
  const { pages, calls } = await readPages({ kind: 'feed', cursor: 'FR 0' }, [NAMES, NAMES, COUNTRIES, page(1, 'lp1a')])
  expect(pages).toMatchObject([{ properties: [{ roomsUnread: true }], cursor: undefined }])
  expect(calls).toHaveLength(4)
})

test('without code lists, ids have no names', async () => {
  const { pages } = await readPages({ kind: 'area', circle, limit: 5 }, [
    page(1, 'lp1'),
    errorAnswer(500, 5000),
    errorAnswer(500, 5000),
  ])
  expect(pages).toMatchObject([{ properties: [{ category: '', amenitySlugs: [] }] }])
})
