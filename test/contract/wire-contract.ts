import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { FaultKind } from '../../sandbox/server/faults.ts'
import type { ContentPage } from '../../src/vendors/contract.ts'
import type { VendorError } from '../../src/vendors/vendor-error.ts'
import type { Steps } from './contract-steps.ts'

/** What only a vendor behind a network can do: lose answers, send rubbish, refuse a secret, show a booking late. */
export function wireContract(steps: Steps): void {
  const { context, add, search, anOrder, find, bookingsUnder, failureOf } = steps

  test.each<[FaultKind, readonly string[]]>([
    ['sold_out', ['sold_out']],
    // Some vendors only say that the room cannot be had any more.
    ['price_change', ['price_changed', 'sold_out']],
    ['throttle', ['throttled']],
  ])('%s at the booking itself is a refusal: %j, and nothing was booked', async (kind, faults) => {
    const order = await anOrder('CONTRACT0REFUSED0001')
    add(kind, 'book')
    const failure = await failureOf(steps.bench.vendor.book(order, context()))
    expect(faults).toContain(failure.fault)
    expect(failure.effect).toBe('none')
    expect(bookingsUnder(order.reference)).toBe(0)
    expect(await find(order.reference)).toBeUndefined()
  })

  test('a 500 before the booking leaves its outcome open', async () => {
    const order = await anOrder('CONTRACT0UNWELL00001')
    add('error_before', 'book')
    expect(await failureOf(steps.bench.vendor.book(order, context()))).toMatchObject({
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
      expect((await failureOf(steps.bench.vendor.book(order, context()))).effect).toBe('unknown')
      expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
      expect(bookingsUnder(order.reference)).toBe(1)
      expect(steps.bench.calls().book).toBe(1)
    },
  )

  test('a connection that breaks before the booking is never tried again', async () => {
    const order = await anOrder('CONTRACT0RESET000001')
    add('reset_before', 'book')
    expect((await failureOf(steps.bench.vendor.book(order, context()))).effect).toBe('unknown')
    expect(steps.bench.calls().book).toBe(1)
  })

  test('a booking that is not yet visible is undefined, and found later', async () => {
    const order = await anOrder('CONTRACT0LATE0000001')
    add('late_visibility', 'book', 60_000)
    await steps.bench.vendor.book(order, context())
    expect(await find(order.reference)).toBeUndefined()
    steps.bench.clock.turn(60_001)
    expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
  })

  test('a wrong secret is a matter of credentials, and books nothing', async () => {
    expect(await failureOf(search(steps.bench.propertyIds, steps.bench.stay, steps.bench.wrongSecret))).toMatchObject({
      fault: 'credentials',
      effect: 'none',
    })
    const order = await anOrder('CONTRACT0SECRET00001')
    expect(await failureOf(steps.bench.wrongSecret.book(order, context()))).toMatchObject({
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
  ])('a search answered with %s fails as %j and changes nothing', async (kind, faults) => {
    steps.bench.faults.add({ kind, operation: 'availability' })
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
    const kinds = ['html', 'truncate', 'throttle', 'error_before', 'reset_before', 'sold_out'] as const
    for (const [place, kind] of kinds.entries()) {
      add(kind, 'book')
      const reference = `CONTRACT0SECRETS100${place}`
      failures.push(await failureOf(steps.bench.vendor.book({ ...order, reference }, context())))
    }
    failures.push(await failureOf(search(steps.bench.propertyIds, steps.bench.stay, steps.bench.wrongSecret)))
    for (const failure of failures) {
      const seen = `${inspect(failure, { depth: 12, showHidden: true })} ${JSON.stringify(failure)} ${failure.stack}`
      for (const secret of steps.bench.secrets) expect(seen).not.toContain(secret)
    }
  })

  test('a feed can be taken up where it stopped', async () => {
    const firsts: ContentPage[] = []
    for await (const page of steps.bench.vendor.content({ kind: 'feed' }, context())) {
      firsts.push(page)
      if (firsts.length === 2) break
    }
    const cursor = firsts[0]?.cursor
    if (cursor === undefined) throw new Error('the feed ended after a page')
    for await (const page of steps.bench.vendor.content({ kind: 'feed', cursor }, context())) {
      const again = page.properties.map((property) => property.vendorPropertyId)
      expect(again).toEqual(firsts[1]?.properties.map((property) => property.vendorPropertyId))
      break
    }
  })

  test('the probe notices a wrong secret', async () => {
    expect((await steps.bench.wrongSecret.probe(context())).some((probe) => !probe.ok)).toBe(true)
  })
}
