import type { OfferRef } from '../../domain/offer.ts'
import type { Quote } from './decode-rate.ts'
import type { Party } from './parties.ts'

/** What has to be kept between an offer, its price check and its booking: one rate key a party. */
export type StayRef = {
  readonly hotel: string
  readonly currency: string
  readonly zone: string | undefined
  readonly expiresAt: number
  /** Party keys in order; a booking must be for exactly these. */
  readonly parties: readonly string[]
  readonly rates: readonly {
    readonly party: number
    readonly rateKey: string
    readonly recheck: boolean
    readonly roomCode: string
    readonly boardCode: string
  }[]
}

type Offered = {
  readonly hotel: string
  readonly currency: string
  readonly zone: string | undefined
  readonly expiresAt: number
  readonly parties: readonly Party[]
  readonly quotes: readonly Quote[]
}

export function encodeRef({ hotel, currency, zone, expiresAt, parties, quotes }: Offered): OfferRef {
  return {
    hotel,
    currency,
    ...(zone !== undefined && { zone }),
    expiresAt,
    parties: parties.map((party) => party.key),
    rateKeys: quotes.map((quote) => quote.rateKey),
    rateTypes: quotes.map((quote) => (quote.recheck ? 'RECHECK' : 'BOOKABLE')),
    roomCodes: quotes.map((quote) => quote.roomCode),
    boardCodes: quotes.map((quote) => quote.boardCode),
  }
}

/** Undefined for a ref that this adapter did not write. */
export function decodeRef(ref: OfferRef): StayRef | undefined {
  const { hotel, currency, zone, expiresAt } = ref
  const parties = texts(ref.parties)
  const rateKeys = texts(ref.rateKeys)
  const [rateTypes, roomCodes, boardCodes] = [texts(ref.rateTypes), texts(ref.roomCodes), texts(ref.boardCodes)]
  if (typeof hotel !== 'string' || typeof currency !== 'string' || typeof expiresAt !== 'number') return undefined
  const lengths = [rateKeys, rateTypes, roomCodes, boardCodes].map((list) => list.length)
  if (parties.length === 0 || lengths.some((length) => length !== parties.length)) return undefined
  return {
    hotel,
    currency,
    zone: typeof zone === 'string' ? zone : undefined,
    expiresAt,
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

const texts = (value: OfferRef[string] | undefined): readonly string[] => (Array.isArray(value) ? value : [])

/** A party from its key (`2x2-5,6`), for reading answers when the stay itself is not at hand. */
export function partiesOfKeys(keys: readonly string[]): Party[] {
  return keys.map((key) => {
    const [, rooms = '1', adults = '1', ages = ''] = /^(\d+)x(\d+)-([\d,]*)$/.exec(key) ?? []
    return {
      adults: Number(adults),
      childrenAges: ages === '' ? [] : ages.split(',').map(Number),
      rooms: Array.from({ length: Number(rooms) }, (_, index) => index),
      key,
    }
  })
}
