import type { Fee, OfferRef } from '../../domain/offer.ts'
import { occupancyKey, type Stay } from '../../domain/stay.ts'
import { textOf, textsOf } from '../wire/read.ts'

/** What has to be kept between an offer, its price check and its booking. */
export type StayRef = {
  readonly hotel: string
  /** About 1100 characters; copied, never read. */
  readonly offerId: string
  readonly currency: string
  readonly zone: string
  readonly checkIn: string
  readonly checkOut: string
  /** One text per room; a booking must be for exactly these. */
  readonly parties: readonly string[]
  readonly roomIds: readonly string[]
  /** What was shown as paid beside the base, for checks that leave it out. */
  readonly fees: readonly Fee[]
  /** Of the price check; only then can it be booked. */
  readonly prebookId: string
  /** What the checked price leaves for the property to collect, in minor units. */
  readonly dueMinor: number
}

export const partiesOf = ({ occupancies }: Pick<Stay, 'occupancies'>): string[] => occupancies.map(occupancyKey)

export const encodeRef = ({ fees, ...ref }: StayRef): OfferRef => ({
  ...ref,
  fees: fees.map((fee) => JSON.stringify(fee)),
})

/** Undefined for a ref that this adapter did not write. */
export function decodeRef(ref: OfferRef): StayRef | undefined {
  const parties = textsOf(ref.parties)
  const [hotel, offerId, currency] = [textOf(ref.hotel), textOf(ref.offerId), textOf(ref.currency)]
  if (hotel === '' || offerId === '' || currency === '' || parties.length === 0) return undefined
  return {
    hotel,
    offerId,
    currency,
    zone: textOf(ref.zone) || 'UTC',
    checkIn: textOf(ref.checkIn),
    checkOut: textOf(ref.checkOut),
    parties,
    roomIds: textsOf(ref.roomIds),
    fees: textsOf(ref.fees).map((fee): Fee => JSON.parse(fee)),
    prebookId: textOf(ref.prebookId),
    dueMinor: typeof ref.dueMinor === 'number' ? ref.dueMinor : 0,
  }
}
