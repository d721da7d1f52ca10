import { afterAll, beforeAll, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { openAmountsApp } from '../../support/booking/compare-amounts.ts'

let app: Awaited<ReturnType<typeof openAmountsApp>>
beforeAll(async () => {
  app = await openAmountsApp()
})
afterAll(() => app.close())

test.each(STAND_IN_IDS)(
  'list, property, checkout, booking, mail and %s have the same amounts for two rooms in a converted currency',
  async (vendorId) => {
    const found = await app.compare({ vendorId, currency: 'GBP', rooms: 2, conditions: {} })
    expect(found).toBe(true)
  },
)
