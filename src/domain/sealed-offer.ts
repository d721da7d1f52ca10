import type { Keyring } from '../lib/crypto/keyring.ts'
import { openJson, sealJson } from '../lib/crypto/seal.ts'
import type { Sale } from './booking/sale.ts'
import type { Money } from './money/money.ts'
import type { Board, CancelTerms, Notice, OfferRef, Price, SellingBounds } from './offer.ts'
import { noticeKeyOf } from './property/notices.ts'
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
  /** Our readable name of the room type; absent in offers made by earlier versions. */
  readonly roomTypeName?: string
  readonly beds: readonly string[]
  readonly board: Board
  readonly stay: Stay
  readonly market: Market
  readonly timezone: string
  /** The net price in the vendor's own currency: what the vendor will charge. */
  readonly price: Price
  readonly cancel: CancelTerms | undefined
  readonly bounds?: SellingBounds
  /** What the vendor bills, where the price is one that it prescribes. */
  readonly payable?: Money
  /** What the client pays and agrees to, where that is not the net price. */
  readonly sale?: Sale
  readonly notices?: readonly Notice[]
  readonly ref: OfferRef
  readonly visible: Readonly<Record<string, string>>
  readonly expiresAt: number
  readonly simulated: boolean
  /** The traveller's address, for the calls that follow. */
  readonly customerIp?: string
  /** When a price check made this offer; its digest counts from here. */
  readonly checkedAt?: number
}

/** An offer as it was opened: its notices are named by their keys, and their texts are to be read. */
export type OpenedOffer = SealedOffer & { readonly noticeKeys?: readonly string[] }

const KIND = 'sof1'
/** What a client sees as the relative address: `GET` on it checks the price, and booking takes it back. */
const PREFIX = '/api/accommodation/price_check?token='

/** Handed to the client, and back to us. */
export type BookingInfo = { readonly price_check_uri: string } & Readonly<Record<string, string>>

/**
 * The `booking_info` of a room: the vendor's visible fields, and one address that holds the rest. An address may not grow with
 * what a vendor writes, so notices are sealed by their keys; whoever hands the offer out keeps their texts.
 */
export function sealOffer(keyring: Keyring, { notices = [], ...offer }: SealedOffer): BookingInfo {
  const { noticeKeys: _, ...rest }: OpenedOffer = offer
  const sealed = notices.length === 0 ? rest : { ...rest, noticeKeys: notices.map(noticeKeyOf) }
  return { ...offer.visible, price_check_uri: priceCheckUri(sealJson(keyring, KIND, sealed, { pack: true })) }
}

/**
 * The offer inside a `booking_info`; undefined unless every byte of it is as it was issued. `bookingInfo` holds only the
 * vendor's fields: reserved names have been taken out before.
 */
export function openOffer(keyring: Keyring, bookingInfo: Readonly<Record<string, unknown>>): OpenedOffer | undefined {
  const { price_check_uri: uri, ...visible } = bookingInfo
  if (typeof uri !== 'string' || !uri.startsWith(PREFIX)) return undefined
  const offer = openOfferToken(keyring, uri.slice(PREFIX.length))
  if (offer === undefined) return undefined
  return sameFields(visible, offer.visible) ? offer : undefined
}

export const priceCheckUri = (token: string): string => PREFIX + token

/** The offer in the address alone, as a price check is asked for. */
export const openOfferToken = (keyring: Keyring, token: string): OpenedOffer | undefined =>
  openJson<OpenedOffer>(keyring, KIND, token)

function sameFields(sent: Readonly<Record<string, unknown>>, issued: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(sent)
  return (
    names.length === Object.keys(issued).length &&
    names.every((name) => Object.hasOwn(issued, name) && sent[name] === issued[name])
  )
}
