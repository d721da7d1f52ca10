import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { FaultKind } from '../../sandbox/server/faults.ts'
import type { ContentPage } from '../../src/vendors/contract.ts'
import type { VendorError } from '../../src/vendors/vendor-error.ts'
import type { Steps } from './contract-steps.ts'

/** Failures of a vendor behind a network: lost responses, invalid bodies, wrong secrets, late visibility. */
export function wireContract(steps: Steps): void {
  const { context, add, search, anOrder, find, bookingsUnder, catchFailure } = steps

  test.each<[FaultKind, readonly string[]]>([
    ['sold_out', ['sold_out']],
    // Some vendors only report that the room is no longer available.
    ['price_change', ['price_changed', 'sold_out']],
    ['throttle', ['throttled']],
  ])('%s during booking is a refusal: %j, and nothing is booked', async (kind, faults) => {
    const order = await anOrder('CONTRACT0REFUSED0001')
    add(kind, 'book')
    const failure = await catchFailure(steps.bench.vendor.book(order, context()))
    expect(faults).toContain(failure.fault)
    expect(failure.effect).toBe('none')
    expect(bookingsUnder(order.reference)).toBe(0)
    expect(await find(order.reference)).toBeUndefined()
  })

  test('a 500 before the booking has an unknown effect', async () => {
    const order = await anOrder('CONTRACT0UNWELL00001')
    add('error_before', 'book')
    expect(await catchFailure(steps.bench.vendor.book(order, context()))).toMatchObject({
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
      expect((await catchFailure(steps.bench.vendor.book(order, context()))).effect).toBe('unknown')
      expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
      expect(bookingsUnder(order.reference)).toBe(1)
      expect(steps.bench.calls().book).toBe(1)
    },
  )

  test('a broken connection before the booking is not retried', async () => {
    const order = await anOrder('CONTRACT0RESET000001')
    add('reset_before', 'book')
    expect((await catchFailure(steps.bench.vendor.book(order, context()))).effect).toBe('unknown')
    expect(steps.bench.calls().book).toBe(1)
  })

  test('a booking that is not yet visible is undefined, and found later', async () => {
    const order = await anOrder('CONTRACT0LATE0000001')
    add('late_visibility', 'book', 60_000)
    await steps.bench.vendor.book(order, context())
    expect(await find(order.reference)).toBeUndefined()
    steps.bench.clock.advance(60_001)
    expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
  })

  test('a wrong secret is a credentials failure, and nothing is booked', async () => {
    expect(
      await catchFailure(search(steps.bench.propertyIds, steps.bench.stay, steps.bench.wrongSecret)),
    ).toMatchObject({
      fault: 'credentials',
      effect: 'none',
    })
    const order = await anOrder('CONTRACT0SECRET00001')
    expect(await catchFailure(steps.bench.wrongSecret.book(order, context()))).toMatchObject({
      fault: 'credentials',
      effect: 'none',
    })
    expect(bookingsUnder(order.reference)).toBe(0)
  })

  test.each<[FaultKind, readonly string[]]>([
    ['html', ['malformed']],
    ['huge', ['malformed']],
    // Half a body is either a broken connection or invalid text.
    ['truncate', ['malformed', 'unreachable']],
    ['throttle', ['throttled']],
  ])('a search answered with %s fails as %j and changes nothing', async (kind, faults) => {
    steps.bench.faults.add({ kind, operation: 'availability' })
    const failure = await catchFailure(search())
    expect(faults).toContain(failure.fault)
    expect(failure.effect).toBe('none')
  })

  test('a broken connection is retried once for calls without side effects', async () => {
    add('reset_before', 'availability')
    expect((await search()).offers.length).toBeGreaterThan(6)
  })

  test('errors contain neither key nor secret', async () => {
    const order = await anOrder('CONTRACT0SECRETS0001')
    const failures: VendorError[] = []
    const kinds = ['html', 'truncate', 'throttle', 'error_before', 'reset_before', 'sold_out'] as const
    for (const [place, kind] of kinds.entries()) {
      add(kind, 'book')
      const reference = `CONTRACT0SECRETS100${place}`
      failures.push(await catchFailure(steps.bench.vendor.book({ ...order, reference }, context())))
    }
    failures.push(await catchFailure(search(steps.bench.propertyIds, steps.bench.stay, steps.bench.wrongSecret)))
    for (const failure of failures) {
      const seen = `${inspect(failure, { depth: 12, showHidden: true })} ${JSON.stringify(failure)} ${failure.stack}`
      for (const secret of steps.bench.secrets) expect(seen).not.toContain(secret)
    }
  })

  test('a feed resumes at its cursor', async () => {
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

  test('the probe reports a wrong secret', async () => {
    expect((await steps.bench.wrongSecret.probe(context())).some((probe) => !probe.ok)).toBe(true)
  })
}
