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

/** 22 km from south to north and 2 km wide. */
const LONG = boxed({ south: 45.9, west: 7.987, north: 46.1, east: 8.013 })
/** About 2 km in each direction. */
const SMALL = boxed({ south: 45.99, west: 7.987, north: 46.01, east: 8.013 })

/** A vendor with ten properties in a line, 500 m apart, north of the centre; at most `propertiesMax` are read. */
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
  /** Another process on the same store, with an empty cache. */
  const open = () => {
    const settings = { propertiesMax, refreshAfterMs: DAY_MS }
    const onBug = (error: unknown) => {
      throw error
    }
    return openCatalogue({ ...createCatalogueStores(database), vendors: [vendor], clock, settings, onBug })
  }
  const first = open()
  const findGaps = async (region: Region, limit = 100, catalogue = first) =>
    Object.fromEntries((await catalogueSource(catalogue).around(region, limit, CONTEXT)).gaps)
  const shrinkTo = (left: number) => {
    count = left
  }
  return { vendor, clock, open, findGaps, shrinkTo }
}

test('a box beyond the read content of a vendor is reported as cut: on the first search, when known, and in another process', async () => {
  const { findGaps, open, vendor } = await town(6)
  expect(await findGaps(LONG)).toEqual({ alpha: 'cut' })
  expect(await findGaps(LONG)).toEqual({ alpha: 'cut' })
  expect(await findGaps(LONG, 100, open())).toEqual({ alpha: 'cut' })
  expect(vendor.asked).toHaveLength(1)
})

test('a box inside the read content of a vendor is complete, although the vendor has more outside', async () => {
  const { findGaps, open, vendor } = await town(6)
  expect(await findGaps(SMALL)).toEqual({})
  expect(await findGaps(SMALL, 100, open())).toEqual({})
  expect(vendor.asked).toHaveLength(1)
})

test('a box whose vendor was read to the edge is complete', async () => {
  const { findGaps } = await town(100)
  expect(await findGaps(LONG)).toEqual({})
  expect(await findGaps(LONG)).toEqual({})
})

test('a box with more properties than the search limit and a circle are not reported as incomplete', async () => {
  const { findGaps } = await town(6)
  expect(await findGaps(LONG, 5)).toEqual({})
  expect(await findGaps({ center: CENTER, radiusKm: 12 })).toEqual({})
  expect(await findGaps({ center: CENTER, radiusKm: 12 })).toEqual({})
})

test('a cut box is complete after the vendor was read to the edge', async () => {
  const { findGaps, open, clock, shrinkTo, vendor } = await town(6)
  expect(await findGaps(LONG)).toEqual({ alpha: 'cut' })
  shrinkTo(4)
  clock.advance(2 * DAY_MS)
  await findGaps(LONG)
  await expect.poll(() => findGaps(LONG)).toEqual({})
  expect(await findGaps(LONG, 100, open())).toEqual({})
  expect(vendor.asked).toHaveLength(2)
})

test('a circle searched while a wider one is being read is complete, although the wider one is not read to its edge', async () => {
  const { vendor, open } = await town(6)
  vendor.delayMs = 50
  const catalogue = open()
  const idsIn = async (region: Region) => {
    const { candidates, gaps } = await catalogueSource(catalogue).around(region, 100, CONTEXT)
    return { ids: candidates.map(({ vendors }) => vendors[0]?.vendorPropertyId).sort(), gaps: gaps.size }
  }
  // The wider search reads only the first six.
  const edge = { center: north(CENTER, 3_000), radiusKm: 1.1 }
  const [, together] = await Promise.all([idsIn({ center: CENTER, radiusKm: 12 }), idsIn(edge)])
  expect(together).toEqual({ ids: ['4', '5', '6', '7', '8'], gaps: 0 })
  expect(await idsIn(edge)).toEqual(together)
})
