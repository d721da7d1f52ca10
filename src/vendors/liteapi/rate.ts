import { convertMoney, type ExchangeRates } from '../../domain/money/exchange.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Board, Fee, Price, SellingBounds } from '../../domain/offer.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import { foldText } from '../../lib/text/fold-text.ts'
import { leastBoard } from '../wire/meals.ts'
import { asInteger, asRecord, asRecords, asText, asTexts, readCode, type Wire } from '../wire/read.ts'
import { readBoard, readBoardName } from './board.ts'
import { type RoomTerms, readTerms } from './cancel-terms.ts'
import { readDeduction, readMinorIn, readMoney } from './wire.ts'

export type RateFrame = {
  /** Number of requested rooms: an offer has one rate for each. */
  readonly rooms: number
  readonly now: number
  readonly zone?: string
  /** Converts fees that the property collects in its own currency. */
  readonly exchange: ExchangeRates
}

/** Decoded price and terms of an offer. Details are decoded from `rates` on demand. */
export type Quote = {
  readonly price: Price
  /** Amount charged to us, without what the property collects. */
  readonly charge: Money
  readonly board: Board
  readonly terms: readonly RoomTerms[]
  readonly bounds: SellingBounds | undefined
  /** One rate per room, in the order of the rooms. */
  readonly rates: readonly Wire[]
}

/**
 * Package rates may be sold only in packages, member rates only with a membership, which we never send. Rates collected
 * by the property cannot be paid through us.
 */
export function isNotForUs({ rateType, isPackageRate, loyaltyMembershipIdRequired, paymentTypes }: Wire): boolean {
  const types = asTexts(paymentTypes)
  return (
    rateType === 'package' ||
    isPackageRate === true ||
    loyaltyMembershipIdRequired === true ||
    (types.length > 0 && types.every((type) => type === 'PROPERTY_PAY'))
  )
}

/** One rate per room, in the order of the rooms; undefined for a stub. */
export function roomRates(rates: unknown, rooms: number): readonly Wire[] | undefined {
  const list = asRecords(rates)
  if (list.length !== rooms || list.some((rate) => asText(rate.rateId) === '')) return undefined
  return rooms === 1 ? list : sortByRoom(list)
}

/** Undefined unless the rates are numbered like the rooms. */
export function sortByRoom(rates: readonly Wire[]): readonly Wire[] | undefined {
  const ordered = [...rates].sort((a, b) => (asInteger(a.occupancyNumber) ?? 0) - (asInteger(b.occupancyNumber) ?? 0))
  return ordered.every((rate, index) => rate.occupancyNumber === index + 1) ? ordered : undefined
}

/** Guest price less our commission; undefined if either cannot be read. */
export function readCharge(total: Money, rates: readonly Wire[]): Money | undefined {
  let minor = total.minor
  let sum = 0
  for (const rate of rates) {
    minor -= readDeduction(rate.commission, total.currency)
    const retail = readMinorIn(asRecord(rate.retailRate)?.total, total.currency)
    if (retail === undefined) return undefined
    sum += retail
  }
  // Each room may be rounded separately; a larger difference means inconsistent data.
  if (minor <= 0 || Math.abs(sum - total.minor) > rates.length) return undefined
  return { minor, currency: total.currency }
}

/** `knownFees` are used if the rates contain no fees at all, as in some price checks. */
export function readQuote(
  offer: {
    readonly total: Money
    readonly charge: Money
    readonly rates: readonly Wire[]
    readonly initial?: Money | undefined
    readonly suggested: unknown
  },
  frame: RateFrame,
  knownFees?: readonly Fee[],
): Quote | undefined {
  const { total, charge, rates } = offer
  const { currency } = charge
  const fees = rates.every((rate) => asRecord(rate.retailRate)?.taxesAndFees === undefined)
    ? (knownFees ?? [])
    : readFees(rates, currency, frame.exchange)
  const board = readCommonBoard(rates)
  const terms = rates.map((rate) => readTerms(rate.cancellationPolicies, readRoomCharge(rate, currency)))
  if (fees === undefined || board === undefined || !areReadable(terms)) return undefined
  const price = buildPrice(charge, fees, offer.initial && offer.initial.minor - total.minor)
  return { price, charge, board, terms, bounds: readBounds(offer.suggested, price), rates }
}

const areReadable = (terms: readonly (RoomTerms | 'unreadable')[]): terms is readonly RoomTerms[] =>
  !terms.includes('unreadable')

/** Board that every room includes. */
function readCommonBoard(rates: readonly Wire[]): Board | undefined {
  const boards = rates.map(readBoard)
  return boards.includes(undefined) ? undefined : leastBoard(boards.filter((board) => board !== undefined))
}

function readRoomCharge(rate: Wire, currency: string) {
  const retail = readMinorIn(asRecord(rate.retailRate)?.total, currency) ?? 0
  return { retail, net: Math.max(0, retail - readDeduction(rate.commission, currency)), currency }
}

function buildPrice(charge: Money, fees: readonly Fee[], discount = 0): Price {
  const { currency } = charge
  const money = (minor: number): Money => ({ minor, currency })
  const sum = (place: Fee['paidAt']) =>
    fees.reduce((minor, { paidAt, amount }) => (paidAt === place ? minor + amount.minor : minor), 0)
  const due = sum('property')
  const taxes = sum('booking')
  // Taxes as high as the price itself cannot be right, so they are not shown.
  const isPlausible = taxes < charge.minor
  const included = isPlausible ? taxes : 0
  const total = charge.minor + due
  return {
    total: money(total),
    base: money(charge.minor - included),
    taxesFees: money(included + due),
    fees: isPlausible ? fees : fees.filter(({ paidAt }) => paidAt === 'property'),
    dueAtProperty: money(due),
    publicTotal: money(total + Math.max(0, discount)),
  }
}

/** Sums the rooms' taxes by name. Undefined if a tax paid at the property cannot be converted. */
function readFees(rates: readonly Wire[], currency: string, exchange: ExchangeRates): Fee[] | undefined {
  const fees = new Map<string, Fee>()
  for (const tax of rates.flatMap((rate) => asRecords(asRecord(rate.retailRate)?.taxesAndFees))) {
    const fee = readFee(tax, currency, exchange)
    if (fee === 'unknown') return undefined
    if (fee === undefined) continue
    const key = `${fee.paidAt} ${fee.label} ${fee.local?.currency ?? ''}`
    const known = fees.get(key)
    fees.set(key, known === undefined ? fee : addFees(known, fee))
  }
  return [...fees.values()]
}

const addFees = (a: Fee, b: Fee): Fee => ({
  ...a,
  amount: { ...a.amount, minor: a.amount.minor + b.amount.minor },
  ...(a.local && { local: { ...a.local, minor: a.local.minor + (b.local?.minor ?? 0) } }),
})

/** An included tax is part of the price; all others are collected by the property, in its own currency. */
function readFee(tax: Wire, currency: string, exchange: ExchangeRates): Fee | 'unknown' | undefined {
  if (tax.included !== true && tax.included !== false) return 'unknown'
  const money = readMoney(tax)
  const label = plainText(asText(tax.description)).slice(0, 60) || 'Taxes and fees'
  if (tax.included) {
    return money?.currency === currency && money.minor > 0 ? { label, amount: money, paidAt: 'booking' } : undefined
  }
  if (money === undefined) return 'unknown'
  const amount = convertMoney(money, currency, exchange)
  if (amount === undefined) return 'unknown'
  if (money.minor === 0) return undefined
  return { label, amount, paidAt: 'property', ...(money.currency !== currency && { local: money }) }
}

/** The suggested selling price is the public minimum; fees collected by the property come on top. */
function readBounds(suggested: unknown, { total, dueAtProperty }: Price): SellingBounds | undefined {
  const minor = readMinorIn(suggested, total.currency)
  return minor === undefined || minor === 0 ? undefined : { min: { ...total, minor: minor + dueAtProperty.minor } }
}

/** Content id of the room; derived from the name if the vendor has not mapped it. */
export function readRoomId(rate: Wire, offer: Wire): string {
  const mapped = readCode(rate.mappedRoomId) || readCode(offer.mappedRoomId)
  return mapped === '' || mapped === '0'
    ? foldText(readRateName(rate)).replaceAll(' ', '-').slice(0, 80) || 'room'
    : mapped
}

export const readRateName = (rate: Wire): string => plainText(asText(rate.name)).slice(0, 200)

/** Perks and promotions of the rates, and the vendor's name of unknown meals. */
export function listExtras(rates: readonly Wire[], board: Board): string[] {
  const labels = rates.flatMap((rate) => [
    ...(board === 'some_meals' ? [readBoardName(rate)] : []),
    ...readNames(rate.perks),
    ...readNames(asRecord(rate.retailRate)?.promotions),
  ])
  return [...new Set(labels)].filter((label) => label !== '')
}

const readNames = (list: unknown): string[] => asRecords(list).map(({ name }) => plainText(asText(name)).slice(0, 120))
