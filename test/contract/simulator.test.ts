import { describe, expect, test } from 'vitest'
import { createFaultPlan } from '../../sandbox/server/fault-plan.ts'
import type { FaultKind } from '../../sandbox/server/faults.ts'
import { createLedger } from '../../sandbox/server/ledger.ts'
import { DEFAULT_SETTINGS } from '../../sandbox/server/settings.ts'
import type { Money } from '../../src/domain/money/money.ts'
import { SIMULATED_OUTCOMES, type SimulatedOutcome } from '../../src/domain/simulation.ts'
import type { SimulatedProperties } from '../../src/search/simulated-world.ts'
import type { BookOrder, PriceCheck, Vendor } from '../../src/vendors/contract.ts'
import { createSimulator } from '../../src/vendors/simulator/index.ts'
import { VendorError } from '../../src/vendors/vendor-error.ts'
import { manualClock } from '../support/time/clock.ts'
import { type VendorBench, vendorContract } from './vendor-contract.ts'

/** The vendor contract for the simulator, which has no HTTP: its guarantees and requested failures. */
const clock = manualClock()
const simulator = createSimulator({ clock })
// A search uses the simulator's properties directly.
const source: SimulatedProperties = simulator.properties
const circle = { center: { lat: 43.7, lon: 7.27 }, radiusKm: 12 }
const stay = { checkIn: '2027-03-01', checkOut: '2027-03-04', occupancies: [{ adults: 2, childrenAges: [] }] }
const market = { currency: 'EUR', language: 'en-GB', countryCode: 'FR' }
const timezone = 'Europe/Paris'
const context = (signal: AbortSignal = AbortSignal.timeout(5_000)) => ({ signal, requestId: 'contract' })
const lookup = { reference: 'SIMULATED0REFERENCE0', email: 'ada@example.com', createdOn: '2027-01-15' }

function createVendor(id: string, outcome: SimulatedOutcome = 'success'): Vendor {
  const vendor = simulator.vendors(outcome).find((each) => each.id === id)
  if (vendor === undefined) throw new Error(`no vendor ${id}`)
  return vendor
}
const listIds = (vendorId: string) =>
  source
    .candidates(circle, 100)
    .flatMap(({ vendors }) => vendors)
    .filter((entry) => entry.vendorId === vendorId)
    .map(({ vendorPropertyId }) => vendorPropertyId)
const search = (vendor: Vendor, signal?: AbortSignal) =>
  vendor.availability({ vendorPropertyIds: listIds(vendor.id), stay, market }, context(signal))
const listRooms = (vendor: Vendor, vendorPropertyId = listIds(vendor.id)[0] ?? '', signal?: AbortSignal) =>
  vendor.rooms({ vendorPropertyId, stay, market, timezone }, context(signal))

async function checked(vendor: Vendor, refundable = true): Promise<PriceCheck & { status: 'available' }> {
  for (const id of listIds(vendor.id)) {
    const room = (await listRooms(createVendor(vendor.id), id)).find(({ cancel }) => cancel?.refundable === refundable)
    const check = room && (await vendor.priceCheck(room.ref, context()))
    if (check?.status === 'available') return check
  }
  throw new Error('nothing for sale')
}
async function anOrder(vendor: Vendor, refundable = true): Promise<BookOrder & { readonly price: Money }> {
  const { ref, price } = await checked(vendor, refundable)
  return {
    ref,
    reference: lookup.reference,
    guests: [{ givenName: 'Ada', familyName: 'Guest' }],
    contact: { email: lookup.email, phone: '' },
    specialRequests: '',
    stay,
    price: price.total,
  }
}
async function catchFailure(work: Promise<unknown>): Promise<VendorError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof VendorError)) throw error
  return error
}

/** The simulator as a bench of the contract tests: a fault is a simulated outcome of one call. */
async function simulatorBench(id: string): Promise<VendorBench> {
  const faults = createFaultPlan(1)
  const calls: Record<string, number> = {}
  const vendorFor = (operation: string): Vendor => {
    calls[operation] = (calls[operation] ?? 0) + 1
    const [fault] = faults.next(operation)
    return createVendor(id, fault && (OUTCOMES[fault.kind] ?? 'success'))
  }
  const quiet = createVendor(id)
  const vendor: Vendor = {
    ...quiet,
    // An aborted caller is rejected without a call.
    availability: (query, given) =>
      (given.signal.aborted ? quiet : vendorFor('availability')).availability(query, given),
    rooms: (query, given) => vendorFor('rooms').rooms(query, given),
    priceCheck: (ref, given) => vendorFor('price_check').priceCheck(ref, given),
    book: (order, given) => vendorFor('book').book(order, given),
  }
  return {
    vendor,
    wrongSecret: vendor,
    faults,
    ledger: createLedger(),
    settings: { ...DEFAULT_SETTINGS },
    changeBooking: () => false,
    calls: () => calls,
    clock,
    stay,
    market,
    timezone,
    propertyIds: listIds(id),
    // An id without a prefix is sold by every vendor; one of the other vendor is not sold here.
    unknownId: listIds(id === 'simulator_a' ? 'simulator_b' : 'simulator_a')[0] ?? '',
    secrets: [],
    close: async () => {},
  }
}
const OUTCOMES: Partial<Record<FaultKind, SimulatedOutcome>> = {
  price_change: 'price_changed',
  sold_out: 'sold_out',
  expired: 'offer_expired',
  error_before: 'vendor_error',
  error_after: 'vendor_error',
  hang: 'vendor_timeout',
  hang_after: 'vendor_timeout',
}

for (const id of ['simulator_a', 'simulator_b'])
  vendorContract(id, () => simulatorBench(id), { isInProcess: true, can: ['amend', 'book_once'] })

describe.each(['simulator_a', 'simulator_b'])('%s', (id) => {
  const vendor = createVendor(id)

  test('offers are found only for the requested properties', async () => {
    const asked = listIds(id)
    const { offers } = await search(vendor)
    expect([...new Set(offers.map(({ vendorPropertyId }) => vendorPropertyId))]).toEqual(asked)
    expect(asked.length).toBeGreaterThan(9)
    const foreign = simulator.vendors('success').find((other) => other.id !== id)?.id ?? ''
    const { offers: none } = await vendor.availability({ vendorPropertyIds: listIds(foreign), stay, market }, context())
    expect(none).toEqual([])
  })

  test('the list price is that of the cheapest room, and every price adds up', async () => {
    const { offers } = await search(vendor)
    // Sorted by price.
    for (const [vendorPropertyId, [first]] of Map.groupBy(offers, (offer) => offer.vendorPropertyId)) {
      if (first === undefined) throw new Error('an empty group')
      const { total, publicTotal } = first
      const rooms = await listRooms(vendor, vendorPropertyId)
      expect(rooms).toHaveLength(6)
      expect(Math.min(...rooms.map(({ price }) => price.total.minor))).toBe(total.minor)
      expect(publicTotal.minor).toBeGreaterThanOrEqual(total.minor)
      for (const { price, ref, expiresAt } of rooms) {
        expect(price.base.minor + price.taxesFees.minor).toBe(price.total.minor)
        expect(price.fees.reduce((sum, { amount }) => sum + amount.minor, 0)).toBe(price.taxesFees.minor)
        expect(JSON.parse(JSON.stringify(ref))).toEqual(ref)
        expect(expiresAt).toBeGreaterThan(clock.now())
      }
    }
  })

  test("free cancellation ends with the cheapest room's first penalty, and is omitted without a zone", async () => {
    const { offers } = await vendor.availability({ vendorPropertyIds: listIds(id), stay, market, timezone }, context())
    expect(offers.some(({ freeCancellation }) => freeCancellation)).toBe(true)
    for (const { vendorPropertyId, total, freeCancellation } of offers) {
      const rooms = await listRooms(vendor, vendorPropertyId)
      const { cancel } = rooms.find(({ price }) => price.total.minor === total.minor) ?? {}
      expect(freeCancellation !== undefined).toBe(cancel?.refundable)
      if (freeCancellation) expect(freeCancellation.until).toBe(cancel?.penalties[0]?.from)
    }
    for (const offer of (await search(vendor)).offers) expect(offer).not.toHaveProperty('freeCancellation.until')
  })

  test('the checked price is the price shown, in any currency', async () => {
    for (const currency of ['EUR', 'JPY', 'KWD', 'USD', 'XOF']) {
      const [room] = await vendor.rooms(
        { vendorPropertyId: listIds(id)[0] ?? '', stay, market: { ...market, currency }, timezone },
        context(),
      )
      const check = room && (await vendor.priceCheck(room.ref, context()))
      expect(check).toMatchObject({ status: 'available', price: room?.price })
      expect(room?.price.total.currency).toBe(currency === 'XOF' ? 'EUR' : currency)
    }
  })

  test('a booking is made, found, previewed, and cancelled at that price', async () => {
    for (const refundable of [true, false]) {
      const order = await anOrder(vendor, refundable)
      const receipt = await vendor.book(order, context())
      expect(receipt).toMatchObject({ state: 'confirmed', total: order.price })
      const known = { ...lookup, vendorReference: receipt.vendorReference }
      expect(await vendor.find(known, context())).toMatchObject({
        state: 'confirmed',
        vendorReference: receipt.vendorReference,
      })
      const preview = await vendor.previewCancel(known, context())
      expect(preview?.fee).toEqual({ minor: refundable ? 0 : order.price.minor, currency: 'EUR' })
      expect(await vendor.cancel(known, context())).toMatchObject({ state: 'cancelled', cancelFee: preview?.fee })
    }
  })

  test('late cancellation costs what the terms say', async () => {
    const late = manualClock(Date.parse('2027-02-28T12:00:00Z'))
    const check = await checked(vendor)
    const [penalty] = check.cancel?.penalties ?? []
    const { vendorReference } = await vendor.book({ ...(await anOrder(vendor)), ref: check.ref }, context())
    const [then] = createSimulator({ clock: late }).vendors('success')
    const preview = await then?.previewCancel({ ...lookup, vendorReference }, context())
    expect(preview?.fee).toEqual(penalty?.amount)
    expect(preview?.fee.minor).toBeGreaterThan(0)
  })

  test.each(['availability', 'rooms'] as const)(
    '%s of a vendor that hangs ends when its caller does',
    async (operation) => {
      const controller = new AbortController()
      const hanging = createVendor(id, 'vendor_timeout')
      const work =
        operation === 'rooms' ? listRooms(hanging, undefined, controller.signal) : search(hanging, controller.signal)
      const failure = catchFailure(work)
      setTimeout(() => controller.abort(), 60)
      const started = performance.now()
      expect(await failure).toMatchObject({ fault: 'timeout', effect: 'none' })
      expect(performance.now() - started).toBeGreaterThan(40)
      expect(performance.now() - started).toBeLessThan(1_000)
    },
  )

  test('an expired deadline prevents every call', async () => {
    const gone = context(AbortSignal.abort())
    const order = await anOrder(vendor)
    const { ref } = order
    const asked = [
      search(vendor, gone.signal),
      listRooms(vendor, undefined, gone.signal),
      vendor.priceCheck(ref, gone),
      vendor.book(order, gone),
      vendor.find(lookup, gone),
      vendor.previewCancel(lookup, gone),
      vendor.cancel(lookup, gone),
      vendor.probe(gone),
    ]
    for (const work of asked) expect(await catchFailure(work)).toMatchObject({ fault: 'timeout', effect: 'none' })
  })

  test('a hanging booking ends within two seconds with an unknown effect, and is found', async () => {
    const hanging = createVendor(id, 'vendor_timeout')
    const order = await anOrder(hanging)
    const started = performance.now()
    expect(await catchFailure(hanging.book(order, context()))).toMatchObject({ fault: 'timeout', effect: 'unknown' })
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(await hanging.find(lookup, context())).toMatchObject({ state: 'confirmed' })
  })

  test('a changed price is higher, and stays so for that offer', async () => {
    const [room] = await listRooms(vendor)
    if (room === undefined) throw new Error('no room')
    const raised = await createVendor(id, 'price_changed').priceCheck(room.ref, context())
    if (raised.status !== 'available') throw new Error('sold out')
    expect(raised.price.total.minor).toBeGreaterThan(room.price.total.minor)
    expect(await vendor.priceCheck(raised.ref, context())).toMatchObject({ price: raised.price })
  })

  test('an unknown reference is malformed, never a crash', async () => {
    for (const ref of [{}, { property: 'x', room: '101', plan: 'nope' }, { property: 'x', party: 'no list' }]) {
      expect(await catchFailure(vendor.priceCheck(ref, context()))).toMatchObject({
        fault: 'malformed',
        effect: 'none',
      })
    }
  })
})

test('`partial` fails one of two vendors; `empty` returns no offers', async () => {
  expect((await search(createVendor('simulator_a', 'partial'))).offers.length).toBeGreaterThan(9)
  expect(await catchFailure(search(createVendor('simulator_b', 'partial')))).toMatchObject({
    fault: 'unavailable',
    effect: 'none',
  })
  for (const vendor of simulator.vendors('empty')) expect((await search(vendor)).offers).toEqual([])
  for (const vendor of simulator.vendors('vendor_error'))
    expect((await catchFailure(listRooms(vendor))).fault).toBe('unavailable')
})

test('both formats of room amenities occur, and one vendor has a bed id', async () => {
  const [a, b] = await Promise.all(
    ['simulator_a', 'simulator_b'].map(async (id) => {
      const [room] = await listRooms(createVendor(id))
      const content = await source.content(source.candidates(circle, 1)[0]?.propertyId ?? '')
      return {
        visible: room?.visible,
        amenities: content?.findRoom(id, '101')?.amenities ?? content?.findRoom(id, '201')?.amenities,
      }
    }),
  )
  expect(a?.visible).toEqual({ bed_id: expect.stringMatching(/^\d+$/) })
  expect(b?.visible).toEqual({})
  expect(Object.values(a?.amenities ?? {})[0]).toMatchObject({ id: expect.any(String), name: expect.any(String) })
  expect(Object.values(b?.amenities ?? {})[0]).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: expect.any(String) })]),
  )
})

test.each(SIMULATED_OUTCOMES)('%s has two vendors', (outcome) => {
  expect(simulator.vendors(outcome).map(({ id }) => id)).toEqual(['simulator_a', 'simulator_b'])
})
