import { expect, test } from 'vitest'
import { addMoney, type Money } from '../../src/domain/money/money.ts'
import type { Receipt } from '../../src/vendors/contract.ts'
import type { Steps } from './contract-steps.ts'

/** A receipt that tells only what is charged says nothing about what the property collects. */
const costOf = ({ total, charged }: Receipt, due: Money): Money | undefined =>
  total ?? (charged && addMoney(charged, due))

/** What vendors have been seen to do to terms, bills and look-ups: the same for every vendor whose stand-in can do it. */
export function termsContract(steps: Steps): void {
  const { context, add, search, checked, anOrder, find, failureOf } = steps
  const isLater = (from: string) => Date.parse(from) > steps.bench.clock.now()

  test('terms that get worse at the check are told, though the total stays', async () => {
    const { market, timezone } = steps.bench
    const query = { stay: steps.bench.stay, market, timezone }
    const { offers } = await search()
    const all = await Promise.all(
      offers
        .slice(0, 12)
        .map(({ vendorPropertyId }) => steps.bench.vendor.rooms({ vendorPropertyId, ...query }, context())),
    )
    const rooms = all.flat()
    const free = rooms.find(({ cancel }) => cancel?.refundable && cancel.penalties.every(({ from }) => isLater(from)))
    const fed = rooms.find(({ board }) => board === 'breakfast')
    const taxed = rooms.find(({ price }) => price.fees.some(({ paidAt }) => paidAt === 'booking'))
    if (free === undefined || fed === undefined || taxed === undefined)
      throw new Error('a world without meals or taxes')

    add('terms_change', 'price_check')
    const bound = await checked(free)
    expect(bound.price.total).toEqual(free.price.total)
    expect(bound.cancel?.penalties.some(({ from }) => !isLater(from))).toBe(true)

    add('board_change', 'price_check')
    expect((await checked(fed)).board).toBe('room_only')

    add('fees_move', 'price_check')
    const moved = await checked(taxed)
    expect(moved.price.total).toEqual(taxed.price.total)
    expect(moved.price.dueAtProperty.minor).toBeGreaterThan(taxed.price.dueAtProperty.minor)
  })

  test('a receipt says which property, which dates and how many rooms are booked, and what that costs, when booked and when read', async () => {
    const order = await anOrder('CONTRACT0RECEIPT0001')
    const receipt = await steps.bench.vendor.book(order, context())
    const { checkIn, checkOut } = order.stay
    expect(receipt).toMatchObject({
      dates: { checkIn, checkOut },
      rooms: order.stay.occupancies.length,
    })
    expect(costOf(receipt, order.due)).toEqual(order.price)
    const read = await find(order.reference)
    expect(read && costOf(read, order.due)).toEqual(order.price)
    expect(steps.bench.propertyIds).toContain(receipt.property?.vendorPropertyId)
  })

  test('a bill that is higher than the check is told by the receipt', async () => {
    const order = await anOrder('CONTRACT0BILLED00001')
    add('bill_more', 'book')
    const receipt = await steps.bench.vendor.book(order, context())
    expect(costOf(receipt, order.due)?.minor).toBeGreaterThan(order.price.minor)
  })

  test('a proxy’s 404 page is not taken for "no such booking"', async () => {
    const order = await anOrder('CONTRACT0PROXY000001')
    add('proxy_404', 'book')
    expect(await failureOf(steps.bench.vendor.book(order, context()))).toMatchObject({ effect: 'unknown' })
    add('proxy_404', 'find')
    expect((await failureOf(find(order.reference))).fault).toBe('unavailable')
    expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
  })

  test('a vendor that loses sight of bookings does not prove absence', async () => {
    const order = await anOrder('CONTRACT0MISSING0001')
    await steps.bench.vendor.book(order, context())
    add('missing', 'find')
    expect(await find(order.reference)).toBeUndefined()
    expect(steps.bench.vendor.capabilities.absenceIsFinal).toBe(false)
  })
}
