import type { Money } from '../../domain/money/money.ts'
import type { Board, Fee, Price } from '../../domain/offer.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import { asList, asRecord, asRecords, asText, readCode, type Wire } from '../wire/read.ts'
import { readMinor } from '../wire/read-money.ts'
import { readBoard } from './board.ts'
import { type FeeFacts, readSteps } from './cancel-terms.ts'
import { matchParty, type Party } from './parties.ts'
import { tidyName } from './wire.ts'

/** Agreed in the account's contract: net prices, or the vendor's selling prices with commission. */
export type Pricing = 'net' | 'commissionable'

export type Quote = {
  readonly party: number
  readonly rateKey: string
  readonly recheck: boolean
  readonly roomCode: string
  readonly roomName: string
  readonly board: Board
  readonly boardCode: string
  readonly price: Price
  /** The hotel prescribes the price; it must be sold at exactly that price. */
  readonly isPrescribed: boolean
  /** Amount billed to us, without what the hotel collects. */
  readonly billed: number
  readonly fee: FeeFacts
  readonly roomsLeft: number | undefined
  /** Raw rate; the texts of rates that are only listed are never decoded. */
  readonly wire: Wire
}

type RateFrame = {
  readonly currency: string
  readonly parties: readonly Party[]
  readonly pricing: Pricing
  /** IANA zone for a penalty without an offset; none has been seen. */
  readonly zone?: string
}

/** "Non-refundable rate. No amendments permitted." It also occurs on rates whose steps look refundable. */
const NON_REFUNDABLE_PROMOTION = '073'

/** A packaging rate may be sold only with its price hidden inside a package. */
export const isSellable = (rate: Wire): boolean => !isPackaging(rate) && isBookable(rate)

export const isPackaging = ({ packaging }: Wire): boolean => packaging !== undefined && packaging !== false

/** Valid rates that we may not sell, as opposed to rates that we cannot read. */
export const isNotForUs = (rate: Wire): boolean => isPackaging(rate) || rate.paymentType === 'AT_HOTEL'

/** Some entries only point to other dates; an AT_HOTEL price is collected by the hotel. */
function isBookable(rate: Wire): boolean {
  return (
    typeof rate.rateKey === 'string' &&
    rate.rateKey !== '' &&
    (rate.rateType === 'BOOKABLE' || rate.rateType === 'RECHECK') &&
    (rate.paymentType === undefined || rate.paymentType === 'AT_WEB') &&
    readBoard(rate) !== undefined
  )
}

export const findPartyIndex = (rate: Wire, parties: readonly Party[]): number =>
  matchParty(parties, rate.rooms, rate.adults, rate.children ?? 0, rate.childrenAges)

/** Price that the guest pays through us: a prescribed selling price, else net. Undefined if it cannot be read. */
export function readCharge(rate: Wire, frame: RateFrame): number | undefined {
  const amount = isPrescribed(rate, frame) ? rate.sellingRate : rate.net
  const minor = readMinor(amount, frame.currency)
  return minor !== undefined && minor > 0 ? minor : undefined
}

export const isPrescribed = (rate: Wire, { pricing }: Pick<RateFrame, 'pricing'>): boolean =>
  rate.hotelMandatory === true || (pricing === 'commissionable' && rate.sellingRate !== undefined)

/** Undefined if any part that a guest relies on cannot be read. */
export function readQuote(
  rate: Wire,
  room: { readonly code: string; readonly name: string },
  frame: RateFrame,
): Quote | undefined {
  const board = readBoard(rate)
  const party = findPartyIndex(rate, frame.parties)
  if (board === undefined || party === -1 || !isBookable(rate)) return undefined
  const charge = readCharge(rate, frame)
  const price = charge === undefined ? undefined : readPrice(rate, charge, frame)
  const fee = charge === undefined ? undefined : readFeeFacts(rate, charge, frame)
  if (charge === undefined || price === undefined || fee === undefined) return undefined
  return {
    party,
    rateKey: asText(rate.rateKey),
    recheck: rate.rateType === 'RECHECK',
    roomCode: room.code,
    roomName: room.name,
    board,
    boardCode: asText(rate.boardCode),
    price,
    isPrescribed: isPrescribed(rate, frame),
    // An account on commission is billed the selling price.
    billed: frame.pricing === 'net' ? (readMinor(rate.net, frame.currency) ?? charge) : charge,
    fee,
    roomsLeft: typeof rate.allotment === 'number' && rate.allotment > 0 ? Math.floor(rate.allotment) : undefined,
    wire: rate,
  }
}

function readPrice(rate: Wire, charge: number, frame: RateFrame): Price | undefined {
  const fees = readFees(rate.taxes, frame.currency)
  if (fees === undefined) return undefined
  let due = 0
  let included = 0
  for (const fee of fees) {
    if (fee.paidAt === 'property') due += fee.amount.minor
    else included += fee.amount.minor
  }
  // Taxes as high as the price itself cannot be right, so they are not shown.
  const shown = included < charge ? fees : fees.filter((fee) => fee.paidAt === 'property')
  if (included >= charge) included = 0
  const money = (minor: number): Money => ({ minor, currency: frame.currency })
  const total = charge + due
  return {
    total: money(total),
    base: money(charge - included),
    taxesFees: money(included + due),
    fees: shown,
    dueAtProperty: money(due),
    publicTotal: money(total + sumDiscounts(rate.offers, frame.currency)),
  }
}

/**
 * Tax lines. `included` taxes are part of the price; all others are collected by the hotel. Undefined if one of the
 * latter cannot be expressed in the price's currency.
 */
export function readFees(taxes: unknown, currency: string): Fee[] | undefined {
  const fees: Fee[] = []
  for (const item of asList(asRecord(taxes)?.taxes)) {
    const tax = asRecord(item)
    const isIncluded = tax?.included ?? false
    if (tax === undefined || typeof isIncluded !== 'boolean') return undefined
    const minor = taxMinor(tax, currency)
    if (minor === undefined || minor < 0) {
      if (isIncluded) continue
      return undefined
    }
    const paidAt = isIncluded ? 'booking' : 'property'
    if (minor > 0) fees.push({ label: taxLabel(tax), amount: { minor, currency }, paidAt })
  }
  return fees
}

function taxMinor(tax: Wire, currency: string): number | undefined {
  if (tax.clientCurrency === currency && tax.clientAmount !== undefined) return readMinor(tax.clientAmount, currency)
  if (tax.currency === currency) return readMinor(tax.amount, currency)
  // Zero is zero in any currency.
  return readCode(tax.amount) !== '' && Number(tax.amount) === 0 ? 0 : undefined
}

function taxLabel(tax: Wire): string {
  const label = plainText(asText(tax.subType)).slice(0, 60)
  if (label !== '') return label
  if (tax.type === 'FEE') return 'Fee'
  return tax.type === 'TAXESANDFEES' ? 'Taxes and fees' : 'Tax'
}

/** Penalties are parts of net. If the guest pays another price, the same part of that price is lost. */
export function readFeeFacts(rate: Wire, charge: number, frame: RateFrame): FeeFacts | undefined {
  const steps = readSteps(rate.cancellationPolicies, frame.currency, frame.zone)
  const net = readMinor(rate.net, frame.currency)
  if (steps === 'unreadable' || net === undefined || net <= 0) return undefined
  const inCharge = steps?.map((step) => ({ ...step, minor: scaleToCharge(step.minor, charge, net) }))
  return { steps: inCharge, isNonRefundable: isNonRefundable(rate), whole: { minor: charge, currency: frame.currency } }
}

/** An amount above net cannot be a part of it: it already refers to the charged price. */
export function scaleToCharge(minor: number, charge: number, net: number): number {
  if (charge === net) return minor
  return minor > net ? Math.min(minor, charge) : Math.round((minor * charge) / net)
}

const isNonRefundable = (rate: Wire) =>
  rate.rateClass === 'NRF' || asRecords(rate.promotions).some(({ code }) => code === NON_REFUNDABLE_PROMOTION)

/**
 * Difference to the price without promotions. A child's lower price is not a promotion: the same party always gets it.
 */
function sumDiscounts(offers: unknown, currency: string): number {
  let discount = 0
  for (const { name, amount } of asRecords(offers)) {
    const minor = readMinor(amount, currency) ?? 0
    if (minor < 0 && !/child/i.test(asText(name))) discount -= minor
  }
  return discount
}

/** Promotions, and the vendor's name of unknown meals. A list does not need them. */
export const listExtras = ({ board, wire }: Quote): string[] => [
  ...(board === 'some_meals' ? [tidyName(asText(wire.boardName))] : []),
  ...readPromotionNames(wire.promotions),
]

function readPromotionNames(promotions: unknown): string[] {
  return asRecords(promotions)
    .map(({ name }) => plainText(asText(name)).slice(0, 120))
    .filter((label) => label !== '')
}
