import { expect, test, vi } from 'vitest'
import type { Stay } from '../../src/domain/stay.ts'
import { startStopwatch } from '../support/time/measure.ts'
import type { Steps } from './contract-steps.ts'

const ALL_OPERATIONS = ['availability', 'rooms', 'price_check', 'book', 'find', 'cancel']
/** The simulator can hang in these. */
const SLOW_IN_PROCESS = ['availability', 'rooms', 'book']

/** Booking, cancelling and aborting, for every vendor. */
export function bookingContract(steps: Steps): void {
  const { context, add, search, anOffer, anOrder, createLookup, find, bookingsUnder, catchFailure } = steps

  test('a booking is made, found, previewed, cancelled, and found cancelled', async () => {
    const order = await anOrder('CONTRACT0JOURNEY0001')
    const receipt = await steps.bench.vendor.book(order, context())
    expect(receipt).toMatchObject({ state: 'confirmed' })
    expect(receipt.total ?? order.price).toEqual(order.price)
    const lookup = { ...createLookup(order.reference), vendorReference: receipt.vendorReference }
    const standing = { state: 'confirmed', vendorReference: receipt.vendorReference }
    expect(await steps.bench.vendor.find(lookup, context())).toMatchObject(standing)
    if (steps.remembers) expect(await find(order.reference)).toMatchObject(standing)
    const preview = await steps.bench.vendor.previewCancel(lookup, context())
    expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
    const cancelled = await steps.bench.vendor.cancel(lookup, context())
    expect(cancelled).toMatchObject({ state: 'cancelled', vendorReference: receipt.vendorReference })
    if (preview !== undefined && cancelled.cancelFee !== undefined) expect(cancelled.cancelFee).toEqual(preview.fee)
    if (steps.remembers) expect(await find(order.reference)).toMatchObject({ state: 'cancelled' })
  })

  test('cancelling twice has the same result as cancelling once', async () => {
    const order = await anOrder('CONTRACT0CANCEL00001')
    const { vendorReference } = await steps.bench.vendor.book(order, context())
    const lookup = { ...createLookup(order.reference), vendorReference }
    await steps.bench.vendor.cancel(lookup, context())
    expect(await steps.bench.vendor.cancel(lookup, context())).toMatchObject({ state: 'cancelled' })
  })

  test('a booking can be cancelled by our reference alone', async () => {
    const order = await anOrder('CONTRACT0CANCEL00002')
    await steps.bench.vendor.book(order, context())
    expect(await steps.bench.vendor.cancel(createLookup(order.reference), context())).toMatchObject({
      state: 'cancelled',
    })
  })

  test('rooms for different parties are priced, checked and booked as one stay', async () => {
    const stay: Stay = {
      ...steps.bench.stay,
      occupancies: [
        { adults: 2, childrenAges: [] },
        { adults: 1, childrenAges: [7] },
        { adults: 2, childrenAges: [] },
      ],
    }
    const order = await anOrder('CONTRACT0PARTIES0001', stay)
    expect(await steps.bench.vendor.book(order, context())).toMatchObject({ state: 'confirmed' })
    if (!steps.remembers) return
    const lines = steps.bench.ledger.current().filter((line) => line.ourReference === order.reference)
    expect(lines.reduce((rooms, line) => rooms + line.count, 0)).toBe(3)
    expect(bookingsUnder(order.reference)).toBe(1)
  })

  test(`a reference sent twice makes ${steps.can('book_once') ? 'one booking' : 'two bookings'}`, async () => {
    const order = await anOrder('CONTRACT0DOUBLE00001', steps.bench.stay, 2)
    const first = await steps.bench.vendor.book(order, context())
    const second = await steps.bench.vendor.book(order, context()).catch((error: unknown) => error)
    if (steps.can('book_once')) {
      if (second instanceof Error) expect(second).toMatchObject({ fault: 'duplicate' })
      else expect(second).toMatchObject({ vendorReference: first.vendorReference })
      if (steps.remembers) expect(bookingsUnder(order.reference)).toBe(1)
    } else {
      expect(second).toMatchObject({ state: 'confirmed' })
      expect(bookingsUnder(order.reference)).toBe(2)
    }
  })

  test('a room that is sold out during booking is refused, and nothing is booked', async () => {
    const order = await anOrder('CONTRACT0SOLDOUT0001')
    add('sold_out', 'book')
    expect(await catchFailure(steps.bench.vendor.book(order, context()))).toMatchObject({
      fault: 'sold_out',
      effect: 'none',
    })
    expect(bookingsUnder(order.reference)).toBe(0)
  })

  test('an expired offer is not booked, and reports "expired" or an unknown effect', async () => {
    const order = await anOrder('CONTRACT0EXPIRED0001')
    add('expired', 'book')
    const failure = await catchFailure(steps.bench.vendor.book(order, context()))
    if (failure.effect === 'none') expect(failure.fault).toBe('expired')
    expect(bookingsUnder(order.reference)).toBe(0)
    if (steps.remembers) expect(await find(order.reference)).toBeUndefined()
  })

  test('a booking whose response is lost has an unknown effect, and is found', async () => {
    const order = await anOrder('CONTRACT0LOST0000001')
    add('error_after', 'book')
    expect((await catchFailure(steps.bench.vendor.book(order, context()))).effect).toBe('unknown')
    expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
  })

  test('a booking that hangs after the work is a timeout with an unknown effect, and is found', async () => {
    const order = await anOrder('CONTRACT0HANGS000001')
    add('hang_after', 'book')
    const failure = await catchFailure(steps.bench.vendor.book(order, context(AbortSignal.timeout(300))))
    expect(failure).toMatchObject({ fault: 'timeout', effect: 'unknown' })
    expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
  })

  test.each(steps.remembers ? ALL_OPERATIONS : SLOW_IN_PROCESS)(
    '%s stops within 100 ms after its caller aborts',
    async (operation) => {
      const order = await anOrder('CONTRACT0ABORT000001')
      if (operation === 'cancel' || operation === 'find') await steps.bench.vendor.book(order, context())
      add('hang', operation)
      const controller = new AbortController()
      const given = context(controller.signal)
      const { vendor, propertyIds, stay, market, timezone } = steps.bench
      const vendorPropertyId = propertyIds[0] ?? ''
      const work: Record<string, () => Promise<unknown>> = {
        availability: () => vendor.availability({ vendorPropertyIds: propertyIds, stay, market }, given),
        rooms: () => vendor.rooms({ vendorPropertyId, stay, market, timezone }, given),
        price_check: () => vendor.priceCheck(order.ref, given),
        book: () => vendor.book(order, given),
        find: () => vendor.find(createLookup(order.reference), given),
        cancel: () => vendor.cancel(createLookup(order.reference), given),
      }
      // The reference of a price check may not be valid for another check; that of a fresh offer is.
      if (operation === 'price_check') {
        const offer = await anOffer()
        work.price_check = () => vendor.priceCheck(offer.ref, given)
      }
      const before = steps.bench.calls()[operation] ?? 0
      const failure = catchFailure(work[operation]?.() ?? Promise.resolve())
      await vi.waitUntil(() => (steps.bench.calls()[operation] ?? 0) > before, { timeout: 5_000, interval: 10 })
      const readMs = startStopwatch()
      controller.abort()
      expect(await failure).toMatchObject({
        fault: 'timeout',
        effect: operation === 'book' || operation === 'cancel' ? 'unknown' : 'none',
      })
      expect(readMs()).toBeLessThan(100)
    },
  )

  test('an expired deadline prevents the call', async () => {
    const { vendor, propertyIds, stay, market } = steps.bench
    const work = vendor.availability({ vendorPropertyIds: propertyIds, stay, market }, context(AbortSignal.abort()))
    expect(await catchFailure(work)).toMatchObject({ fault: 'timeout', effect: 'none' })
    expect(steps.bench.calls().availability ?? 0).toBe(0)
  })

  test('a server error fails a search and changes nothing', async () => {
    steps.bench.faults.add({ kind: 'error_before', operation: 'availability' })
    expect(await catchFailure(search())).toMatchObject({ fault: 'unavailable', effect: 'none' })
  })
}
