import type { Money } from '../../domain/money/money.ts'
import type { Board, Fee, Price } from '../../domain/offer.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import { codeOf, listOf, recordOf, recordsOf, textOf, type Wire } from '../wire/read.ts'
import { minorOf } from '../wire/read-money.ts'
import { boardOf } from './board.ts'
import { type FeeFacts, readSteps } from './cancel-terms.ts'
import { type Party, partyIndexOf } from './parties.ts'
import { tidyName } from './wire.ts'

/** Whether the account sells at its net price or at the vendor's selling price; agreed in its contract. */
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
  /** The price is one that the hotel prescribes: it is sold for that and nothing else. */
  readonly isPrescribed: boolean
  /** What is billed to us, without what the hotel collects. */
  readonly billed: number
  readonly fee: FeeFacts
  readonly roomsLeft: number | undefined
  readonly extras: readonly string[]
  /** As it came; texts of a rate that is only listed are never read. */
  readonly wire: Wire
}

type RateFrame = {
  readonly currency: string
  readonly parties: readonly Party[]
  readonly pricing: Pricing
  /** IANA zone for a penalty without an offset; none has been seen without one. */
  readonly zone?: string
}

/** "Non-refundable rate. No amendments permitted." It also occurs on rates whose steps look refundable. */
const NON_REFUNDABLE_PROMOTION = '073'

/** Whether a rate may be offered: a packaging rate may be sold only with its price hidden inside a package. */
export const isSellable = (rate: Wire): boolean => !isPackaging(rate) && isBookable(rate)

export const isPackaging = ({ packaging }: Wire): boolean => packaging !== undefined && packaging !== false

/** Rates that we understand and that are not for us, as distinct from those that we cannot read. */
export const isForOthers = (rate: Wire): boolean => isPackaging(rate) || rate.paymentType === 'AT_HOTEL'

/** Whether we can book it at all. Some entries only point at other dates; an AT_HOTEL price is collected by the hotel. */
function isBookable(rate: Wire): boolean {
  return (
    typeof rate.rateKey === 'string' &&
    rate.rateKey !== '' &&
    (rate.rateType === 'BOOKABLE' || rate.rateType === 'RECHECK') &&
    (rate.paymentType === undefined || rate.paymentType === 'AT_WEB') &&
    boardOf(rate) !== undefined
  )
}

export const partyOf = (rate: Wire, parties: readonly Party[]): number =>
  partyIndexOf(parties, rate.rooms, rate.adults, rate.children ?? 0, rate.childrenAges)

/** What the guest is charged through us: a binding selling price, else net. Undefined where that cannot be read. */
export function chargeOf(rate: Wire, frame: RateFrame): number | undefined {
  const amount = isPrescribed(rate, frame) ? rate.sellingRate : rate.net
  const minor = minorOf(amount, frame.currency)
  return minor !== undefined && minor > 0 ? minor : undefined
}

export const isPrescribed = (rate: Wire, { pricing }: Pick<RateFrame, 'pricing'>): boolean =>
  rate.hotelMandatory === true || (pricing === 'commissionable' && rate.sellingRate !== undefined)

/** The whole rate, or undefined when any part of it that a guest relies on cannot be read. */
export function readQuote(
  rate: Wire,
  room: { readonly code: string; readonly name: string },
  frame: RateFrame,
): Quote | undefined {
  const board = boardOf(rate)
  const party = partyOf(rate, frame.parties)
  if (board === undefined || party === -1 || !isBookable(rate)) return undefined
  const charge = chargeOf(rate, frame)
  const price = charge === undefined ? undefined : priceOf(rate, charge, frame)
  const fee = charge === undefined ? undefined : feeOf(rate, charge, frame)
  if (charge === undefined || price === undefined || fee === undefined) return undefined
  return {
    party,
    rateKey: textOf(rate.rateKey),
    recheck: rate.rateType === 'RECHECK',
    roomCode: room.code,
    roomName: room.name,
    board,
    boardCode: textOf(rate.boardCode),
    price,
    isPrescribed: isPrescribed(rate, frame),
    // An account on commission is billed the selling price.
    billed: frame.pricing === 'net' ? (minorOf(rate.net, frame.currency) ?? charge) : charge,
    fee,
    roomsLeft: typeof rate.allotment === 'number' && rate.allotment > 0 ? Math.floor(rate.allotment) : undefined,
    extras: [...(board === 'some_meals' ? [tidyName(textOf(rate.boardName))] : []), ...labelsOf(rate.promotions)],
    wire: rate,
  }
}

function priceOf(rate: Wire, charge: number, frame: RateFrame): Price | undefined {
  const fees = feesOf(rate.taxes, frame.currency)
  if (fees === undefined) return undefined
  let due = 0
  let inside = 0
  for (const fee of fees) {
    if (fee.paidAt === 'property') due += fee.amount.minor
    else inside += fee.amount.minor
  }
  // Taxes as high as the price itself cannot be right, so they are not shown.
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
 * Tax lines. `included` ones are inside the price and are only named; the others, and those that do not say, are collected by the
 * hotel and come on top. One of those that cannot be put in the price's own currency makes the price unknown: undefined.
 */
export function feesOf(taxes: unknown, currency: string): Fee[] | undefined {
  const fees: Fee[] = []
  for (const item of listOf(recordOf(taxes)?.taxes)) {
    const tax = recordOf(item)
    const included = tax?.included ?? false
    if (tax === undefined || typeof included !== 'boolean') return undefined
    const minor = taxMinor(tax, currency)
    if (minor === undefined || minor < 0) {
      if (included) continue
      return undefined
    }
    const paidAt = included ? 'booking' : 'property'
    if (minor > 0) fees.push({ label: taxLabel(tax), amount: { minor, currency }, paidAt })
  }
  return fees
}

function taxMinor(tax: Wire, currency: string): number | undefined {
  if (tax.clientCurrency === currency && tax.clientAmount !== undefined) return minorOf(tax.clientAmount, currency)
  if (tax.currency === currency) return minorOf(tax.amount, currency)
  // Zero is zero in any currency.
  return codeOf(tax.amount) !== '' && Number(tax.amount) === 0 ? 0 : undefined
}

function taxLabel(tax: Wire): string {
  const label = plainText(textOf(tax.subType)).slice(0, 60)
  if (label !== '') return label
  if (tax.type === 'FEE') return 'Fee'
  return tax.type === 'TAXESANDFEES' ? 'Taxes and fees' : 'Tax'
}

/** Penalties are in net. Where another price is binding, the guest loses the same part of that one. */
export function feeOf(rate: Wire, charge: number, frame: RateFrame): FeeFacts | undefined {
  const steps = readSteps(rate.cancellationPolicies, frame.currency, frame.zone)
  const net = minorOf(rate.net, frame.currency)
  if (steps === 'unreadable' || net === undefined || net <= 0) return undefined
  const inCharge = steps?.map((step) => ({ ...step, minor: inProportion(step.minor, charge, net) }))
  return { steps: inCharge, marked: isMarked(rate), whole: { minor: charge, currency: frame.currency } }
}

/** An amount above net cannot be a part of it: that is told in the charged price already. */
export function inProportion(minor: number, charge: number, net: number): number {
  if (charge === net) return minor
  return minor > net ? Math.min(minor, charge) : Math.round((minor * charge) / net)
}

const isMarked = (rate: Wire) =>
  rate.rateClass === 'NRF' || recordsOf(rate.promotions).some(({ code }) => code === NON_REFUNDABLE_PROMOTION)

/** What the price would be without promotions. A child's lower price is no promotion: the same party always gets it. */
function discountOf(offers: unknown, currency: string): number {
  let discount = 0
  for (const { name, amount } of recordsOf(offers)) {
    const minor = minorOf(amount, currency) ?? 0
    if (minor < 0 && !/child/i.test(textOf(name))) discount -= minor
  }
  return discount
}

function labelsOf(promotions: unknown): string[] {
  return recordsOf(promotions)
    .map(({ name }) => plainText(textOf(name)).slice(0, 120))
    .filter((label) => label !== '')
}
