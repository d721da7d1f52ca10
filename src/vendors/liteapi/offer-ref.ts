import type { Fee, OfferRef } from '../../domain/offer.ts'
import { occupancyKey, type Stay } from '../../domain/stay.ts'
import { asText, asTexts } from '../wire/read.ts'

/** State kept between an offer, its price check and its booking. */
export type StayRef = {
  readonly hotel: string
  /** Opaque; about 1100 characters. */
  readonly offerId: string
  readonly currency: string
  readonly zone: string
  readonly checkIn: string
  readonly checkOut: string
  /** One key per room; the booking must be for the same parties. */
  readonly parties: readonly string[]
  readonly roomIds: readonly string[]
  /** Fees shown to the guest, for price checks that omit them. */
  readonly fees: readonly Fee[]
  /** Set by the price check; required for booking. */
  readonly prebookId: string
  /** Amount that the property collects, in minor units. */
  readonly dueMinor: number
}

export const encodeParties = ({ occupancies }: Pick<Stay, 'occupancies'>): string[] => occupancies.map(occupancyKey)

export const encodeRef = ({ fees, ...ref }: StayRef): OfferRef => ({
  ...ref,
  fees: fees.map((fee) => JSON.stringify(fee)),
})

/** Undefined for a reference that this adapter did not create. */
export function decodeRef(ref: OfferRef): StayRef | undefined {
  const parties = asTexts(ref.parties)
  const [hotel, offerId, currency] = [asText(ref.hotel), asText(ref.offerId), asText(ref.currency)]
  if (hotel === '' || offerId === '' || currency === '' || parties.length === 0) return undefined
  return {
    hotel,
    offerId,
    currency,
    zone: asText(ref.zone) || 'UTC',
    checkIn: asText(ref.checkIn),
    checkOut: asText(ref.checkOut),
    parties,
    roomIds: asTexts(ref.roomIds),
    fees: asTexts(ref.fees).map((fee): Fee => JSON.parse(fee)),
    prebookId: asText(ref.prebookId),
    dueMinor: typeof ref.dueMinor === 'number' ? ref.dueMinor : 0,
  }
}
