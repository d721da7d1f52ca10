import { convertMoney, type ExchangeRates } from '../../domain/money/exchange.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Board, Fee, Price, SellingBounds } from '../../domain/offer.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import { foldText } from '../../lib/text/fold-text.ts'
import { leastBoard } from '../wire/meals.ts'
import { codeOf, recordOf, recordsOf, textOf, textsOf, type Wire, wholeOf } from '../wire/read.ts'
import { boardName, boardOf } from './board.ts'
import { type RoomTerms, readTerms } from './cancel-terms.ts'
import { deductionIn, minorIn, moneyOf } from './wire.ts'

/** What is needed beside an answer to read prices from it. */
export type RateFrame = {
  /** How many rooms were asked for: an offer has one rate for each. */
  readonly rooms: number
  readonly now: number
  readonly zone?: string
  /** For what the property collects in a currency of its own. */
  readonly exchange: ExchangeRates
}

/** The money and the terms of an offer, read; what is only shown in a detail is read from `rates`. */
export type Quote = {
  readonly price: Price
  /** What we are charged, without what the property collects. */
  readonly charge: Money
  readonly board: Board
  readonly terms: readonly RoomTerms[]
  readonly bounds: SellingBounds | undefined
  /** One for each room, in the order of the rooms. */
  readonly rates: readonly Wire[]
}

/**
 * A package rate may be sold only inside a package, one for members only under a membership, of which we never send any; one
 * that only the property collects cannot be paid through us.
 */
export function isForOthers({ rateType, isPackageRate, loyaltyMembershipIdRequired, paymentTypes }: Wire): boolean {
  const ways = textsOf(paymentTypes)
  return (
    rateType === 'package' ||
    isPackageRate === true ||
    loyaltyMembershipIdRequired === true ||
    (ways.length > 0 && ways.every((way) => way === 'PROPERTY_PAY'))
  )
}

/** The rates of an offer, one per room in the order of the rooms; undefined for a stub. */
export function roomRates(rates: unknown, rooms: number): readonly Wire[] | undefined {
  const list = recordsOf(rates)
  if (list.length !== rooms || list.some((rate) => textOf(rate.rateId) === '')) return undefined
  return rooms === 1 ? list : byNumber(list)
}

/** Rates in the order of the rooms; undefined where they are not numbered as the rooms are. */
export function byNumber(rates: readonly Wire[]): readonly Wire[] | undefined {
  const ordered = [...rates].sort((a, b) => (wholeOf(a.occupancyNumber) ?? 0) - (wholeOf(b.occupancyNumber) ?? 0))
  return ordered.every((rate, index) => rate.occupancyNumber === index + 1) ? ordered : undefined
}

/** What we are charged: what the guest would pay, less our commission. Undefined where either cannot be read. */
export function chargeOf(total: Money, rates: readonly Wire[]): Money | undefined {
  let minor = total.minor
  let sum = 0
  for (const rate of rates) {
    minor -= deductionIn(rate.commission, total.currency)
    const retail = minorIn(recordOf(rate.retailRate)?.total, total.currency)
    if (retail === undefined) return undefined
    sum += retail
  }
  // Each room may be rounded by itself; a sum that is further off is not this offer's.
  if (minor <= 0 || Math.abs(sum - total.minor) > rates.length) return undefined
  return { minor, currency: total.currency }
}

/** `own` are the property's fees to go on with where the rates name none at all, as in some price checks. */
export function readQuote(
  offer: {
    readonly total: Money
    readonly charge: Money
    readonly rates: readonly Wire[]
    readonly initial?: Money | undefined
    readonly suggested: unknown
  },
  frame: RateFrame,
  own?: readonly Fee[],
): Quote | undefined {
  const { total, charge, rates } = offer
  const { currency } = charge
  const fees = rates.every((rate) => recordOf(rate.retailRate)?.taxesAndFees === undefined)
    ? (own ?? [])
    : feesOf(rates, currency, frame.exchange)
  const board = boardOfAll(rates)
  const terms = rates.map((rate) => readTerms(rate.cancellationPolicies, chargeOfRoom(rate, currency)))
  if (fees === undefined || board === undefined || !isAllRead(terms)) return undefined
  const price = priceOf(charge, fees, offer.initial && offer.initial.minor - total.minor)
  return { price, charge, board, terms, bounds: boundsOf(offer.suggested, price), rates }
}

const isAllRead = (terms: readonly (RoomTerms | 'unreadable')[]): terms is readonly RoomTerms[] =>
  !terms.includes('unreadable')

/** What every room of an offer has at least. */
function boardOfAll(rates: readonly Wire[]): Board | undefined {
  const boards = rates.map(boardOf)
  return boards.includes(undefined) ? undefined : leastBoard(boards.filter((board) => board !== undefined))
}

function chargeOfRoom(rate: Wire, currency: string) {
  const retail = minorIn(recordOf(rate.retailRate)?.total, currency) ?? 0
  return { retail, net: Math.max(0, retail - deductionIn(rate.commission, currency)), currency }
}

function priceOf(charge: Money, fees: readonly Fee[], discount = 0): Price {
  const { currency } = charge
  const money = (minor: number): Money => ({ minor, currency })
  const sum = (of: Fee['paidAt']) =>
    fees.reduce((minor, { paidAt, amount }) => (paidAt === of ? minor + amount.minor : minor), 0)
  const due = sum('property')
  const taxes = sum('booking')
  // Taxes as high as the price itself cannot be right, so they are not shown.
  const isRight = taxes < charge.minor
  const inside = isRight ? taxes : 0
  const total = charge.minor + due
  return {
    total: money(total),
    base: money(charge.minor - inside),
    taxesFees: money(inside + due),
    fees: isRight ? fees : fees.filter(({ paidAt }) => paidAt === 'property'),
    dueAtProperty: money(due),
    publicTotal: money(total + Math.max(0, discount)),
  }
}

/** The rooms' taxes by name. One that is paid at the property and cannot be told in the price's currency makes it unknown. */
function feesOf(rates: readonly Wire[], currency: string, exchange: ExchangeRates): Fee[] | undefined {
  const fees = new Map<string, Fee>()
  for (const tax of rates.flatMap((rate) => recordsOf(recordOf(rate.retailRate)?.taxesAndFees))) {
    const fee = feeOf(tax, currency, exchange)
    if (fee === 'unknown') return undefined
    if (fee === undefined) continue
    const key = `${fee.paidAt} ${fee.label} ${fee.local?.currency ?? ''}`
    const before = fees.get(key)
    fees.set(key, before === undefined ? fee : addFees(before, fee))
  }
  return [...fees.values()]
}

const addFees = (a: Fee, b: Fee): Fee => ({
  ...a,
  amount: { ...a.amount, minor: a.amount.minor + b.amount.minor },
  ...(a.local && { local: { ...a.local, minor: a.local.minor + (b.local?.minor ?? 0) } }),
})

/** An included tax is inside the price and only named; the others are collected by the property, in their own currency. */
function feeOf(tax: Wire, currency: string, exchange: ExchangeRates): Fee | 'unknown' | undefined {
  if (tax.included !== true && tax.included !== false) return 'unknown'
  const money = moneyOf(tax)
  const label = plainText(textOf(tax.description)).slice(0, 60) || 'Taxes and fees'
  if (tax.included) {
    return money?.currency === currency && money.minor > 0 ? { label, amount: money, paidAt: 'booking' } : undefined
  }
  if (money === undefined) return 'unknown'
  const amount = convertMoney(money, currency, exchange)
  if (amount === undefined) return 'unknown'
  if (money.minor === 0) return undefined
  return { label, amount, paidAt: 'property', ...(money.currency !== currency && { local: money }) }
}

/** The suggested selling price is the lowest that may be shown in public; what the property collects comes on top. */
function boundsOf(suggested: unknown, { total, dueAtProperty }: Price): SellingBounds | undefined {
  const minor = minorIn(suggested, total.currency)
  return minor === undefined || minor === 0 ? undefined : { min: { ...total, minor: minor + dueAtProperty.minor } }
}

/** The content room of a rate. One that the vendor has matched to none is known by its name alone. */
export function roomIdOf(rate: Wire, offer: Wire): string {
  const mapped = codeOf(rate.mappedRoomId) || codeOf(offer.mappedRoomId)
  return mapped === '' || mapped === '0' ? foldText(nameOf(rate)).replaceAll(' ', '-').slice(0, 80) || 'room' : mapped
}

export const nameOf = (rate: Wire): string => plainText(textOf(rate.name)).slice(0, 200)

/** Perks and promotions of the rates, and the vendor's word for meals that none of ours names. */
export function extrasOf(rates: readonly Wire[], board: Board): string[] {
  const labels = rates.flatMap((rate) => [
    ...(board === 'some_meals' ? [boardName(rate)] : []),
    ...namesIn(rate.perks),
    ...namesIn(recordOf(rate.retailRate)?.promotions),
  ])
  return [...new Set(labels)].filter((label) => label !== '')
}

const namesIn = (list: unknown): string[] => recordsOf(list).map(({ name }) => plainText(textOf(name)).slice(0, 120))
