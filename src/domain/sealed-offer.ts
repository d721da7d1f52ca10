import type { Keyring } from '../lib/crypto/keyring.ts'
import { openJson, sealJson } from '../lib/crypto/seal.ts'
import type { Sale } from './booking/sale.ts'
import type { Money } from './money/money.ts'
import type { Board, CancelTerms, Notice, OfferRef, Price, SellingBounds } from './offer.ts'
import { hashNotice } from './property/notices.ts'
import type { Market, Stay } from './stay.ts'

/** Sealed into the `booking_info` of a room. Booking trusts nothing else: neither the saved search nor the visible fields. */
export type SealedOffer = {
  /** Unique; the idempotency key of a booking without its own. */
  readonly offerId: string
  /** Shared by all offers of one room of one search; absent in the first offer of a sample. */
  readonly lineage?: string
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
  /** Capacity and labels of the rate, which a price check does not report. */
  readonly sleeps?: number
  readonly extras?: readonly string[]
  readonly stay: Stay
  readonly market: Market
  readonly timezone: string
  /** Net price in the vendor's currency. */
  readonly price: Price
  readonly cancel: CancelTerms | undefined
  readonly bounds?: SellingBounds
  /** Amount that the vendor bills, if it prescribes the selling price. */
  readonly payable?: Money
  /** Total that the vendor will bill, if it bills in another currency than that of the price. */
  readonly billable?: Money
  /** Price and terms for the client, if they differ from the net ones. */
  readonly sale?: Sale
  readonly notices?: readonly Notice[]
  readonly ref: OfferRef
  readonly visible: Readonly<Record<string, string>>
  readonly expiresAt: number
  readonly simulated: boolean
  /** IP address of the customer, for later vendor calls. */
  readonly customerIp?: string
  /** Time of the price check that created this offer; its terms digest refers to it. */
  readonly checkedAt?: number
}

/** Contains only the keys of the notices; their texts are read from the store. */
export type OpenedOffer = SealedOffer & { readonly noticeKeys?: readonly string[] }

/** Offers of earlier versions begin a lineage of their own. */
export const readLineage = ({ lineage, offerId }: Pick<SealedOffer, 'lineage' | 'offerId'>): string =>
  lineage ?? offerId

const KIND = 'sof1'
/** `GET` on this relative URL checks the price. */
const PREFIX = '/api/accommodation/price_check?token='

/** Given to the client, which sends it back to book. */
export type BookingInfo = { readonly price_check_uri: string } & Readonly<Record<string, string>>

/** Seals notices by their keys, because the length of a URL is limited. The caller stores their texts. */
export function sealOffer(keyring: Keyring, { notices = [], ...offer }: SealedOffer): BookingInfo {
  const { noticeKeys: _, ...rest }: OpenedOffer = offer
  const sealed = notices.length === 0 ? rest : { ...rest, noticeKeys: notices.map(hashNotice) }
  return { ...offer.visible, price_check_uri: priceCheckUri(sealJson(keyring, KIND, sealed, { pack: true })) }
}

/** Undefined unless every byte is as issued. The caller has removed reserved names from `bookingInfo`. */
export function openOffer(keyring: Keyring, bookingInfo: Readonly<Record<string, unknown>>): OpenedOffer | undefined {
  const { price_check_uri: uri, ...visible } = bookingInfo
  if (typeof uri !== 'string' || !uri.startsWith(PREFIX)) return undefined
  const offer = openOfferToken(keyring, uri.slice(PREFIX.length))
  if (offer === undefined) return undefined
  return sameFields(visible, offer.visible) ? offer : undefined
}

export const priceCheckUri = (token: string): string => PREFIX + token

/** Id of the secret that an offer was sealed with. */
export const readSecretId = ({ price_check_uri: uri }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof uri === 'string' ? uri.slice(PREFIX.length).split('.')[1] : undefined

/** Opens an offer without its visible fields, for a price check. */
export const openOfferToken = (keyring: Keyring, token: string): OpenedOffer | undefined =>
  openJson<OpenedOffer>(keyring, KIND, token)

function sameFields(sent: Readonly<Record<string, unknown>>, issued: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(sent)
  return (
    names.length === Object.keys(issued).length &&
    names.every((name) => Object.hasOwn(issued, name) && sent[name] === issued[name])
  )
}
