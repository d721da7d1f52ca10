import { toDecimal, toMajor } from '../../../src/domain/money/money.ts'
import { dateIn } from '../../../src/lib/time/plain-date.ts'
import { type Json, listIn, objectIn, textIn } from '../../server/read-json.ts'
import { spellRoom } from '../../world/rooms/spell-room.ts'
import { hotelHead } from './answer-availability.ts'
import { type CancelStep, cancelStepsOf, feeAt } from './cancel-steps.ts'
import { commentOf } from './comments.ts'
import type { OpenRate } from './open-rates.ts'
import { chargeOf, presentRate, type Shop } from './price-rates.ts'

/** A booking as the stand-in keeps it: enough to show it, to price its cancellation and to release its rooms. */
export type Kept = {
  readonly reference: string
  readonly clientReference: string
  readonly creationDate: string
  readonly holder: { readonly name: string; readonly surname: string }
  readonly remark: string
  readonly checkIn: string
  readonly timezone: string
  readonly currency: string
  readonly netMinor: number
  /** With prices that a hotel prescribes; else the same. */
  readonly chargeMinor: number
  readonly createdAt: number
  readonly head: object
  readonly checkOut: string
  readonly rooms: readonly object[]
  readonly steps: readonly (readonly CancelStep[])[]
  /** Set once it is cancelled: what that cost. */
  readonly cancelledFor?: number
}

export function keptOf(shop: Shop, body: Json, open: readonly OpenRate[], reference: string, now: number): Kept {
  const [first] = open
  if (first === undefined) throw new Error('a booking of nothing')
  const holder = objectIn(body, 'holder')
  return {
    reference,
    clientReference: textIn(body, 'clientReference'),
    creationDate: dateIn('UTC', now),
    holder: { name: textIn(holder, 'name'), surname: textIn(holder, 'surname') },
    remark: textIn(body, 'remark'),
    checkIn: first.facts.checkIn,
    checkOut: first.facts.checkOut,
    timezone: first.property.place.timezone,
    currency: shop.currency,
    netMinor: open.reduce((sum, { facts }) => sum + facts.netMinor, 0),
    chargeMinor: open.reduce(
      (sum, { property, priced, facts }) => sum + chargeOf(shop, property, priced.rate, facts),
      0,
    ),
    createdAt: now,
    head: hotelHead(first.property, first.view),
    rooms: open.map((rate, index) => roomOf(shop, rate, listIn(body, 'rooms')[index], index + 1, now)),
    steps: open.map(({ property, priced, facts }) => {
      return cancelStepsOf(property, priced.rate, facts.checkIn, facts.netMinor, now, facts.worse === 'terms')
    }),
  }
}

/** A booked rate has no rate key and no allotment. */
function roomOf(shop: Shop, { facts, property, priced }: OpenRate, entry: unknown, id: number, now: number) {
  const { rateKey: _, rateType: __, allotment: ___, ...rate } = presentRate(shop, property, priced, facts, now)
  const name = spellRoom('capitals', property, priced.rate.room)
  return {
    status: 'CONFIRMED',
    id,
    code: facts.roomCode,
    name,
    // Of the supplier behind Hotelbeds; the reception does not know it.
    supplierReference: `${facts.hotel}${id}M-HJ`,
    paxes: listIn(entry, 'paxes'),
    rates: [{ ...rate, rateComments: commentOf(property, { rooms: facts.rooms, room: name }, shop.settings) }],
  }
}

/** References and holders come back in capitals; totals are numbers here and texts inside the hotel. */
export function presentBooking(kept: Kept) {
  const total = { minor: kept.netMinor, currency: kept.currency }
  return {
    reference: kept.reference,
    clientReference: kept.clientReference.toUpperCase(),
    creationDate: kept.creationDate,
    status: 'CONFIRMED',
    modificationPolicies: { cancellation: true, modification: true },
    creationUser: 'sandbox',
    holder: { name: kept.holder.name.toUpperCase(), surname: kept.holder.surname.toUpperCase() },
    hotel: {
      checkOut: kept.checkOut,
      checkIn: kept.checkIn,
      ...kept.head,
      rooms: kept.rooms,
      totalNet: toDecimal(total),
      currency: kept.currency,
      supplier: { name: 'SANDBOX PRODUCT', vatNumber: 'XX00000000' },
    },
    remark: kept.remark,
    invoiceCompany: { code: 'E00', company: 'SANDBOX', registrationNumber: 'XX00000000' },
    totalNet: toMajor(total),
    ...(kept.chargeMinor !== kept.netMinor && {
      totalSellingRate: toMajor({ minor: kept.chargeMinor, currency: kept.currency }),
    }),
    pendingAmount: toMajor(total),
    currency: kept.currency,
  }
}

/** The answer to a booking has no taxes; reading it has. */
export const presentConfirmed = (kept: Kept) =>
  presentBooking({
    ...kept,
    rooms: kept.rooms.map((room) => ({
      ...room,
      rates: listIn(room, 'rates').map((rate) => ({ ...objectIn(rate), taxes: undefined })),
    })),
  })

/** The hotel's own numbers. */
export const presentReconfirmed = ({ reference, clientReference, rooms }: Kept) => ({
  reference,
  clientReference: clientReference.toUpperCase(),
  hotel: {
    rooms: rooms.map((room, place) => {
      const { id, code } = objectIn(room)
      return { id, code, supplierConfirmationCode: [`H${7_000_000 + place}`] }
    }),
  },
})

/** After a cancellation every total is the fee. A simulated one looks the same. */
export function presentCancelled(kept: Kept, feeMinor: number) {
  const fee = { minor: feeMinor, currency: kept.currency }
  const { hotel, totalSellingRate: _, ...booking } = presentBooking(kept)
  return {
    ...booking,
    cancellationReference: `C${kept.reference.replace('-', '')}`,
    status: 'CANCELLED',
    modificationPolicies: { cancellation: false, modification: false },
    hotel: {
      ...hotel,
      rooms: kept.rooms.map((room) => ({ ...room, status: 'CANCELLED' })),
      totalNet: toDecimal(fee),
      cancellationAmount: toMajor(fee),
    },
    totalNet: toMajor(fee),
    pendingAmount: toMajor(fee),
  }
}

export const cancelFeeOf = (kept: Kept, now: number): number =>
  kept.steps.reduce((sum, steps) => sum + feeAt(steps, now), 0)

/** The shorter form of the list of bookings. */
export function presentListed(kept: Kept) {
  const { cancelledFor } = kept
  const booking = cancelledFor === undefined ? presentBooking(kept) : presentCancelled(kept, cancelledFor)
  const { hotel, modificationPolicies: _, remark: __, ...rest } = booking
  return { ...rest, hotel: { ...kept.head, checkOut: kept.checkOut, checkIn: kept.checkIn, rooms: hotel.rooms } }
}
