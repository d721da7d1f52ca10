import type { OfferRef } from '../../domain/offer.ts'
import { asTexts } from '../wire/read.ts'
import type { Party } from './parties.ts'
import type { Quote } from './rate.ts'

/** State kept between an offer, its price check and its booking: one rate key per party. */
export type StayRef = {
  readonly hotel: string
  readonly currency: string
  readonly zone: string | undefined
  readonly expiresAt: number
  /** Language of the search. */
  readonly language?: string | undefined
  /** Party keys in order; the booking must be for the same parties. */
  readonly parties: readonly string[]
  readonly rates: readonly Pick<Quote, 'party' | 'rateKey' | 'recheck' | 'roomCode' | 'boardCode'>[]
}

type Offered = Omit<StayRef, 'parties' | 'rates'> & {
  readonly parties: readonly Party[]
  readonly quotes: readonly Quote[]
}

export function encodeRef({ hotel, currency, zone, expiresAt, language, parties, quotes }: Offered): OfferRef {
  return {
    hotel,
    currency,
    ...(zone !== undefined && { zone }),
    expiresAt,
    ...(language !== undefined && { language }),
    parties: parties.map((party) => party.key),
    rateKeys: quotes.map((quote) => quote.rateKey),
    rateTypes: quotes.map((quote) => (quote.recheck ? 'RECHECK' : 'BOOKABLE')),
    roomCodes: quotes.map((quote) => quote.roomCode),
    boardCodes: quotes.map((quote) => quote.boardCode),
  }
}

/** Undefined for a reference that this adapter did not create. */
export function decodeRef(ref: OfferRef): StayRef | undefined {
  const { hotel, currency, zone, expiresAt } = ref
  const parties = asTexts(ref.parties)
  const rateKeys = asTexts(ref.rateKeys)
  const [rateTypes, roomCodes, boardCodes] = [asTexts(ref.rateTypes), asTexts(ref.roomCodes), asTexts(ref.boardCodes)]
  if (typeof hotel !== 'string' || typeof currency !== 'string' || typeof expiresAt !== 'number') return undefined
  const lengths = [rateKeys, rateTypes, roomCodes, boardCodes].map((list) => list.length)
  if (parties.length === 0 || lengths.some((length) => length !== parties.length)) return undefined
  return {
    hotel,
    currency,
    zone: typeof zone === 'string' ? zone : undefined,
    expiresAt,
    language: typeof ref.language === 'string' ? ref.language : undefined,
    parties,
    rates: rateKeys.map((rateKey, party) => ({
      party,
      rateKey,
      recheck: rateTypes[party] === 'RECHECK',
      roomCode: roomCodes[party] ?? '',
      boardCode: boardCodes[party] ?? '',
    })),
  }
}
