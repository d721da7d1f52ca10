import { expect, test } from 'vitest'
import { createCatalogueStore } from '../../../src/catalogue/store/catalogue.ts'
import { createCatalogueStores } from '../../../src/catalogue/store/stores.ts'
import type { RoomContent, VendorProperty } from '../../../src/domain/property/property.ts'
import type { Database } from '../../../src/store/database.ts'
import { openCatalogue } from '../../support/store/catalogue.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'
import { aVendorProperty } from '../../unit/catalogue/a-vendor-property.ts'

const aRoom = (id: string, name: string): RoomContent => ({
  id,
  name,
  description: '',
  squareMeters: 20.3,
  squareFeet: 219,
  sleeps: 2,
  beds: [],
  images: [],
  amenities: {},
})

let places = 0

async function setUp(database: Database) {
  const catalogue = openCatalogue({
    ...createCatalogueStores(database),
    vendors: [],
    clock: manualClock(),
    onBug: (error) => expect(error).toBeUndefined(),
  })
  // Each test has its own property, which has the same place and name at all vendors.
  const location = { lat: 5 + places++, lon: 50 }
  const put = async (vendorId: string, rooms: readonly RoomContent[]) => {
    const vendorPropertyId = `rooms-${location.lat}`
    const property: VendorProperty = aVendorProperty({
      vendorId,
      vendorPropertyId,
      location,
      name: 'Hotel Corona',
      rooms,
    })
    await catalogue.ingest([property])
    const [row] = await createCatalogueStore(database).synced(vendorId, [vendorPropertyId])
    return row?.property_id ?? ''
  }
  /** Room type ids by vendor and name of the offered rooms. */
  const findTypeIds = async (
    propertyId: string,
    offers: readonly [vendorId: string, roomId: string, name: string][],
  ) => {
    const content = await catalogue.propertyContent(propertyId)
    const types = await catalogue.roomTypes.forOffers(
      content?.propertyId ?? '',
      content?.contents ?? [],
      offers.map(([vendorId, roomId, name]) => ({ vendorId, roomId, name, beds: [] })),
    )
    return types.map(({ roomTypeId }) => roomTypeId)
  }
  return { catalogue, put, findTypeIds }
}

const ALPHA = [
  aRoom('1', 'Deluxe Room, 1 King Bed'),
  aRoom('2', 'Deluxe Room, 1 King Bed, Sea View'),
  aRoom('3', 'Twin Room'),
]
const BETA = [aRoom('K', 'DELUXE KING'), aRoom('S', 'DELUXE KING SEA VIEW'), aRoom('T', 'TWIN')]

onBothDatabases('room types', (open) => {
  test('a room type has the same id at all vendors, in any combination and order of offers', async () => {
    const { put, findTypeIds } = await setUp(open())
    const propertyId = await put('alpha', ALPHA)
    expect(await put('beta', BETA)).toBe(propertyId)
    const [sea] = await findTypeIds(propertyId, [['beta', 'S', '']])
    const all = await findTypeIds(propertyId, [
      ['alpha', '1', ''],
      ['beta', 'K', ''],
      ['alpha', '2', ''],
      ['beta', 'S', ''],
      ['alpha', '3', ''],
    ])
    expect(all[0]).toBe(all[1])
    expect(all[2]).toBe(sea)
    expect(all[3]).toBe(sea)
    expect(new Set(all).size).toBe(3)
    expect(await findTypeIds(propertyId, [['alpha', '1', '']])).toEqual([all[0]])
  })

  test('room types keep their ids when a vendor adds, renames or removes rooms, and a renamed room changes its type', async () => {
    const { put, findTypeIds } = await setUp(open())
    const propertyId = await put('alpha', ALPHA)
    await put('beta', BETA)
    const [king, sea, twin] = await findTypeIds(propertyId, [
      ['alpha', '1', ''],
      ['alpha', '2', ''],
      ['alpha', '3', ''],
    ])
    await put('beta', [aRoom('K', 'DELUXE KING GARDEN VIEW'), aRoom('S', 'KING DELUXE SEA VIEW'), aRoom('N', 'SUITE')])
    const [kingNow, seaNow, twinNow, garden, seaOfBeta] = await findTypeIds(propertyId, [
      ['alpha', '1', ''],
      ['alpha', '2', ''],
      ['alpha', '3', ''],
      ['beta', 'K', ''],
      ['beta', 'S', ''],
    ])
    expect([kingNow, seaNow, twinNow, seaOfBeta]).toEqual([king, sea, twin, sea])
    expect([king, sea, twin]).not.toContain(garden)
  })

  test('rooms known only from offers get a stable room type by their name without rate words', async () => {
    const { put, findTypeIds } = await setUp(open())
    const propertyId = await put('alpha', ALPHA)
    await put('beta', BETA)
    const offers: [string, string, string][] = [
      ['beta', '', 'Deluxe King Room - Room Only'],
      ['beta', '', 'Deluxe King Room - Breakfast Included'],
      ['beta', '', 'Garden Loft'],
    ]
    const [first, second, loft] = await findTypeIds(propertyId, offers)
    expect(first).toBe(second)
    expect(await findTypeIds(propertyId, [['alpha', '1', '']])).toEqual([first])
    expect(loft).not.toBe(first)
    expect(await findTypeIds(propertyId, offers.slice(2))).toEqual([loft])
  })

  test('splits and joins of rooms by an operator are visible and survive new content', async () => {
    const { catalogue, put, findTypeIds } = await setUp(open())
    const propertyId = await put('alpha', ALPHA)
    await put('beta', BETA)
    const [king] = await findTypeIds(propertyId, [['alpha', '1', '']])
    const [twin] = await findTypeIds(propertyId, [['beta', 'T', '']])

    const split = await catalogue.rooms.split(propertyId, { vendorId: 'beta', roomKey: 'K' })
    expect(split).toMatchObject({ ok: true })
    const joined = await catalogue.rooms.join(propertyId, twin ?? '', split.ok ? split.roomTypeId : '')
    expect(joined).toEqual({ ok: true, roomTypeId: twin })

    const check = async () => {
      expect(
        await findTypeIds(propertyId, [
          ['alpha', '1', ''],
          ['beta', 'K', ''],
          ['alpha', '3', ''],
        ]),
      ).toEqual([king, twin, twin])
      const groups = await catalogue.rooms.explain(propertyId)
      expect(groups?.find(({ type }) => type.roomTypeId === twin)?.type.matchedBy).toContain('operator')
      expect(groups?.find(({ type }) => type.roomTypeId === king)?.type.keptSeparateBy).toEqual(['operator'])
    }
    await check()
    await put(
      'beta',
      BETA.map((room) => ({ ...room, squareMeters: 21.1 })),
    )
    await put(
      'alpha',
      ALPHA.map((room) => ({ ...room, description: 'Renovated' })),
    )
    await check()
  })

  test('an impossible split or join of rooms is refused with a reason', async () => {
    const { catalogue, put } = await setUp(open())
    const propertyId = await put('alpha', ALPHA)
    expect(await catalogue.rooms.split('prp_none', { vendorId: 'alpha', roomKey: '1' })).toMatchObject({ ok: false })
    expect(await catalogue.rooms.split(propertyId, { vendorId: 'alpha', roomKey: '9' })).toEqual({
      ok: false,
      why: `${propertyId} has no room alpha:9.`,
    })
    expect(await catalogue.rooms.split(propertyId, { vendorId: 'alpha', roomKey: '1' })).toMatchObject({
      ok: false,
      why: expect.stringContaining('nothing to split'),
    })
    expect(await catalogue.rooms.join(propertyId, 'rmt_x', 'rmt_y')).toMatchObject({ ok: false })
  })

  test('a decision on rooms moves along when its property is joined to another', async () => {
    const { catalogue, put, findTypeIds } = await setUp(open())
    const propertyId = await put('alpha', [aRoom('1', 'Twin Room'), aRoom('2', 'Suite')])
    const [twin, suite] = await findTypeIds(propertyId, [
      ['alpha', '1', ''],
      ['alpha', '2', ''],
    ])
    await catalogue.rooms.join(propertyId, twin ?? '', suite ?? '')
    const other = await (await setUp(open())).put('gamma', [aRoom('9', 'Loft')])
    expect(await catalogue.join(other, propertyId)).toMatchObject({ ok: true })
    const [a, b] = await findTypeIds(other, [
      ['alpha', '1', ''],
      ['alpha', '2', ''],
    ])
    expect(a).toBe(b)
  })

  test('a decision on rooms of one vendor moves along when its record is split off the property', async () => {
    const { catalogue, put, findTypeIds } = await setUp(open())
    const propertyId = await put('alpha', ALPHA)
    await put('beta', BETA)
    const [king, twin] = await findTypeIds(propertyId, [
      ['beta', 'K', ''],
      ['beta', 'T', ''],
    ])
    await catalogue.rooms.join(propertyId, king ?? '', twin ?? '')
    const ref = (await catalogue.property(propertyId))?.vendors.find(({ vendorId }) => vendorId === 'beta')
    if (ref === undefined) throw new Error('beta sells it')
    const split = await catalogue.split(propertyId, ref)
    if (!split.ok) throw new Error(split.why)
    const [kingNow, twinNow, sea] = await findTypeIds(split.propertyId, [
      ['beta', 'K', ''],
      ['beta', 'T', ''],
      ['beta', 'S', ''],
    ])
    expect(twinNow).toBe(kingNow)
    expect(sea).not.toBe(kingNow)
    // The remaining vendor keeps the decision.
    const [kingOfAlpha, twinOfAlpha] = await findTypeIds(propertyId, [
      ['alpha', '1', ''],
      ['alpha', '3', ''],
    ])
    expect(twinOfAlpha).toBe(kingOfAlpha)
  })
})
