import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '../../src/lib/time/plain-date.ts'
import { VendorError } from '../../src/vendors/vendor-error.ts'
import { vendorBench } from '../support/sandbox/vendor-bench.ts'
import { conditionsContract } from './conditions-contract.ts'
import type { VendorBench } from './contract-steps.ts'
import { createSteps } from './contract-steps.ts'
import { termsContract } from './terms-contract.ts'
import { vendorContract } from './vendor-contract.ts'

const setup = () => vendorBench('liteapi')

vendorContract('liteapi', setup, {
  can: ['languages', 'list_bookings', 'change_bookings', 'book_once'],
  more(steps) {
    termsContract(steps)
    conditionsContract(steps)
  },
})

describe('undocumented behaviour of LiteAPI', () => {
  let bench: VendorBench
  const steps = createSteps(() => bench, true)
  const { add, anOrder, context, catchFailure, find, createLookup, bookingsUnder } = steps
  beforeEach(async () => {
    bench = await setup()
  })
  afterEach(() => bench.close())

  test.each([
    ['refuse_after', 1],
    ['product_error', 0],
  ] as const)(
    'after a failure that is not final (%s) the booking is looked up and not sent again',
    async (kind, made) => {
      const order = await anOrder('LITEAPI0DOUBT0000001')
      add(kind, 'book')
      expect(await catchFailure(bench.vendor.book(order, context()))).toMatchObject({ effect: 'unknown' })
      expect((await find(order.reference)) !== undefined).toBe(made === 1)
      expect([bookingsUnder(order.reference), bench.calls().book]).toEqual([made, 1])
    },
  )

  test.each([0, 1])(
    'a used reference is reported as a duplicate, even after a failed booking (%i)',
    async (burntReferences) => {
      bench.settings.burntReferences = burntReferences
      const order = await anOrder('LITEAPI0BURNT0000001')
      add('sold_out', 'book')
      await catchFailure(bench.vendor.book(order, context()))
      const again = await bench.vendor.book(order, context()).catch((error: unknown) => error)
      if (burntReferences === 1) expect(again).toMatchObject({ fault: 'duplicate', effect: 'unknown' })
      else expect(again).toMatchObject({ state: 'confirmed' })
      expect((await find(order.reference))?.state).toBe(burntReferences === 1 ? undefined : 'confirmed')
      expect(bookingsUnder(order.reference)).toBe(1 - burntReferences)
    },
  )

  test('one prebook with two references makes two bookings', async () => {
    // The vendor does not report the number of rooms left, so days are tried until there are two.
    const { checkIn, checkOut } = bench.stay
    for (let days = 0; ; days += 1) {
      const stay = { ...bench.stay, checkIn: addDays(checkIn, days), checkOut: addDays(checkOut, days) }
      const order = await anOrder(`LITEAPI0PREBOOK0${10 + days}01`, stay)
      const first = await bench.vendor.book(order, context())
      const other = { ...order, reference: `LITEAPI0PREBOOK0${10 + days}02` }
      const second = await bench.vendor.book(other, context()).catch((error: unknown) => error)
      if (second instanceof VendorError && second.fault === 'sold_out' && days < 10) continue
      expect(second).toMatchObject({ state: 'confirmed', vendorReference: expect.any(String) })
      expect(second).not.toMatchObject({ vendorReference: first.vendorReference })
      return
    }
  })

  test('a booking of the other environment is never taken for ours', async () => {
    bench.settings.otherEnvironment = 1
    expect(await find('LITEAPI0OTHER0000001')).toBeUndefined()
    const order = await anOrder('LITEAPI0OTHER0000001')
    const { vendorReference } = await bench.vendor.book(order, context())
    expect(await find(order.reference)).toMatchObject({ vendorReference })
    bench.settings.silentEnvironment = 1
    expect(await catchFailure(find(order.reference))).toMatchObject({ fault: 'malformed', effect: 'none' })
  })

  test('a prebook without taxes keeps the taxes shown before', async () => {
    bench.settings.silentTaxes = 1
    bench.settings.localTaxes = 1
    const offer = await steps.anOffer()
    const check = await steps.checked(offer)
    expect(check.price).toEqual(offer.price)
  })

  test.each([
    [0, 0],
    [1, 1],
  ])(
    'a cancellation costs what the terms say, whichever price its fee refers to (%i)',
    async (netFees, repeatedCancels) => {
      Object.assign(bench.settings, { netFees, repeatedCancels })
      // Half of the price is lost from two days before the arrival.
      const checkIn = addDays(bench.stay.checkIn, -38)
      const stay = { ...bench.stay, checkIn, checkOut: addDays(checkIn, 2) }
      const { offers } = await steps.search(bench.propertyIds, stay)
      for (const { vendorPropertyId } of offers) {
        const rooms = await steps.listRooms(vendorPropertyId, stay)
        const partial = rooms.find(
          ({ cancel }) =>
            (cancel?.penalties.length ?? 0) > 1 && Date.parse(cancel?.penalties[0]?.from ?? '') < bench.clock.now(),
        )
        if (partial === undefined) continue
        const { ref, price, cancel } = await steps.checked(partial)
        const order = { ...(await anOrder('LITEAPI0CANCEL000001', stay)), ref }
        await bench.vendor.book(order, context())
        const { cancelFee } = await bench.vendor.cancel(createLookup(order.reference), context())
        const expectedFee = cancel?.penalties[0]?.amount.minor ?? 0
        expect(Math.abs((cancelFee?.minor ?? 0) - expectedFee)).toBeLessThanOrEqual(1)
        const found = await bench.vendor.cancel(createLookup(order.reference), context())
        expect(found).toMatchObject({ state: 'cancelled' })
        // A refund alone does not reveal whether it is a part of the price or of our charge.
        const roundingMax = netFees === 1 ? 1 : price.total.minor * 0.01
        expect(Math.abs((found.cancelFee?.minor ?? 0) - expectedFee)).toBeLessThanOrEqual(roundingMax)
        expect(bench.calls().cancel).toBe(1)
        return
      }
      throw new Error('no rate that is refunded in part')
    },
  )

  test('a payment fee raises the bill, unless it is configured', async () => {
    bench.settings.processingFees = 1
    const order = await anOrder('LITEAPI0FEE000000001')
    const { total } = await bench.vendor.book(order, context())
    expect(total?.minor).toBeGreaterThan(order.price.minor * 1.03)
    const expecting = await vendorBench('liteapi', { SERAI_LITEAPI_PROCESSING_FEE_PERCENT: '4' })
    expecting.settings.processingFees = 1
    const other = await createSteps(() => expecting, true).anOrder('LITEAPI0FEE000000002')
    expect((await expecting.vendor.book(other, context())).total).toEqual(other.price)
    await expecting.close()
  })

  test('a booking that cannot be cancelled stays confirmed', async () => {
    Object.assign(bench.settings, { bindingBookings: 1 })
    const { offers } = await steps.search()
    for (const { vendorPropertyId } of offers) {
      const bound = (await steps.listRooms(vendorPropertyId)).find(({ cancel }) => cancel?.refundable === false)
      if (bound === undefined) continue
      const { ref } = await steps.checked(bound)
      const order = { ...(await anOrder('LITEAPI0BOUND0000001')), ref }
      await bench.vendor.book(order, context())
      expect(await catchFailure(bench.vendor.cancel(createLookup(order.reference), context()))).toMatchObject({
        fault: 'refused',
        effect: 'none',
      })
      expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
      return
    }
    throw new Error('no rate that is not refunded')
  })

  test('member rates are neither listed nor shown', async () => {
    bench.settings.memberOffers = 1
    expect((await steps.search()).offers).toEqual([])
    expect(await steps.listRooms(bench.propertyIds[0] ?? '')).toEqual([])
  })

  test('a prebook without the configured payment is an error of ours, and the account card still works', async () => {
    const wallet = await vendorBench('liteapi', { SERAI_LITEAPI_PAYMENT: 'WALLET' })
    wallet.settings.walletRefusals = 1
    const offer = await createSteps(() => wallet, true).anOffer()
    const failure = await catchFailure(wallet.vendor.priceCheck(offer.ref, context()))
    expect(failure).toMatchObject({ fault: 'misconfigured', effect: 'none' })
    expect(failure.detail).toContain('ACC_CREDIT_CARD, but SERAI_LITEAPI_PAYMENT is WALLET')
    await wallet.close()
    bench.settings.walletRefusals = 1
    expect(await bench.vendor.book(await anOrder('LITEAPI0CARD00000001'), context())).toMatchObject({
      state: 'confirmed',
    })
  })

  test('a failed payment is a refusal once a look-up finds no booking', async () => {
    bench.settings.failedPayments = 1
    const order = await anOrder('LITEAPI0PAYMENT00001')
    expect(await catchFailure(bench.vendor.book(order, context()))).toMatchObject({
      fault: 'misconfigured',
      effect: 'none',
    })
    expect([bookingsUnder(order.reference), bench.calls().find]).toEqual([0, 1])
    add('error_before', 'find')
    const other = await anOrder('LITEAPI0PAYMENT00002')
    expect(await catchFailure(bench.vendor.book(other, context()))).toMatchObject({ effect: 'unknown' })
  })

  test('a rate with the tag NRFN loses everything, whatever its ladder says', async () => {
    Object.assign(bench.settings, { ladderedNonRefundable: 1, partialRefunds: 1 })
    const { offers } = await steps.search()
    const listed = await Promise.all(
      offers.slice(0, 12).map(({ vendorPropertyId }) => steps.listRooms(vendorPropertyId)),
    )
    const strict = listed.flat().filter(({ cancel }) => cancel?.refundable === false)
    expect(strict.length).toBeGreaterThan(0)
    for (const { cancel } of strict) expect(cancel?.penalties).toHaveLength(1)
    const [bound] = strict
    const { ref, price, cancel } = await steps.checked(bound ?? expect.fail('no strict rate'))
    expect(cancel?.penalties[0]?.amount.minor).toBe(price.total.minor - price.dueAtProperty.minor)
    const order = { ...(await anOrder('LITEAPI0STRICT000001')), ref }
    await bench.vendor.book(order, context())
    const { cancelFee } = await bench.vendor.cancel(createLookup(order.reference), context())
    expect(cancelFee).toEqual(cancel?.penalties[0]?.amount)
  })

  test.each([0, 1])('a full penalty means everything, in net or in retail (%i)', async (netPenalties) => {
    bench.settings.netPenalties = netPenalties
    const { offers } = await steps.search()
    const listed = await Promise.all(
      offers.slice(0, 12).map(({ vendorPropertyId }) => steps.listRooms(vendorPropertyId)),
    )
    const full = listed.flat().filter(({ cancel }) => cancel?.refundable && cancel.penalties.length > 0)
    expect(full.length).toBeGreaterThan(0)
    for (const { cancel, price } of full)
      expect(cancel?.penalties.at(-1)?.amount.minor).toBe(price.total.minor - price.dueAtProperty.minor)
  })

  test('a rate that becomes a package rate is sold out', async () => {
    const offer = await steps.anOffer()
    add('packaging', 'price_check')
    expect(await bench.vendor.priceCheck(offer.ref, context())).toEqual({ status: 'sold_out' })
  })
})
