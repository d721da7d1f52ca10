import { expect, test } from 'vitest'
import { formatPropertyId, STAND_IN_IDS, STAND_INS } from '../../sandbox/stand-ins.ts'
import { createVendorWorld } from '../../sandbox/world/vendor-view/vendor-view.ts'
import { testWorld, vendorBench } from '../support/sandbox/vendor-bench.ts'
import { createSteps } from './contract-steps.ts'

/** Second ids of properties that a vendor lists twice. */
function listSecondIds(vendorId: string): string[] {
  const standIn = STAND_INS.find(({ id }) => id === vendorId) ?? expect.fail('no stand-in')
  const world = createVendorWorld(standIn, testWorld)
  const again = world.walk(0, 10_000).properties.filter(({ listedAs }) => listedAs !== undefined)
  return again.flatMap((property) => {
    const view = world.view(property)
    return view === undefined ? [] : formatPropertyId(standIn, view.vendorPropertyId)
  })
}

test.each(STAND_IN_IDS)(
  'a booking at %s is read under the id it was made with, even if another id exists',
  async (id) => {
    const bench = await vendorBench(id)
    const steps = createSteps(() => bench, true)
    const { offers } = await steps.search(listSecondIds(id).slice(0, 60))
    for (const { vendorPropertyId } of offers) {
      const [room] = await steps.listRooms(vendorPropertyId)
      if (room === undefined) continue
      const { ref, price } = await steps.checked(room)
      const order = { ...(await steps.anOrder('TWICE000000000000001')), ref, price: price.total }
      await bench.vendor.book(order, steps.context())
      expect((await steps.find(order.reference))?.property?.vendorPropertyId).toBe(vendorPropertyId)
      await bench.close()
      return
    }
    expect.fail('no property that is listed twice is for sale')
  },
  60_000,
)
