import { expect, test } from 'vitest'
import { collectPages as pages, type Steps } from './contract-steps.ts'

/** Search, rooms, price checks and content, for every vendor. */
export function shoppingContract(steps: Steps): void {
  const { context, add, search, listRooms, anOffer, checked, catchFailure } = steps

  test('offers are found only for the requested properties', async () => {
    steps.bench.settings.stubs = 0
    const asked = steps.bench.propertyIds.slice(0, 12)
    const { offers, dropped } = await search(asked)
    expect(offers.length).toBeGreaterThan(6)
    expect(dropped).toBe(0)
    for (const offer of offers) {
      expect(asked).toContain(offer.vendorPropertyId)
      expect(offer.total.minor).toBeGreaterThan(0)
      expect(offer.publicTotal.minor).toBeGreaterThanOrEqual(offer.total.minor)
    }
    expect(new Set(offers.map((offer) => offer.vendorPropertyId)).size).toBeGreaterThan(6)
  })

  test('nothing for sale is an empty answer, not a failure', async () => {
    expect((await search([steps.bench.unknownId])).offers).toEqual([])
    expect((await search([])).offers).toEqual([])
    expect(await listRooms(steps.bench.unknownId)).toEqual([])
  })

  test('the maximum number of properties is requested in one call', async () => {
    const fillers = Array.from({ length: steps.bench.vendor.capabilities.propertiesPerCallMax }, (_, index) =>
      String(index + 1),
    )
    const ids = [...new Set([...steps.bench.propertyIds, ...fillers])].slice(
      0,
      steps.bench.vendor.capabilities.propertiesPerCallMax,
    )
    expect((await search(ids)).offers.length).toBeGreaterThan(6)
    expect(steps.bench.calls().availability).toBe(1)
  })

  test('the list price is that of the cheapest room', async () => {
    // A vendor that truncates before packaging rates are dropped may hide the cheapest of the others.
    steps.bench.settings.packaging = 0
    const { offers } = await search(steps.bench.propertyIds.slice(0, 8))
    for (const [vendorPropertyId, rates] of Map.groupBy(offers, (offer) => offer.vendorPropertyId)) {
      const prices = (await listRooms(vendorPropertyId)).map((room) => room.price.total.minor)
      expect(Math.min(...prices)).toBe(Math.min(...rates.map(({ total }) => total.minor)))
    }
  })

  test("free cancellation ends with a room's first penalty", async () => {
    const { offers } = await search(steps.bench.propertyIds.slice(0, 8))
    expect(offers.length).toBeGreaterThan(0)
    for (const { vendorPropertyId, total, freeCancellation } of offers) {
      const until = freeCancellation?.until
      if (until === undefined) continue
      expect(Date.parse(until)).toBeGreaterThan(steps.bench.clock.now())
      const cheapest = (await listRooms(vendorPropertyId)).filter(({ price }) => price.total.minor === total.minor)
      const ends = cheapest.map(({ cancel }) => Date.parse(cancel?.penalties[0]?.from ?? ''))
      expect(ends).toContain(Date.parse(until))
    }
  })

  test("a room's price adds up, and its offer has an expiry", async () => {
    for (const { vendorPropertyId } of (await search(steps.bench.propertyIds.slice(0, 6))).offers) {
      for (const { price, ref, expiresAt, cancel } of await listRooms(vendorPropertyId)) {
        expect(price.base.minor + price.taxesFees.minor).toBe(price.total.minor)
        expect(price.fees.reduce((sum, { amount }) => sum + amount.minor, 0)).toBe(price.taxesFees.minor)
        expect(price.dueAtProperty.minor).toBeLessThanOrEqual(price.taxesFees.minor)
        expect(price.publicTotal.minor).toBeGreaterThanOrEqual(price.total.minor)
        expect(JSON.parse(JSON.stringify(ref))).toEqual(ref)
        expect(expiresAt).toBeGreaterThan(steps.bench.clock.now())
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

  test('the terms of an offer match its check, unless the vendor has changed them', async () => {
    const offer = await anOffer()
    const { board = offer.board, cancel = offer.cancel, price } = await checked(offer)
    expect({ board, cancel, due: price.dueAtProperty }).toMatchObject({
      board: offer.board,
      due: offer.price.dueAtProperty,
    })
    if (offer.cancel !== undefined) {
      expect(cancel?.penalties.map(({ amount }) => amount)).toEqual(offer.cancel.penalties.map(({ amount }) => amount))
    }
  })

  test('the check of an unavailable offer is sold out, and of an old one expired', async () => {
    const offer = await anOffer()
    add('sold_out', 'price_check')
    expect(await steps.bench.vendor.priceCheck(offer.ref, context())).toEqual({ status: 'sold_out' })
    add('expired', 'price_check')
    expect(await catchFailure(steps.bench.vendor.priceCheck(offer.ref, context()))).toMatchObject({
      fault: 'expired',
      effect: 'none',
    })
  })

  test('content is read by id, and an area contains some of the properties', async () => {
    const ids = steps.bench.propertyIds.slice(0, 5)
    const byId = await pages(steps.bench.vendor.content({ kind: 'ids', ids }, context()))
    const properties = byId.flatMap((page) => page.properties)
    expect(properties.map((property) => property.vendorPropertyId).sort()).toEqual([...ids].sort())
    for (const property of properties) {
      expect(property).toMatchObject({ vendorId: steps.bench.vendor.id, name: expect.stringMatching(/\S/) })
      expect(property.rooms.length).toBeGreaterThan(0)
      expect(property.images.length).toBeGreaterThan(0)
      expect(property.description).not.toMatch(/<(?!\/?p>|br>)/)
    }
    const [first] = properties
    if (first === undefined) throw new Error('no property')
    const circle = { center: first.location, radiusKm: 3 }
    const area = await pages(steps.bench.vendor.content({ kind: 'area', circle, limit: 30 }, context()))
    expect(area.flatMap((page) => page.properties).length).toBeGreaterThan(3)
  })

  if (steps.can('languages'))
    test('German content has the same properties and rooms, most of them translated', async () => {
      const { vendor } = steps.bench
      expect(vendor.capabilities.languages?.content).toContain('de')
      const ids = steps.bench.propertyIds.slice(0, 12)
      const read = async (more: { language?: string }) =>
        (await pages(vendor.content({ kind: 'ids', ids, ...more }, context()))).flatMap((page) => page.properties)
      const [english, german] = [await read({}), await read({ language: 'de' })]
      const readFacts = ({ vendorPropertyId, name, location, rooms }: (typeof english)[number]) => ({
        vendorPropertyId,
        name,
        location,
        rooms: rooms.map(({ id, squareMeters, sleeps }) => ({ id, squareMeters, sleeps })),
      })
      expect(german.map(readFacts)).toEqual(english.map(readFacts))
      const translated = german.filter(({ description }) => / (der|die|das|und|liegt) /.test(description))
      expect(translated.length).toBeGreaterThan(ids.length / 2)
      for (const { rooms } of translated)
        expect(rooms.some(({ name }) => /zimmer|suite|studio|bett/i.test(name))).toBe(true)
    })

  test('every room for sale is described in the content', async () => {
    // A vendor that maps rates to rooms itself does not map all of them.
    steps.bench.settings.unmappedRooms = 0
    const offer = await anOffer()
    const { offers } = await search()
    const ids = offers.slice(0, 3).map((each) => each.vendorPropertyId)
    const properties = (await pages(steps.bench.vendor.content({ kind: 'ids', ids }, context()))).flatMap(
      (page) => page.properties,
    )
    expect(offer.roomId).not.toBe('')
    for (const property of properties) {
      const known = property.rooms.map((room) => room.id)
      for (const room of await listRooms(property.vendorPropertyId)) expect(known).toContain(room.roomId)
    }
  })

  test('the probe succeeds', async () => {
    const probes = await steps.bench.vendor.probe(context())
    expect(probes.length).toBeGreaterThan(0)
    expect(probes.filter((probe) => !probe.ok)).toEqual([])
  })
}
