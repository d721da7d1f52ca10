import type { Rounding, SaleTerms } from '../domain/booking/sale.ts'
import { digitsOf } from '../domain/money/currency.ts'
import { convertMoney, type ExchangeRates } from '../domain/money/exchange.ts'
import type { Money } from '../domain/money/money.ts'
import type { SellingBounds } from '../domain/offer.ts'

/** A markup in whole minor units of one currency, for one stay. */
export type StayMarkup = {
  /** Millionths of the net price. */
  readonly share: number
  /** Millionths that are added first, where the vendor is paid in another currency. */
  readonly exchangeShare: number
  readonly perNight: number
  readonly perStay: number
  readonly rounding: { readonly step: number; readonly mode: Rounding['mode']; readonly minus: number } | undefined
}

/** How a selling price came about. The parts from `net` to `bounds` add up to `selling`. */
export type SellingSum = {
  readonly net: number
  readonly exchange: number
  readonly percent: number
  readonly perNight: number
  readonly perStay: number
  readonly rounding: number
  /** What the vendor's limits, or our own that nothing is sold below net, added or took away. */
  readonly bounds: number
  readonly selling: number
}

/** Limits in minor units of the currency of the sale. */
export type MinorBounds = { readonly min?: number; readonly max?: number; readonly fixed?: number }

/**
 * The selling price of a net price. It is never below net; otherwise never above `max` or `fixed`; otherwise never below
 * `min` or `fixed`: where the limits contradict each other, they win in this order. A more expensive net never sells for less.
 */
export function sellingSum(net: number, markup: StayMarkup | undefined, limits: MinorBounds | undefined): SellingSum {
  const exchange = markup === undefined ? 0 : millionths(net, markup.exchangeShare)
  const percent = markup === undefined ? 0 : millionths(net + exchange, markup.share)
  const { perNight = 0, perStay = 0 } = markup ?? {}
  const raw = net + exchange + percent + perNight + perStay
  const round = roundedTo(raw, markup?.rounding)
  const selling = limits === undefined ? Math.max(net, round) : within(net, round, limits)
  return { net, exchange, percent, perNight, perStay, rounding: round - raw, bounds: selling - round, selling }
}

const millionths = (minor: number, share: number): number => (share === 0 ? 0 : Math.round((minor * share) / 1e6))

function roundedTo(minor: number, rounding: StayMarkup['rounding']): number {
  if (rounding === undefined) return minor
  const { step, mode, minus } = rounding
  const steps = (minor + minus) / step
  const whole = mode === 'up' ? Math.ceil(steps) : mode === 'down' ? Math.floor(steps) : Math.round(steps)
  return whole * step - minus
}

function within(net: number, price: number, { min = 0, max = Infinity, fixed }: MinorBounds): number {
  const floor = Math.max(min, fixed ?? 0)
  const cap = Math.min(max, fixed ?? Infinity)
  return Math.max(net, Math.min(cap, Math.max(floor, price)))
}

/** Undefined where an amount of the rule cannot be told in the currency: then nothing can be sold by it. */
export function markupIn(
  terms: SaleTerms,
  stay: { readonly currency: string; readonly roomNights: number; readonly isConverted: boolean },
  rates: ExchangeRates,
): StayMarkup | undefined {
  const { currency, roomNights, isConverted } = stay
  const perNight = terms.perNight === undefined ? 0 : convertMoney(terms.perNight, currency, rates)?.minor
  const perStay = terms.perStay === undefined ? 0 : convertMoney(terms.perStay, currency, rates)?.minor
  if (perNight === undefined || perStay === undefined) return undefined
  return {
    share: inMillionths(terms.percent),
    exchangeShare: isConverted ? inMillionths(terms.exchangePercent) : 0,
    perNight: perNight * roomNights,
    perStay,
    rounding: terms.rounding && roundingIn(terms.rounding, currency),
  }
}

const inMillionths = (percent = 0): number => Math.round(percent * 10_000)

/** A step that the currency is too coarse for is one minor unit. */
function roundingIn({ step, mode, minus = 0 }: Rounding, currency: string) {
  const scale = 10 ** (digitsOf(currency) ?? 2)
  const whole = Math.max(1, Math.round(step * scale))
  return { step: whole, mode, minus: Math.min(whole - 1, Math.round(minus * scale)) }
}

/** Limits that cannot be converted are none of this sale: there is no price to compare them with. */
export function boundsIn(bounds: SellingBounds, currency: string, rates: ExchangeRates): MinorBounds {
  const minor = (money: Money | undefined) => money && convertMoney(money, currency, rates)?.minor
  const [min, max, fixed] = [minor(bounds.min), minor(bounds.max), minor(bounds.fixed)]
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(fixed !== undefined && { fixed }),
  }
}
