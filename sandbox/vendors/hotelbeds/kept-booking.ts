import { toDecimal, toMajor } from '../../../src/domain/money/money.ts'
import { dateIn } from '../../../src/lib/time/plain-date.ts'
import { type Json, listIn, objectIn, textIn } from '../../server/read-json.ts'
import { spellRoom } from '../../world/rooms/spell-room.ts'
import { hotelHead } from './answer-availability.ts'
import { type CancelStep, computeCancelSteps, feeAt } from './cancel-steps.ts'
import { formatComment } from './comments.ts'
import type { OpenRate } from './open-rates.ts'
import { computeCharge, presentRate, type Shop } from './price-rates.ts'

/** A stored booking: enough to show it, to price its cancellation and to release its rooms. */
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
  /** Includes prices prescribed by the hotel; otherwise equal to `netMinor`. */
  readonly chargeMinor: number
  readonly createdAt: number
  readonly head: object
  readonly checkOut: string
  readonly rooms: readonly object[]
  readonly steps: readonly (readonly CancelStep[])[]
  /** Cancellation fee; set once the booking is cancelled. */
  readonly cancelledFor?: number
}

export function createKept(shop: Shop, body: Json, open: readonly OpenRate[], reference: string, now: number): Kept {
  const [first] = open
  if (first === undefined) throw new Error('the booking has no rates')
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
      (sum, { property, priced, facts }) => sum + computeCharge(shop, property, priced.rate, facts),
      0,
    ),
    createdAt: now,
    head: hotelHead(first.property, first.view),
    rooms: open.map((rate, index) => presentRoom(shop, rate, listIn(body, 'rooms')[index], index + 1, now)),
    steps: open.map(({ property, priced, facts }) => {
      return computeCancelSteps(property, priced.rate, facts.checkIn, facts.netMinor, now, facts.worse === 'terms')
    }),
  }
}

/** A booked rate has no rate key and no allotment. */
function presentRoom(shop: Shop, { facts, property, priced }: OpenRate, entry: unknown, id: number, now: number) {
  const { rateKey: _, rateType: __, allotment: ___, ...rate } = presentRate(shop, property, priced, facts, now)
  const name = spellRoom('capitals', property, priced.rate.room)
  return {
    status: 'CONFIRMED',
    id,
    code: facts.roomCode,
    name,
    // Reference of the supplier behind Hotelbeds; the hotel's reception does not know it.
    supplierReference: `${facts.hotel}${id}M-HJ`,
    paxes: listIn(entry, 'paxes'),
    rates: [{ ...rate, rateComments: formatComment(property, { rooms: facts.rooms, room: name }, shop.settings) }],
  }
}

/** References and holders are returned in capitals; totals are numbers here and strings inside the hotel. */
export function presentFull(kept: Kept) {
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

/** The booking response has no taxes; reading the booking returns them. */
export const presentConfirmed = (kept: Kept) =>
  presentFull({
    ...kept,
    rooms: kept.rooms.map((room) => ({
      ...room,
      rates: listIn(room, 'rates').map((rate) => ({ ...objectIn(rate), taxes: undefined })),
    })),
  })

/** The hotel's own confirmation numbers. */
export const presentReconfirmed = ({ reference, clientReference, rooms }: Kept) => ({
  reference,
  clientReference: clientReference.toUpperCase(),
  hotel: {
    rooms: rooms.map((room, index) => {
      const { id, code } = objectIn(room)
      return { id, code, supplierConfirmationCode: [`H${7_000_000 + index}`] }
    }),
  },
})

/** After a cancellation every total is the fee. A simulated cancellation looks the same. */
export function presentCancelled(kept: Kept, feeMinor: number) {
  const fee = { minor: feeMinor, currency: kept.currency }
  const { hotel, totalSellingRate: _, ...booking } = presentFull(kept)
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

export const computeCancelFee = (kept: Kept, now: number): number =>
  kept.steps.reduce((sum, steps) => sum + feeAt(steps, now), 0)

/** Shorter format of the list of bookings. */
export function presentListed(kept: Kept) {
  const { cancelledFor } = kept
  const booking = cancelledFor === undefined ? presentFull(kept) : presentCancelled(kept, cancelledFor)
  const { hotel, modificationPolicies: _, remark: __, ...rest } = booking
  return { ...rest, hotel: { ...kept.head, checkOut: kept.checkOut, checkIn: kept.checkIn, rooms: hotel.rooms } }
}
