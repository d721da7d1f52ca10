import { expect, onTestFinished, test } from 'vitest'
import { createCatalogueStores } from '../../../src/catalogue/store/stores.ts'
import { type Box, circleAround, type Region } from '../../../src/lib/geo.ts'
import { catalogueSource } from '../../../src/search/world.ts'
import { aContentVendor } from '../../store/catalogue/catalogue-vendor.ts'
import { openCatalogue } from '../../support/store/catalogue.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'
import { manualClock } from '../../support/time/clock.ts'
import { aVendorProperty, north } from './a-vendor-property.ts'

const CENTER = { lat: 46, lon: 8 }
const CONTEXT = { signal: new AbortController().signal, requestId: 'test' }
const DAY_MS = 86_400_000
const boxed = (box: Box): Region => ({ ...circleAround(box), box })

/** 22 km from south to north, and 2 km wide. */
const LONG = boxed({ south: 45.9, west: 7.987, north: 46.1, east: 8.013 })
/** About 2 km each way. */
const SMALL = boxed({ south: 45.99, west: 7.987, north: 46.01, east: 8.013 })

/** A vendor with ten properties, 500 m from one to the next in a line north of the middle; at most `propertiesMax` are read. */
async function town(propertiesMax: number) {
  let count = 10
  const vendor = aContentVendor('alpha', () =>
    Array.from({ length: count }, (_, n) =>
      aVendorProperty({
        vendorId: 'alpha',
        vendorPropertyId: `${n}`,
        name: `No. ${n}`,
        location: north(CENTER, n * 500),
      }),
    ),
  )
  const database = await openMigrated()
  onTestFinished(() => database.close())
  const clock = manualClock()
  /** Another process on the same store, which remembers nothing. */
  const open = () => {
    const settings = { propertiesMax, refreshAfterMs: DAY_MS }
    const onBug = (error: unknown) => {
      throw error
    }
    return openCatalogue({ ...createCatalogueStores(database), vendors: [vendor], clock, settings, onBug })
  }
  const first = open()
  const gapsOf = async (region: Region, limit = 100, catalogue = first) =>
    Object.fromEntries((await catalogueSource(catalogue).around(region, limit, CONTEXT)).gaps)
  const shrinkTo = (left: number) => {
    count = left
  }
  return { vendor, clock, open, gapsOf, shrinkTo }
}

test('a box that reaches beyond what was read of a vendor says so: at once, when it is known, and in another process', async () => {
  const { gapsOf, open, vendor } = await town(6)
  expect(await gapsOf(LONG)).toEqual({ alpha: 'cut' })
  expect(await gapsOf(LONG)).toEqual({ alpha: 'cut' })
  expect(await gapsOf(LONG, 100, open())).toEqual({ alpha: 'cut' })
  expect(vendor.asked).toHaveLength(1)
})

test('a box that lies within what was read of a vendor is whole, although it has more beyond', async () => {
  const { gapsOf, open, vendor } = await town(6)
  expect(await gapsOf(SMALL)).toEqual({})
  expect(await gapsOf(SMALL, 100, open())).toEqual({})
  expect(vendor.asked).toHaveLength(1)
})

test('a box whose vendor was read to the edge is whole', async () => {
  const { gapsOf } = await town(100)
  expect(await gapsOf(LONG)).toEqual({})
  expect(await gapsOf(LONG)).toEqual({})
})

test('a box with more properties than are searched, and a circle, are not called incomplete', async () => {
  const { gapsOf } = await town(6)
  expect(await gapsOf(LONG, 5)).toEqual({})
  expect(await gapsOf({ center: CENTER, radiusKm: 12 })).toEqual({})
  expect(await gapsOf({ center: CENTER, radiusKm: 12 })).toEqual({})
})

test('a box that was cut is whole once the vendor was read to the edge', async () => {
  const { gapsOf, open, clock, shrinkTo, vendor } = await town(6)
  expect(await gapsOf(LONG)).toEqual({ alpha: 'cut' })
  shrinkTo(4)
  clock.turn(2 * DAY_MS)
  await gapsOf(LONG)
  await expect.poll(() => gapsOf(LONG)).toEqual({})
  expect(await gapsOf(LONG, 100, open())).toEqual({})
  expect(vendor.asked).toHaveLength(2)
})

test('a circle that is searched while a wider one is read is whole, although the wider one is not read to its edge', async () => {
  const { vendor, open } = await town(6)
  vendor.delayMs = 50
  const catalogue = open()
  const idsIn = async (region: Region) => {
    const { candidates, gaps } = await catalogueSource(catalogue).around(region, 100, CONTEXT)
    return { ids: candidates.map(({ vendors }) => vendors[0]?.vendorPropertyId).sort(), gaps: gaps.size }
  }
  // Around the middle, the first six are read.
  const edge = { center: north(CENTER, 3_000), radiusKm: 1.1 }
  const [, together] = await Promise.all([idsIn({ center: CENTER, radiusKm: 12 }), idsIn(edge)])
  expect(together).toEqual({ ids: ['4', '5', '6', '7', '8'], gaps: 0 })
  expect(await idsIn(edge)).toEqual(together)
})
