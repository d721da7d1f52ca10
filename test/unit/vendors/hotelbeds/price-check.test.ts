import { expect, test } from 'vitest'
import type { OfferRef } from '../../../../src/domain/offer.ts'
import { VendorError } from '../../../../src/vendors/vendor-error.ts'
import { context, fixture, scripted } from './scripted.ts'

const NOW = '2018-11-16T08:00:00Z'
const EXPIRES = Date.parse(NOW) + 60_000
const eur = (major: number) => ({ minor: Math.round(major * 100), currency: 'EUR' })

type Rate = { rateKey: string; net: string }
type Check = { hotel: { code: number; currency: string; rooms: { code: string; rates: Rate[] }[] } }
const sample = (name: string) => fixture(`checkrates.response.${name}`) as Check & Record<string, unknown>

/** The ref an offer of these rates would have carried. */
function refTo(check: Check, parties: string[], boards: string[], rateTypes: string[]): OfferRef {
  const rates = check.hotel.rooms.flatMap((room) => room.rates.map((rate) => ({ ...rate, room: room.code })))
  return {
    hotel: String(check.hotel.code),
    currency: check.hotel.currency,
    expiresAt: EXPIRES,
    parties,
    rateKeys: rates.slice(0, parties.length).map((rate) => rate.rateKey),
    rateTypes,
    roomCodes: rates.slice(0, parties.length).map((rate) => rate.room),
    boardCodes: boards,
  }
}

test('a checked price is the sum over the parties, with what the hotel collects', async () => {
  const body = sample('two-ratekeys-upselling')
  const ref = refTo(body, ['1x2-', '1x1-2'], ['BB', 'BB'], ['BOOKABLE', 'BOOKABLE'])
  const { vendor, calls } = scripted([{ body }], NOW)
  const checked = await vendor.priceCheck(ref, context)
  expect(calls).toHaveLength(1)
  expect(checked).toMatchObject({
    status: 'available',
    price: { total: eur(362 + 9.9), base: eur(362), dueAtProperty: eur(9.9), taxesFees: eur(9.9) },
    cancel: { refundable: false, penalties: [{ amount: eur(362) }] },
    expiresAt: EXPIRES,
  })
  if (checked.status === 'available')
    expect(checked.price.fees).toEqual([{ label: 'Tax', amount: eur(9.9), paidAt: 'property' }])
})

test.each([
  ['children', '1x1-5,6', 'RO', eur(217.64 + 3.3)],
  ['same-room-x2', '2x2-', 'RO', eur(357.9 + 13.2)],
  ['discounts', '1x2-8', 'RO', { minor: 18758, currency: 'USD' }],
])('%s is read', async (name, party, board, total) => {
  const body = sample(name)
  const { vendor } = scripted([{ body }], '2016-04-11T18:30:00Z')
  expect(await vendor.priceCheck(refTo(body, [party], [board], ['BOOKABLE']), context)).toMatchObject({
    price: { total },
  })
})

test('the envelope may also be called as the current document says', async () => {
  const { hotel, ...rest } = sample('children')
  const { vendor } = scripted([{ body: { ...rest, hotels: hotel } }], NOW)
  const ref = refTo({ hotel }, ['1x1-5,6'], ['RO'], ['BOOKABLE'])
  expect(await vendor.priceCheck(ref, context)).toMatchObject({ status: 'available' })
})

test('a key that was replaced is recognised by room, board and party, and booked with', async () => {
  const body = sample('children')
  const ref = refTo(body, ['1x1-5,6'], ['RO'], ['RECHECK'])
  const { vendor } = scripted([{ body }], NOW)
  const checked = await vendor.priceCheck({ ...ref, rateKeys: ['an older key'] }, context)
  expect(checked).toMatchObject({ status: 'available', ref: { rateKeys: ref.rateKeys } })
  if (checked.status === 'available') expect(checked.expiresAt).toBe(Date.parse(NOW) + 25 * 60_000)
})

test('rates to recheck and bookable ones go in calls of their own', async () => {
  const body = sample('two-ratekeys-upselling')
  const ref = refTo(body, ['1x2-', '1x1-2'], ['BB', 'BB'], ['BOOKABLE', 'RECHECK'])
  const { vendor, calls } = scripted([{ body }, { body }], NOW)
  expect(await vendor.priceCheck(ref, context)).toMatchObject({ status: 'available', price: { base: eur(362) } })
  const [bookable, recheck] = ref.rateKeys as string[]
  expect(calls.map((call) => call.body)).toMatchObject([
    { rooms: [{ rateKey: recheck }] },
    { rooms: [{ rateKey: bookable }] },
  ])
})

test('a rate that is missing from the answer is sold out', async () => {
  const body = sample('children')
  const ref = refTo(body, ['1x1-5,6'], ['RO'], ['BOOKABLE'])
  const { vendor } = scripted([{ body: { hotel: { ...body.hotel, rooms: [] } } }], NOW)
  expect(await vendor.priceCheck(ref, context)).toEqual({ status: 'sold_out' })
})

test('a product error while checking is sold out, an old key is expired', async () => {
  const ref = refTo(sample('children'), ['1x1-5,6'], ['RO'], ['BOOKABLE'])
  const gone = { error: { code: 'PRODUCT_ERROR-1', message: 'ProductException(CHECK_RATE, Hotel not Available)' } }
  const { vendor } = scripted(
    [
      { status: 500, body: gone },
      { status: 400, body: fixture('error.400.ratekey-expired') },
    ],
    NOW,
  )
  expect(await vendor.priceCheck(ref, context)).toEqual({ status: 'sold_out' })
  await expect(vendor.priceCheck(ref, context)).rejects.toMatchObject({ fault: 'expired', effect: 'none' })
})

test('an answer in another currency is no answer', async () => {
  const body = sample('children')
  const ref = refTo(body, ['1x1-5,6'], ['RO'], ['BOOKABLE'])
  const { vendor } = scripted([{ body: { hotel: { ...body.hotel, currency: 'USD' } } }], NOW)
  await expect(vendor.priceCheck(ref, context)).rejects.toMatchObject({ fault: 'malformed', effect: 'none' })
})

test('a ref of another make is refused before anything is sent', async () => {
  const { vendor, calls } = scripted([], NOW)
  for (const ref of [{}, { hotel: '1', currency: 'EUR', expiresAt: 1, parties: ['1x2-'], rateKeys: [] }]) {
    await expect(vendor.priceCheck(ref, context)).rejects.toBeInstanceOf(VendorError)
  }
  expect(calls).toEqual([])
})

test('a rate that was offered is read under its key even where it is marked for packages, a stand-in for it is not', async () => {
  const body = sample('children')
  const ref = refTo(body, ['1x1-5,6'], ['RO'], ['BOOKABLE'])
  for (const room of body.hotel.rooms) for (const rate of room.rates) Object.assign(rate, { packaging: true })
  const { vendor } = scripted([{ body }, { body }], NOW)
  expect(await vendor.priceCheck(ref, context)).toMatchObject({ status: 'available' })
  expect(await vendor.priceCheck({ ...ref, rateKeys: ['another'] }, context)).toEqual({ status: 'sold_out' })
})
