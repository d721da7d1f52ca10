import { expect, test } from 'vitest'
import { addMoney, type Money } from '../../src/domain/money/money.ts'
import type { Notice } from '../../src/domain/offer.ts'
import { renewNotices } from '../../src/domain/property/notices.ts'
import type { Receipt } from '../../src/vendors/contract.ts'
import type { Steps } from './contract-steps.ts'

/** Without a total, the receipt contains only the charge, without property fees. */
const readCost = ({ total, charged }: Receipt, due: Money): Money | undefined =>
  total ?? (charged && addMoney(charged, due))

/** Changes that vendors make to terms, bills and look-ups, for every vendor whose sandbox supports them. */
export function termsContract(steps: Steps): void {
  const { context, add, search, checked, anOrder, find, catchFailure } = steps
  const isLater = (from: string) => Date.parse(from) > steps.bench.clock.now()

  test('the check reports worse terms even if the total is the same', async () => {
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

  test('a breakfast for one guest of two is not sold as breakfast, and its own words are shown', async () => {
    steps.bench.settings.headCountMeals = 1
    const { offers } = await search()
    expect(offers.map(({ board }) => board)).not.toContain('breakfast')
    const listed = await Promise.all(
      offers.slice(0, 12).map(({ vendorPropertyId }) => steps.listRooms(vendorPropertyId)),
    )
    expect(listed.flat().map(({ board }) => board)).not.toContain('breakfast')
    const isForOne = ({ text }: Notice) => /breakfast for (1|one)/i.test(text)
    const forOne = listed.flat().find(({ notices = [] }) => notices.some(isForOne))
    if (forOne === undefined) throw new Error('no breakfast for one guest')
    expect(forOne).toMatchObject({
      board: 'some_meals',
      extras: expect.arrayContaining([expect.stringMatching(/breakfast for/i)]),
    })
    const check = await checked(forOne)
    expect(renewNotices(forOne.notices ?? [], check.notices ?? []).filter(isForOne)).toMatchObject([
      { requiredAt: expect.arrayContaining(['checkout', 'voucher']) },
    ])
    expect(check.board ?? forOne.board).toBe('some_meals')
    const alone = { ...steps.bench.stay, occupancies: [{ adults: 1, childrenAges: [] }] }
    const found = await search(steps.bench.propertyIds, alone)
    const single = await Promise.all(
      found.offers.map(({ vendorPropertyId }) => steps.listRooms(vendorPropertyId, alone)),
    )
    expect(single.flat().map(({ board }) => board)).toContain('breakfast')
  })

  test('a receipt contains property, dates, rooms and price, after booking and when read', async () => {
    const order = await anOrder('CONTRACT0RECEIPT0001')
    const receipt = await steps.bench.vendor.book(order, context())
    const { checkIn, checkOut } = order.stay
    expect(receipt).toMatchObject({
      dates: { checkIn, checkOut },
      rooms: order.stay.occupancies.length,
    })
    expect(readCost(receipt, order.due)).toEqual(order.price)
    const read = await find(order.reference)
    expect(read && readCost(read, order.due)).toEqual(order.price)
    expect(steps.bench.propertyIds).toContain(receipt.property?.vendorPropertyId)
  })

  test('the receipt contains a bill that is higher than the check', async () => {
    const order = await anOrder('CONTRACT0BILLED00001')
    add('bill_more', 'book')
    const receipt = await steps.bench.vendor.book(order, context())
    expect(readCost(receipt, order.due)?.minor).toBeGreaterThan(order.price.minor)
  })

  test('a proxy’s 404 page is not taken for "no such booking"', async () => {
    const order = await anOrder('CONTRACT0PROXY000001')
    add('proxy_404', 'book')
    expect(await catchFailure(steps.bench.vendor.book(order, context()))).toMatchObject({ effect: 'unknown' })
    add('proxy_404', 'find')
    expect((await catchFailure(find(order.reference))).fault).toBe('unavailable')
    expect(await find(order.reference)).toMatchObject({ state: 'confirmed' })
  })

  test('a vendor that temporarily loses bookings does not prove absence', async () => {
    const order = await anOrder('CONTRACT0MISSING0001')
    await steps.bench.vendor.book(order, context())
    add('missing', 'find')
    expect(await find(order.reference)).toBeUndefined()
    expect(steps.bench.vendor.capabilities.absenceIsFinal).toBe(false)
  })
}
