import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RoomOffer } from '../../src/domain/offer.ts'
import type { Market, Stay } from '../../src/domain/stay.ts'
import type { CallContext } from '../../src/lib/call-context.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { dateIn } from '../../src/lib/plain-date.ts'
import type { FaultPlan } from '../../src/sandbox/fault-plan.ts'
import type { FaultKind } from '../../src/sandbox/faults.ts'
import type { Ledger } from '../../src/sandbox/ledger.ts'
import type { BookingLookup, BookOrder, ContentPage, PriceCheck, Vendor } from '../../src/vendors/contract.ts'
import { VendorError } from '../../src/vendors/vendor-error.ts'

/** An adapter joined to its stand-in by the real http client, and the handles a test needs. */
export type VendorBench = {
  readonly vendor: Vendor
  /** The same account with a wrong secret. */
  readonly stranger: Vendor
  readonly faults: FaultPlan
  readonly ledger: Ledger
  /** Calls that reached the stand-in, by operation. */
  calls(): Readonly<Record<string, number>>
  /** Shared with the stand-in, and started at the machine's time: a probe compares it with the answers' date. */
  readonly clock: Clock & { turn(ms: number): void }
  /** A stay of one room a month or so ahead, in a place with many properties. */
  readonly stay: Stay
  readonly market: Market
  readonly timezone: string
  /** At least twenty properties there. */
  readonly propertyIds: readonly string[]
  /** A well-formed id that the vendor does not know. */
  readonly unknownId: string
  /** What must never be seen in an error. */
  readonly secrets: readonly string[]
  close(): Promise<void>
}

const CONTACT = { email: 'ada.guest@example.com', phone: '+33612345678' }

/** What every vendor must do alike; everything above the adapters is built on nothing else. */
export function vendorContract(name: string, setup: () => Promise<VendorBench>): void {
  describe(name, () => {
    let bench: VendorBench
    beforeEach(async () => {
      bench = await setup()
    })
    afterEach(() => bench.close())

    const context = (signal: AbortSignal = AbortSignal.timeout(20_000)): CallContext => ({
      signal,
      requestId: 'contract',
      customerIp: '192.0.2.7',
      userAgent: 'contract/1',
    })
    const add = (kind: FaultKind, operation: string, ms?: number) =>
      bench.faults.add({ kind, operation, times: 1, ...(ms !== undefined && { ms }) })
    const search = (vendorPropertyIds = bench.propertyIds, stay = bench.stay, vendor = bench.vendor) =>
      vendor.availability({ vendorPropertyIds, stay, market: bench.market }, context())
    const roomsOf = (vendorPropertyId: string, stay = bench.stay) =>
      bench.vendor.rooms({ vendorPropertyId, stay, market: bench.market, timezone: bench.timezone }, context())

    /** The cheapest room of the first property that has one, and so many more of it left. */
    async function anOffer(stay = bench.stay, left = 1): Promise<RoomOffer> {
      const { offers } = await search(bench.propertyIds, stay)
      for (const { vendorPropertyId } of offers) {
        const room = (await roomsOf(vendorPropertyId, stay)).find(({ roomsLeft = left }) => roomsLeft >= left)
        if (room !== undefined) return room
      }
      throw new Error('nothing is for sale')
    }
    async function checked(offer: RoomOffer): Promise<PriceCheck & { status: 'available' }> {
      const check = await bench.vendor.priceCheck(offer.ref, context())
      if (check.status !== 'available') throw new Error('sold out')
      return check
    }
    async function anOrder(reference: string, stay = bench.stay, left = 1): Promise<BookOrder> {
      const { ref, price } = await checked(await anOffer(stay, left))
      return {
        ref,
        reference,
        guests: stay.occupancies.map((_, room) => ({ givenName: `Ada${'abcdefgh'[room]}`, familyName: 'Guest' })),
        contact: CONTACT,
        specialRequests: '',
        stay,
        price: price.total,
      }
    }
    const lookupOf = (reference: string): BookingLookup => ({
      reference,
      email: CONTACT.email,
      createdOn: dateIn('UTC', bench.clock.now()),
    })
    const find = (reference: string) => bench.vendor.find(lookupOf(reference), context())
    const bookingsUnder = (reference: string) => {
      const lines = bench.ledger.current().filter((line) => line.ourReference === reference)
      return new Set(lines.map((line) => line.vendorReference)).size
    }
    async function failureOf(work: Promise<unknown>): Promise<VendorError> {
      const error = await work.then(
        () => new Error('it did not fail'),
        (reason: unknown) => reason,
      )
      if (!(error instanceof VendorError)) throw error
      return error
    }

    test('offers are found for the properties that were named, and for no others', async () => {
      const asked = bench.propertyIds.slice(0, 12)
      const { offers, dropped } = await search(asked)
      expect(offers.length).toBeGreaterThan(6)
      expect(dropped).toBe(0)
      for (const offer of offers) {
        expect(asked).toContain(offer.vendorPropertyId)
        expect(offer.total.minor).toBeGreaterThan(0)
        expect(offer.publicTotal.minor).toBeGreaterThanOrEqual(offer.total.minor)
      }
      expect(new Set(offers.map((offer) => offer.vendorPropertyId)).size).toBe(offers.length)
    })

    test('nothing for sale is an empty answer, not a failure', async () => {
      expect((await search([bench.unknownId])).offers).toEqual([])
      expect((await search([])).offers).toEqual([])
      expect(await roomsOf(bench.unknownId)).toEqual([])
    })

    test('as many properties as the vendor takes go in one call', async () => {
      const fillers = Array.from({ length: bench.vendor.capabilities.propertiesPerCallMax }, (_, index) =>
        String(index + 1),
      )
      const ids = [...new Set([...bench.propertyIds, ...fillers])].slice(
        0,
        bench.vendor.capabilities.propertiesPerCallMax,
      )
      expect((await search(ids)).offers.length).toBeGreaterThan(6)
      expect(bench.calls().availability).toBe(1)
    })

    test('the summary’s price is that of the cheapest room', async () => {
      const { offers } = await search(bench.propertyIds.slice(0, 8))
      for (const { vendorPropertyId, total } of offers) {
        const prices = (await roomsOf(vendorPropertyId)).map((room) => room.price.total.minor)
        expect(Math.min(...prices)).toBe(total.minor)
      }
    })

    test('free cancellation ends with a room’s first penalty, and what is not free has no end of it', async () => {
      const { offers } = await search(bench.propertyIds.slice(0, 8))
      for (const { vendorPropertyId, total, freeCancellation, freeCancellationUntil } of offers) {
        if (!freeCancellation) expect(freeCancellationUntil).toBeUndefined()
        if (freeCancellationUntil === undefined) continue
        expect(Date.parse(freeCancellationUntil)).toBeGreaterThan(bench.clock.now())
        const cheapest = (await roomsOf(vendorPropertyId)).filter(({ price }) => price.total.minor === total.minor)
        expect(cheapest.map(({ cancel }) => cancel?.penalties[0]?.from)).toContain(freeCancellationUntil)
      }
    })

    test('a room’s price adds up, and its offer says until when it holds', async () => {
      for (const { vendorPropertyId } of (await search(bench.propertyIds.slice(0, 6))).offers) {
        for (const { price, ref, expiresAt, cancel } of await roomsOf(vendorPropertyId)) {
          expect(price.base.minor + price.taxesFees.minor).toBe(price.total.minor)
          expect(price.dueAtProperty.minor).toBeLessThanOrEqual(price.taxesFees.minor)
          expect(price.publicTotal.minor).toBeGreaterThanOrEqual(price.total.minor)
          expect(JSON.parse(JSON.stringify(ref))).toEqual(ref)
          expect(expiresAt).toBeGreaterThan(bench.clock.now())
          for (const penalty of cancel?.penalties ?? []) expect(penalty.from).toMatch(/T\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/)
        }
      }
    })

    test('the checked price is the price shown', async () => {
      const offer = await anOffer()
      expect((await checked(offer)).price.total).toEqual(offer.price.total)
    })

    test('a raised price is reported by the check', async () => {
      const offer = await anOffer()
      add('price_change', 'price_check')
      expect((await checked(offer)).price.total.minor).toBeGreaterThan(offer.price.total.minor)
    })

    test('an offer that is gone is sold out, and an old one expired', async () => {
      const offer = await anOffer()
      add('sold_out', 'price_check')
      expect(await bench.vendor.priceCheck(offer.ref, context())).toEqual({ status: 'sold_out' })
      add('expired', 'price_check')
      expect(await failureOf(bench.vendor.priceCheck(offer.ref, context()))).toMatchObject({
        fault: 'expired',
        effect: 'none',
      })
    })

    test('a booking is made, found, priced for cancelling, cancelled, and found cancelled', async () => {
      const order = await anOrder('CONTRACT0JOURNEY0001')
      const receipt = await bench.vendor.book(order, context())
      expect(receipt).toMatchObject({ state: 'confirmed' })
      expect(receipt.total ?? order.price).toEqual(order.price)
      const found = await find(order.reference)
      expect(found).toMatchObject({ state: 'confirmed', vendorReference: receipt.vendorReference })
      const lookup = { ...lookupOf(order.reference), vendorReference: receipt.vendorReference }
      const preview = await bench.vendor.previewCancel(lookup, context())
      expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
      const cancelled = await bench.vendor.cancel(lookup, context())
      expect(cancelled).toMatchObject({ state: 'cancelled', vendorReference: receipt.vendorReference })
      if (preview !== undefined && cancelled.cancelFee !== undefined) expect(cancelled.cancelFee).toEqual(preview.fee)
      expect(await find(order.reference)).toMatchObject({ state: 'cancelled' })
    })

    test('cancelling twice ends where cancelling once does', async () => {
      const order = await anOrder('CONTRACT0CANCEL00001')
      const { vendorReference } = await bench.vendor.book(order, context())
      const lookup = { ...lookupOf(order.reference), vendorReference }
      await bench.vendor.cancel(lookup, context())
      expect(await bench.vendor.cancel(lookup, context())).toMatchObject({ state: 'cancelled' })
    })

    test('a booking can be cancelled by our reference alone', async () => {
      const order = await anOrder('CONTRACT0CANCEL00002')
      await bench.vendor.book(order, context())
      expect(await bench.vendor.cancel(lookupOf(order.reference), context())).toMatchObject({ state: 'cancelled' })
    })

    test('rooms for different parties are priced, checked and booked as one stay', async () => {
      const stay: Stay = {
        ...bench.stay,
        occupancies: [
          { adults: 2, childrenAges: [] },
          { adults: 1, childrenAges: [7] },
          { adults: 2, childrenAges: [] },
        ],
      }
      const order = await anOrder('CONTRACT0PARTIES0001', stay)
      expect(await bench.vendor.book(order, context())).toMatchObject({ state: 'confirmed' })
      const lines = bench.ledger.current().filter((line) => line.ourReference === order.reference)
      expect(lines.reduce((rooms, line) => rooms + line.count, 0)).toBe(3)
      expect(bookingsUnder(order.reference)).toBe(1)
    })

    test('a reference sent twice makes the second booking that the capabilities admit', async () => {
      const order = await anOrder('CONTRACT0DOUBLE00001', bench.stay, 2)
      const first = await bench.vendor.book(order, context())
      const second = await bench.vendor.book(order, context()).catch((error: unknown) => error)
      if (bench.vendor.capabilities.bookIsIdempotent) {
        if (second instanceof Error) expect(second).toMatchObject({ fault: 'duplicate' })
        else expect(second).toMatchObject({ vendorReference: first.vendorReference })
        expect(bookingsUnder(order.reference)).toBe(1)
      } else {
        expect(second).toMatchObject({ state: 'confirmed' })
        expect(bookingsUnder(order.reference)).toBe(2)
      }
    })

    test.each<[FaultKind, string]>([
      ['sold_out', 'sold_out'],
      ['price_change', 'price_changed'],
      ['throttle', 'throttled'],
    ])('%s at the booking itself is a refusal: %s, and nothing was booked', async (kind, fault) => {
      const order = await anOrder('CONTRACT0REFUSED0001')
      add(kind, 'book')
      expect(await failureOf(bench.vendor.book(order, context()))).toMatchObject({ fault, effect: 'none' })
      expect(bookingsUnder(order.reference)).toBe(0)
      expect(await find(order.reference)).toBeUndefined()
    })

    test('an offer too old to be booked is not booked, and says so or stays in doubt', async () => {
      const order = await anOrder('CONTRACT0EXPIRED0001')
      add('expired', 'book')
      const failure = await failureOf(bench.vendor.book(order, context()))
      if (failure.effect === 'none') expect(failure.fault).toBe('expired')
      expect(bookingsUnder(order.reference)).toBe(0)
      expect(await find(order.reference)).toBeUndefined()
    })

    test('a 500 before the booking leaves its outcome open', async () => {
      const order = await anOrder('CONTRACT0UNWELL00001')
      add('error_before', 'book')
      expect(await failureOf(bench.vendor.book(order, context()))).toMatchObject({
        fault: 'unavailable',
        effect: 'unknown',
      })
      expect(await find(order.reference)).toBeUndefined()
    })

    test.each<FaultKind>(['error_after', 'reset_after', 'html', 'truncate', 'huge'])(
      'a booking whose answer is lost to %s is in doubt, and is found once',
      async (kind) => {
        const order = await anOrder('CONTRACT0LOST0000001')
        add(kind, 'book')
        expect((await failureOf(bench.vendor.book(order, context()))).effect).toBe('unknown')
        expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
        expect(bookingsUnder(order.reference)).toBe(1)
        expect(bench.calls().book).toBe(1)
      },
    )

    test('a connection that breaks before the booking is never tried again', async () => {
      const order = await anOrder('CONTRACT0RESET000001')
      add('reset_before', 'book')
      expect((await failureOf(bench.vendor.book(order, context()))).effect).toBe('unknown')
      expect(bench.calls().book).toBe(1)
    })

    test('a booking that hangs after the work is a timeout in doubt, and is found', async () => {
      const order = await anOrder('CONTRACT0HANGS000001')
      add('hang_after', 'book')
      const failure = await failureOf(bench.vendor.book(order, context(AbortSignal.timeout(300))))
      expect(failure).toMatchObject({ fault: 'timeout', effect: 'unknown' })
      expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
    })

    test('a booking that is not yet visible is undefined, and found later', async () => {
      const order = await anOrder('CONTRACT0LATE0000001')
      add('late_visibility', 'book', 60_000)
      await bench.vendor.book(order, context())
      expect(await find(order.reference)).toBeUndefined()
      bench.clock.turn(60_001)
      expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
    })

    test.each(['availability', 'rooms', 'price_check', 'book', 'find', 'cancel'])(
      '%s stops within 100 ms when its caller does',
      async (operation) => {
        const order = await anOrder('CONTRACT0ABORT000001')
        if (operation === 'cancel' || operation === 'find') await bench.vendor.book(order, context())
        add('hang', operation)
        const controller = new AbortController()
        const given = context(controller.signal)
        const { vendor, propertyIds, stay, market, timezone } = bench
        const vendorPropertyId = propertyIds[0] ?? ''
        const work: Record<string, () => Promise<unknown>> = {
          availability: () => vendor.availability({ vendorPropertyIds: propertyIds, stay, market }, given),
          rooms: () => vendor.rooms({ vendorPropertyId, stay, market, timezone }, given),
          price_check: () => vendor.priceCheck(order.ref, given),
          book: () => vendor.book(order, given),
          find: () => vendor.find(lookupOf(order.reference), given),
          cancel: () => vendor.cancel(lookupOf(order.reference), given),
        }
        // A ref of a price check may not be one to check again; a fresh offer's always is.
        if (operation === 'price_check') {
          const offer = await anOffer()
          work.price_check = () => vendor.priceCheck(offer.ref, given)
        }
        const failure = failureOf(work[operation]?.() ?? Promise.resolve())
        await new Promise((resolve) => setTimeout(resolve, 150))
        const abortedAt = performance.now()
        controller.abort()
        expect(await failure).toMatchObject({
          fault: 'timeout',
          effect: operation === 'book' || operation === 'cancel' ? 'unknown' : 'none',
        })
        expect(performance.now() - abortedAt).toBeLessThan(100)
      },
    )

    test('a caller whose time is already up is not served', async () => {
      const { vendor, propertyIds, stay, market } = bench
      const work = vendor.availability({ vendorPropertyIds: propertyIds, stay, market }, context(AbortSignal.abort()))
      expect(await failureOf(work)).toMatchObject({ fault: 'timeout', effect: 'none' })
      expect(bench.calls().availability ?? 0).toBe(0)
    })

    test('a wrong secret is a matter of credentials, and books nothing', async () => {
      expect(await failureOf(search(bench.propertyIds, bench.stay, bench.stranger))).toMatchObject({
        fault: 'credentials',
        effect: 'none',
      })
      const order = await anOrder('CONTRACT0STRANGER001')
      expect(await failureOf(bench.stranger.book(order, context()))).toMatchObject({
        fault: 'credentials',
        effect: 'none',
      })
      expect(bookingsUnder(order.reference)).toBe(0)
    })

    test.each<[FaultKind, readonly string[]]>([
      ['html', ['malformed']],
      ['huge', ['malformed']],
      // Whether half a body shows as a broken line or as broken text is up to the wire.
      ['truncate', ['malformed', 'unreachable']],
      ['throttle', ['throttled']],
      ['error_before', ['unavailable']],
    ])('a search answered with %s fails as %j and changes nothing', async (kind, faults) => {
      bench.faults.add({ kind, operation: 'availability' })
      const failure = await failureOf(search())
      expect(faults).toContain(failure.fault)
      expect(failure.effect).toBe('none')
    })

    test('a broken connection is tried once more where nothing can be done twice', async () => {
      add('reset_before', 'availability')
      expect((await search()).offers.length).toBeGreaterThan(6)
    })

    test('neither key nor secret is in any error', async () => {
      const order = await anOrder('CONTRACT0SECRETS0001')
      const failures: VendorError[] = []
      for (const kind of ['html', 'truncate', 'throttle', 'error_before', 'reset_before', 'sold_out'] as const) {
        add(kind, 'book')
        failures.push(await failureOf(bench.vendor.book(order, context())))
      }
      failures.push(await failureOf(search(bench.propertyIds, bench.stay, bench.stranger)))
      for (const failure of failures) {
        const seen = `${inspect(failure, { depth: 12, showHidden: true })} ${JSON.stringify(failure)} ${failure.stack}`
        for (const secret of bench.secrets) expect(seen).not.toContain(secret)
      }
    })

    test('content describes the properties by id, and an area finds some of them', async () => {
      const ids = bench.propertyIds.slice(0, 5)
      const byId = await pages(bench.vendor.content({ kind: 'ids', ids }, context()))
      const properties = byId.flatMap((page) => page.properties)
      expect(properties.map((property) => property.vendorPropertyId).sort()).toEqual([...ids].sort())
      for (const property of properties) {
        expect(property).toMatchObject({ vendorId: bench.vendor.id, name: expect.stringMatching(/\S/) })
        expect(property.rooms.length).toBeGreaterThan(0)
        expect(property.images.length).toBeGreaterThan(0)
        expect(property.description).not.toMatch(/<(?!\/?p>|br>)/)
      }
      const [first] = properties
      if (first === undefined) throw new Error('no property')
      const circle = { center: first.location, radiusKm: 3 }
      const area = await pages(bench.vendor.content({ kind: 'area', circle, limit: 30 }, context()))
      expect(area.flatMap((page) => page.properties).length).toBeGreaterThan(3)
    })

    test('every room for sale is described in the content', async () => {
      const offer = await anOffer()
      const { offers } = await search()
      const ids = offers.slice(0, 3).map((each) => each.vendorPropertyId)
      const properties = (await pages(bench.vendor.content({ kind: 'ids', ids }, context()))).flatMap(
        (page) => page.properties,
      )
      expect(offer.roomId).not.toBe('')
      for (const property of properties) {
        const known = property.rooms.map((room) => room.id)
        for (const room of await roomsOf(property.vendorPropertyId)) expect(known).toContain(room.roomId)
      }
    })

    test('a feed can be taken up where it stopped', async () => {
      const firsts: ContentPage[] = []
      for await (const page of bench.vendor.content({ kind: 'feed' }, context())) {
        firsts.push(page)
        if (firsts.length === 2) break
      }
      const cursor = firsts[0]?.cursor
      if (cursor === undefined) throw new Error('the feed ended after a page')
      for await (const page of bench.vendor.content({ kind: 'feed', cursor }, context())) {
        const again = page.properties.map((property) => property.vendorPropertyId)
        expect(again).toEqual(firsts[1]?.properties.map((property) => property.vendorPropertyId))
        break
      }
    })

    test('the probe finds nothing amiss', async () => {
      const probes = await bench.vendor.probe(context())
      expect(probes.length).toBeGreaterThan(0)
      expect(probes.filter((probe) => !probe.ok)).toEqual([])
      expect((await bench.stranger.probe(context())).some((probe) => !probe.ok)).toBe(true)
    })
  })
}

async function pages(source: AsyncIterable<ContentPage>): Promise<ContentPage[]> {
  const all: ContentPage[] = []
  for await (const page of source) all.push(page)
  return all
}
