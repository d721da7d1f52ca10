import { afterAll, beforeAll, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../sandbox/stand-ins.ts'
import { listAmountCases, openAmountsApp } from '../support/booking/compare-amounts.ts'

/** Each case once, some twice. */
const BOOKINGS = 14 * STAND_IN_IDS.length

let app: Awaited<ReturnType<typeof openAmountsApp>>
beforeAll(async () => {
  app = await openAmountsApp()
})
afterAll(() => app.close())

test(`${BOOKINGS} bookings over all vendors, two currencies, one and two rooms and all conditions have the same amounts in the API’s list, property, price check and booking, in the sums that the checkout and the page of the booking show, in the mail and at the vendor, and none in the voucher`, async () => {
  const cases = listAmountCases(STAND_IN_IDS)
  const booked: string[] = []
  for (let nth = 0; booked.length < BOOKINGS && nth < 2 * cases.length; nth += 1) {
    const wanted = cases[nth % cases.length] ?? expect.fail('no cases')
    const name = JSON.stringify(wanted)
    const found = await app.compare(wanted, nth).catch((error) => {
      throw new Error(`The amounts differ for ${name}.`, { cause: error })
    })
    if (found) booked.push(name)
  }
  console.log(`${booked.length} bookings compared, ${new Set(booked).size} of ${cases.length} cases`)
  expect(booked.length).toBe(BOOKINGS)
  expect(new Set(booked).size).toBe(cases.length)
}, 170_000)
