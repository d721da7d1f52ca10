import type { Keyring } from '../lib/keyring.ts'
import { openJson, sealJson } from '../lib/seal.ts'
import type { Board, CancelTerms, OfferRef, Price } from './offer.ts'
import type { Market, Stay } from './stay.ts'

/**
 * All that booking needs to know, sealed into the `booking_info` of a room. Booking believes nothing else: not the
 * saved search, not the fields a client can see.
 */
export type SealedOffer = {
  /** Unique; the idempotency key of a booking that brings none. */
  readonly offerId: string
  readonly accountId: string
  readonly searchId: string
  readonly propertyId: string
  readonly vendorId: string
  readonly vendorPropertyId: string
  readonly roomId: string
  readonly roomIds?: readonly string[]
  readonly roomName: string
  readonly beds: readonly string[]
  readonly board: Board
  readonly stay: Stay
  readonly market: Market
  readonly timezone: string
  /** In the vendor's own currency: what will be charged. */
  readonly price: Price
  readonly cancel: CancelTerms | undefined
  readonly ref: OfferRef
  readonly visible: Readonly<Record<string, string>>
  readonly expiresAt: number
  readonly simulated: boolean
}

const KIND = 'sof1'
/** What a client sees as the relative address; it is never requested, only handed back. */
const PREFIX = '/api/accommodation/price_check?token='

/** The `booking_info` of a room: the vendor's visible fields, and one address that holds the rest. */
export function sealOffer(keyring: Keyring, offer: SealedOffer): Record<string, string> {
  return { ...offer.visible, price_check_uri: PREFIX + sealJson(keyring, KIND, offer, { pack: true }) }
}

/**
 * The offer inside a `booking_info`; undefined unless every byte of it is as it was issued. `bookingInfo` holds only the
 * vendor's fields: reserved names have been taken out before.
 */
export function openOffer(keyring: Keyring, bookingInfo: Readonly<Record<string, unknown>>): SealedOffer | undefined {
  const { price_check_uri: uri, ...visible } = bookingInfo
  if (typeof uri !== 'string' || !uri.startsWith(PREFIX)) return undefined
  const offer = openJson(keyring, KIND, uri.slice(PREFIX.length)) as SealedOffer | undefined
  if (offer === undefined) return undefined
  return sameFields(visible, offer.visible) ? offer : undefined
}

function sameFields(sent: Readonly<Record<string, unknown>>, issued: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(sent)
  return (
    names.length === Object.keys(issued).length &&
    names.every((name) => Object.hasOwn(issued, name) && sent[name] === issued[name])
  )
}
