import { expect, test } from 'vitest'
import type { OfferRef } from '../../../../src/domain/offer.ts'
import { VendorError } from '../../../../src/vendors/vendor-error.ts'
import {
  discountedCheck,
  equalRoomsCheck,
  expiredKey,
  familyCheck,
  type Json,
  twoParties,
} from '../../../support/vendors/hotelbeds.ts'
import { context, scripted } from './scripted.ts'

const NOW = '2026-11-16T08:00:00Z'
const EXPIRES = Date.parse(NOW) + 60_000
const eur = (major: number) => ({ minor: Math.round(major * 100), currency: 'EUR' })

type Check = { hotel: { code: number; currency: string; rooms: { code: string; rates: Json[] }[] } }

/** Reference of an offer with these rates. */
function refTo(check: Check, parties: string[], boards: string[], rateTypes: string[]): OfferRef {
  const rates = check.hotel.rooms.flatMap((room) => room.rates.map((rate) => ({ ...rate, room: room.code })))
  return {
    hotel: String(check.hotel.code),
    currency: check.hotel.currency,
    expiresAt: EXPIRES,
    parties,
    rateKeys: rates.slice(0, parties.length).map((rate: Json) => String(rate.rateKey)),
    rateTypes,
    roomCodes: rates.slice(0, parties.length).map((rate) => rate.room),
    boardCodes: boards,
  }
}

test('a checked price is the sum of all parties including hotel taxes', async () => {
  const body = twoParties()
  const ref = refTo(body, ['1x2-', '1x1-2'], ['BB', 'BB'], ['BOOKABLE', 'BOOKABLE'])
  const { vendor, calls } = scripted([{ body }], NOW)
  const checked = await vendor.priceCheck(ref, context)
  expect(calls).toHaveLength(1)
  expect(checked).toMatchObject({
    status: 'available',
    price: { total: eur(340 + 9), base: eur(340), dueAtProperty: eur(9), taxesFees: eur(9) },
    cancel: { refundable: false, penalties: [{ amount: eur(340) }] },
    expiresAt: EXPIRES,
  })
  if (checked.status === 'available')
    expect(checked.price.fees).toEqual([{ label: 'Tax', amount: eur(9), paidAt: 'property' }])
})

test.each([
  ['a family', familyCheck(), '1x1-5,6', eur(200 + 3)],
  ['two equal rooms', equalRoomsCheck(), '2x2-', eur(300 + 12)],
  ['a discount', discountedCheck(), '1x2-8', { minor: 18000, currency: 'USD' }],
])('the checked price of %s is decoded', async (_, body, party, total) => {
  const { vendor } = scripted([{ body }], NOW)
  expect(await vendor.priceCheck(refTo(body, [party], ['RO'], ['BOOKABLE']), context)).toMatchObject({
    price: { total },
  })
})

test('the envelope name of the current document is accepted', async () => {
  const { hotel, ...rest } = familyCheck()
  const { vendor } = scripted([{ body: { ...rest, hotels: hotel } }], NOW)
  const ref = refTo({ hotel }, ['1x1-5,6'], ['RO'], ['BOOKABLE'])
  expect(await vendor.priceCheck(ref, context)).toMatchObject({ status: 'available' })
})

test('a replaced rate key is matched by room, board and party, and used for booking', async () => {
  const body = familyCheck()
  const ref = refTo(body, ['1x1-5,6'], ['RO'], ['RECHECK'])
  const { vendor } = scripted([{ body }], NOW)
  const checked = await vendor.priceCheck({ ...ref, rateKeys: ['an older key'] }, context)
  expect(checked).toMatchObject({ status: 'available', ref: { rateKeys: ref.rateKeys } })
  if (checked.status === 'available') expect(checked.expiresAt).toBe(Date.parse(NOW) + 25 * 60_000)
})

test('each recheck rate is checked in its own call', async () => {
  const body = twoParties()
  const ref = refTo(body, ['1x2-', '1x1-2'], ['BB', 'BB'], ['RECHECK', 'RECHECK'])
  const [first, second] = ref.rateKeys as string[]
  const only = (key: string | undefined) => ({
    hotel: {
      ...body.hotel,
      rooms: body.hotel.rooms.map((room) => ({ ...room, rates: room.rates.filter(({ rateKey }) => rateKey === key) })),
    },
  })
  const { vendor, calls } = scripted([{ body: only(first) }, { body: only(second) }], NOW)
  expect(await vendor.priceCheck(ref, context)).toMatchObject({ status: 'available', price: { base: eur(340) } })
  expect(calls.map((call) => call.body)).toMatchObject([
    { rooms: [{ rateKey: first }] },
    { rooms: [{ rateKey: second }] },
  ])
})

test('recheck rates and bookable rates are checked in separate calls', async () => {
  const body = twoParties()
  const ref = refTo(body, ['1x2-', '1x1-2'], ['BB', 'BB'], ['BOOKABLE', 'RECHECK'])
  const { vendor, calls } = scripted([{ body }, { body }], NOW)
  expect(await vendor.priceCheck(ref, context)).toMatchObject({ status: 'available', price: { base: eur(340) } })
  const [bookable, recheck] = ref.rateKeys as string[]
  expect(calls.map((call) => call.body)).toMatchObject([
    { rooms: [{ rateKey: recheck }] },
    { rooms: [{ rateKey: bookable }] },
  ])
})

test('a rate that is missing from the check is sold out', async () => {
  const body = familyCheck()
  const ref = refTo(body, ['1x1-5,6'], ['RO'], ['BOOKABLE'])
  const { vendor } = scripted([{ body: { hotel: { ...body.hotel, rooms: [] } } }], NOW)
  expect(await vendor.priceCheck(ref, context)).toEqual({ status: 'sold_out' })
})

test('a product error in a check is sold out, an old key is expired', async () => {
  const ref = refTo(familyCheck(), ['1x1-5,6'], ['RO'], ['BOOKABLE'])
  const gone = { error: { code: 'PRODUCT_ERROR-1', message: 'ProductException(CHECK_RATE, Hotel not Available)' } }
  const { vendor } = scripted(
    [
      { status: 500, body: gone },
      { status: 400, body: expiredKey() },
    ],
    NOW,
  )
  expect(await vendor.priceCheck(ref, context)).toEqual({ status: 'sold_out' })
  await expect(vendor.priceCheck(ref, context)).rejects.toMatchObject({ fault: 'expired', effect: 'none' })
})

test('a check in another currency is malformed', async () => {
  const body = familyCheck()
  const ref = refTo(body, ['1x1-5,6'], ['RO'], ['BOOKABLE'])
  const { vendor } = scripted([{ body: { hotel: { ...body.hotel, currency: 'USD' } } }], NOW)
  await expect(vendor.priceCheck(ref, context)).rejects.toMatchObject({ fault: 'malformed', effect: 'none' })
})

test('a stay that needs card details is refused at the check', async () => {
  const body = familyCheck()
  const ref = refTo(body, ['1x1-5,6'], ['RO'], ['BOOKABLE'])
  const wanting = (paymentDataRequired: boolean) => ({ body: { hotel: { ...body.hotel, paymentDataRequired } } })
  const { vendor } = scripted([wanting(true), wanting(false)], NOW)
  await expect(vendor.priceCheck(ref, context)).rejects.toMatchObject({ fault: 'refused', effect: 'none' })
  expect(await vendor.priceCheck(ref, context)).toMatchObject({ status: 'available' })
})

test('an unknown offer reference is refused without a call', async () => {
  const { vendor, calls } = scripted([], NOW)
  for (const ref of [{}, { hotel: '1', currency: 'EUR', expiresAt: 1, parties: ['1x2-'], rateKeys: [] }]) {
    await expect(vendor.priceCheck(ref, context)).rejects.toBeInstanceOf(VendorError)
  }
  expect(calls).toEqual([])
})

test('a checked rate marked for packages is sold out, with its key or another', async () => {
  const body = familyCheck()
  const ref = refTo(body, ['1x1-5,6'], ['RO'], ['BOOKABLE'])
  for (const room of body.hotel.rooms) for (const rate of room.rates) Object.assign(rate, { packaging: true })
  const { vendor } = scripted([{ body }, { body }], NOW)
  expect(await vendor.priceCheck(ref, context)).toEqual({ status: 'sold_out' })
  expect(await vendor.priceCheck({ ...ref, rateKeys: ['another'] }, context)).toEqual({ status: 'sold_out' })
})

function familyWith(change: Json) {
  const body = familyCheck()
  const ref = refTo(body, ['1x1-5,6'], ['RO'], ['BOOKABLE'])
  for (const room of body.hotel.rooms) for (const rate of room.rates) Object.assign(rate, change)
  return scripted([{ body }], NOW).vendor.priceCheck(ref, context)
}

test.each<[string, Json]>([
  ['a price', { net: 'about 200' }],
  ['terms', { cancellationPolicies: [{ amount: 'half', from: '2027-06-12T23:59:00+02:00' }] }],
  ['a rate type', { rateType: 'MAYBE' }],
  ['a board', { boardCode: '??', boardName: '' }],
  ['guests', { adults: 7, rateKey: 'another' }],
])('a checked rate with an unreadable field is a failure, not sold out: %s', async (_, change) => {
  await expect(familyWith(change)).rejects.toMatchObject({ fault: 'malformed', effect: 'none' })
})

test('the check returns the current board', async () => {
  expect(await familyWith({})).toMatchObject({ board: 'room_only' })
  const changed = { boardCode: 'BB', boardName: 'BED AND BREAKFAST', rateKey: 'a new key' }
  expect(await familyWith(changed)).toMatchObject({ status: 'available', board: 'breakfast' })
})

test('comments are passed on unchanged in any language, without affecting the price', async () => {
  const rateComments = 'Kurtaxe 8,00 Euro, zahlbar bei Ankunft. Mindestalter 21. <b>Parking: 15 EUR</b>'
  const plain = await familyWith({})
  const checked = await familyWith({ rateComments })
  if (checked.status !== 'available' || plain.status !== 'available') throw new Error('not for sale')
  expect(checked.price).toEqual(plain.price)
  expect(checked.notices).toMatchObject([
    { kind: 'rate_comment', text: expect.stringContaining('8,00 Euro'), requiredAt: ['detail', 'checkout', 'voucher'] },
  ])
  expect(checked.notices?.[0]?.text).toMatch(/Mindestalter 21.*Parking: 15 EUR/)
})

test('penalties are scaled from net to a prescribed selling price', async () => {
  const [first, second] = ['2026-12-01T23:59:00+01:00', '2027-06-12T23:59:00+02:00']
  const checked = await familyWith({
    net: '200.00',
    sellingRate: '250.00',
    hotelMandatory: true,
    taxes: undefined,
    cancellationPolicies: [
      { amount: '50.00', from: first },
      { amount: '200.00', from: second },
    ],
  })
  expect(checked).toMatchObject({
    price: { total: eur(250) },
    cancel: { penalties: [{ amount: eur(62.5) }, { amount: eur(250) }], refundable: true },
  })
})

test('of two rates that could replace an unknown key, neither is taken', async () => {
  const body = familyCheck()
  const ref = { ...refTo(body, ['1x1-5,6'], ['RO'], ['RECHECK']), rateKeys: ['an older key'] }
  for (const room of body.hotel.rooms) {
    const [rate] = room.rates
    if (rate !== undefined) room.rates.push({ ...rate, rateKey: 'a dearer one', net: '999.00' })
  }
  const { vendor } = scripted([{ body }], NOW)
  await expect(vendor.priceCheck(ref, context)).rejects.toMatchObject({ fault: 'malformed', effect: 'none' })
})

test('a check asks for comments in the language of the search', async () => {
  const body = familyCheck()
  const ref = refTo(body, ['1x1-5,6'], ['RO'], ['BOOKABLE'])
  const { vendor, calls } = scripted([{ body }, { body }], NOW)
  const checked = await vendor.priceCheck({ ...ref, language: 'de-AT' }, context)
  await vendor.priceCheck(ref, context)
  expect(calls.map((call) => (call.body as Json).language)).toEqual(['ALE', 'ENG'])
  expect(checked).toMatchObject({ ref: { language: 'de-AT' } })
})
