import { toDecimal, toMajor } from '../../domain/money.ts'
import { dateIn } from '../../lib/plain-date.ts'
import { hotelHead } from './answer-availability.ts'
import { type CancelStep, cancelStepsOf, feeAt } from './cancel-steps.ts'
import type { OpenRate } from './open-rates.ts'
import { presentRate, type Shop } from './price-rates.ts'
import { type Json, listIn, objectIn, textIn } from './read-request.ts'

/** A booking as the stand-in keeps it: enough to show, to price a cancellation and to give the rooms back. */
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
    head: hotelHead(first.property, first.view),
    rooms: open.map((rate, index) => roomOf(shop, rate, listIn(body, 'rooms')[index], index + 1, now)),
    steps: open.map(({ property, priced, facts }) => {
      return cancelStepsOf(property, priced.rate, facts.checkIn, facts.netMinor, now)
    }),
  }
}

/** No rate key in a booking, and no allotment: what is booked is booked. */
function roomOf(shop: Shop, { facts, property, priced }: OpenRate, entry: unknown, id: number, now: number) {
  const { rateKey: _, rateType: __, allotment: ___, ...rate } = presentRate(shop, property, priced, facts, now)
  return {
    status: 'CONFIRMED',
    id,
    code: facts.roomCode,
    name: priced.rate.room.name.toUpperCase(),
    paxes: listIn(entry, 'paxes'),
    rates: [{ ...rate, rateComments: `Check-in hour ${property.checkInTime}.` }],
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
    pendingAmount: toMajor(total),
    currency: kept.currency,
  }
}

/** After a cancellation every total is the fee. A simulated one looks the same. */
export function presentCancelled(kept: Kept, feeMinor: number) {
  const fee = { minor: feeMinor, currency: kept.currency }
  const { hotel, ...booking } = presentBooking(kept)
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
  const booking = kept.cancelledFor === undefined ? presentBooking(kept) : presentCancelled(kept, kept.cancelledFor)
  const { hotel, modificationPolicies: _, remark: __, ...rest } = booking
  return { ...rest, hotel: { ...kept.head, checkOut: kept.checkOut, checkIn: kept.checkIn, rooms: hotel.rooms } }
}
