import { digitsOf } from '../../domain/currency.ts'
import type { Money } from '../../domain/money.ts'
import type { Board, Fee, Price } from '../../domain/offer.ts'
import { plainText } from '../../lib/clean-markup.ts'
import { minorOf } from './amount.ts'
import { type FeeFacts, readSteps } from './cancel-terms.ts'
import { type Party, partyIndexOf } from './parties.ts'
import {
  isDecimal,
  listOf,
  objectOf,
  textOf,
  type WireLabel,
  type WireRate,
  type WireTax,
  type WireTaxes,
} from './wire.ts'

/** What an account sells at: its own net price, or the selling price the vendor sets. A fact of the contract. */
export type Pricing = 'net' | 'commissionable'

/** One rate for one party, read and priced. */
export type Quote = {
  readonly party: number
  readonly rateKey: string
  readonly recheck: boolean
  readonly roomCode: string
  readonly roomName: string
  readonly board: Board
  readonly boardCode: string
  readonly price: Price
  readonly fee: FeeFacts
  readonly roomsLeft: number | undefined
  readonly extras: readonly string[]
}

export type RateFrame = {
  readonly currency: string
  readonly parties: readonly Party[]
  readonly pricing: Pricing
  /** IANA zone for a penalty without an offset; none has been seen without one. */
  readonly zone?: string
}

/**
 * Boards as the vendor codes them (its list of 2016 and the codes of its 2024 one that are known). A mixed board
 * is sold as the lesser of the two, the part that every night has.
 */
const BOARDS: ReadonlyMap<unknown, Board> = new Map<unknown, Board>([
  ['RO', 'room_only'],
  ['SC', 'self_catering'],
  ...['BB', 'CB', 'AB', 'DB', 'GB', 'IB', 'SB', 'BH'].map((code): [string, Board] => [code, 'breakfast']),
  ...['HB', 'MB', 'FH'].map((code): [string, Board] => [code, 'half_board']),
  ...['FB', 'PB'].map((code): [string, Board] => [code, 'full_board']),
  ...['AI', 'AS'].map((code): [string, Board] => [code, 'all_inclusive']),
])

/** "Non-refundable rate. No amendments permitted." It also hangs on rates whose steps look refundable. */
const NON_REFUNDABLE_PROMOTION = '073'

/** Whether a rate may be offered: a packaging rate may be sold only with its price hidden inside a package. */
export const isSellable = (rate: WireRate): boolean =>
  (rate.packaging === undefined || rate.packaging === false) && isBookable(rate)

/** Whether we can book it at all. Some entries only point at other dates; an AT_HOTEL price is collected by the hotel. */
function isBookable(rate: WireRate): boolean {
  return (
    typeof rate.rateKey === 'string' &&
    rate.rateKey !== '' &&
    (rate.rateType === 'BOOKABLE' || rate.rateType === 'RECHECK') &&
    (rate.paymentType === undefined || rate.paymentType === 'AT_WEB') &&
    BOARDS.has(rate.boardCode)
  )
}

export const partyOf = (rate: WireRate, parties: readonly Party[]): number =>
  partyIndexOf(parties, rate.rooms, rate.adults, rate.children ?? 0, rate.childrenAges)

/** What the guest is charged through us: a binding selling price, else net. Undefined where that cannot be read. */
export function chargeOf(rate: WireRate, frame: RateFrame): number | undefined {
  const bound = rate.hotelMandatory === true || (frame.pricing === 'commissionable' && rate.sellingRate !== undefined)
  const amount = bound ? rate.sellingRate : rate.net
  const minor = minorOf(amount, frame.currency)
  return minor !== undefined && minor > 0 ? minor : undefined
}

/** The whole rate, or undefined when any part of it that a guest relies on cannot be read. */
export function readQuote(
  rate: WireRate,
  room: { readonly code: string; readonly name: string },
  frame: RateFrame,
): Quote | undefined {
  const board = BOARDS.get(rate.boardCode)
  const party = partyOf(rate, frame.parties)
  if (board === undefined || party === -1 || !isBookable(rate)) return undefined
  const price = priceOf(rate, frame)
  const fee = price && feeOf(rate, frame)
  if (price === undefined || fee === undefined) return undefined
  return {
    party,
    rateKey: textOf(rate.rateKey),
    recheck: rate.rateType === 'RECHECK',
    roomCode: room.code,
    roomName: room.name,
    board,
    boardCode: textOf(rate.boardCode),
    price,
    fee,
    roomsLeft: typeof rate.allotment === 'number' && rate.allotment > 0 ? Math.floor(rate.allotment) : undefined,
    extras: labelsOf(rate.promotions),
  }
}

function priceOf(rate: WireRate, frame: RateFrame): Price | undefined {
  const charge = chargeOf(rate, frame)
  if (charge === undefined) return undefined
  const fees = feesOf(rate.taxes, frame.currency)
  if (fees === undefined) return undefined
  let due = 0
  let inside = 0
  for (const fee of fees) {
    if (fee.paidAt === 'property') due += fee.amount.minor
    else inside += fee.amount.minor
  }
  // A breakdown that eats the whole price says nothing about it.
  const shown = inside < charge ? fees : fees.filter((fee) => fee.paidAt === 'property')
  if (inside >= charge) inside = 0
  const money = (minor: number): Money => ({ minor, currency: frame.currency })
  const total = charge + due
  return {
    total: money(total),
    base: money(charge - inside),
    taxesFees: money(inside + due),
    fees: shown,
    dueAtProperty: money(due),
    publicTotal: money(total + discountOf(rate.offers, frame.currency)),
  }
}

/**
 * Tax lines. `included` ones are inside the price and are only named; the others are collected by the hotel and come
 * on top. One of those that cannot be put in the price's own currency makes the price unknown: undefined.
 */
export function feesOf(taxes: unknown, currency: string): Fee[] | undefined {
  const fees: Fee[] = []
  for (const item of listOf(objectOf<WireTaxes>(taxes)?.taxes)) {
    const tax = objectOf<WireTax>(item)
    if (tax === undefined || typeof tax.included !== 'boolean') return undefined
    const minor = taxMinor(tax, currency)
    if (minor === undefined || minor < 0) {
      if (tax.included) continue
      return undefined
    }
    const paidAt = tax.included ? 'booking' : 'property'
    if (minor > 0) fees.push({ label: taxLabel(tax), amount: { minor, currency }, paidAt })
  }
  return fees
}

function taxMinor(tax: WireTax, currency: string): number | undefined {
  if (tax.clientCurrency === currency && tax.clientAmount !== undefined) return minorOf(tax.clientAmount, currency)
  if (tax.currency === currency) return minorOf(tax.amount, currency)
  return isDecimal(tax.amount) && Number(tax.amount) === 0 ? 0 : undefined
}

function taxLabel(tax: WireTax): string {
  const label = plainText(textOf(tax.subType)).slice(0, 60)
  if (label !== '') return label
  if (tax.type === 'FEE') return 'Fee'
  return tax.type === 'TAXESANDFEES' ? 'Taxes and fees' : 'Tax'
}

/** The policy amounts follow the net price, also where a selling price is bound. */
function feeOf(rate: WireRate, frame: RateFrame): FeeFacts | undefined {
  const steps = readSteps(rate.cancellationPolicies, frame.currency, frame.zone)
  const net = minorOf(rate.net, frame.currency)
  if (steps === 'unreadable' || net === undefined || net <= 0) return undefined
  return { steps, marked: isMarked(rate), whole: { minor: net, currency: frame.currency } }
}

const isMarked = (rate: WireRate) =>
  rate.rateClass === 'NRF' ||
  listOf(rate.promotions).some((item) => objectOf<WireLabel>(item)?.code === NON_REFUNDABLE_PROMOTION)

/** What the price would be without promotions. A child's lower price is no promotion: the same party always gets it. */
function discountOf(offers: unknown, currency: string): number {
  let discount = 0
  for (const item of listOf(offers)) {
    const offer = objectOf<WireLabel>(item)
    if (offer === undefined || /child/i.test(textOf(offer.name))) continue
    const minor = minorOf(offer.amount, currency) ?? 0
    if (minor < 0) discount -= minor
  }
  return discount
}

function labelsOf(promotions: unknown): string[] {
  return listOf(promotions)
    .map((item) => plainText(textOf(objectOf<WireLabel>(item)?.name)).slice(0, 120))
    .filter((label) => label !== '')
}

/** A currency we can count in; the vendor names it once a hotel. */
export const currencyOf = (value: unknown): string | undefined =>
  typeof value === 'string' && digitsOf(value) !== undefined ? value : undefined
