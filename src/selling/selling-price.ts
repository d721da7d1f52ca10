import type { Rounding, SaleTerms } from '../domain/booking/sale.ts'
import { minorDigits } from '../domain/money/currency.ts'
import { convertMoney, type ExchangeRates } from '../domain/money/exchange.ts'
import type { Money } from '../domain/money/money.ts'
import type { SellingBounds } from '../domain/offer.ts'

/** A markup in whole minor units of one currency, for one stay. */
export type StayMarkup = {
  /** Millionths of the net price. */
  readonly share: number
  /** Millionths that are added first if the vendor is paid in another currency. */
  readonly exchangeShare: number
  readonly perNight: number
  readonly perStay: number
  readonly rounding: { readonly step: number; readonly mode: Rounding['mode']; readonly minus: number } | undefined
}

/** Breakdown of a selling price. The parts from `net` to `bounds` add up to `selling`. */
export type SellingSum = {
  readonly net: number
  readonly exchange: number
  readonly percent: number
  readonly perNight: number
  readonly perStay: number
  readonly rounding: number
  /** Amount added or removed by the vendor's limits, and by ours that nothing is sold below net. */
  readonly bounds: number
  readonly selling: number
}

/** In minor units of the selling currency. */
export type MinorBounds = { readonly min?: number; readonly max?: number; readonly fixed?: number }

/** Conflicting limits apply in this order: not below net, not above `max` or `fixed`, not below `min` or `fixed`. */
export function sellingSum(net: number, markup: StayMarkup | undefined, limits: MinorBounds | undefined): SellingSum {
  const exchange = markup === undefined ? 0 : takeShare(net, markup.exchangeShare)
  const percent = markup === undefined ? 0 : takeShare(net + exchange, markup.share)
  const { perNight = 0, perStay = 0 } = markup ?? {}
  const raw = net + exchange + percent + perNight + perStay
  const rounded = applyRounding(raw, markup?.rounding)
  const selling = limits === undefined ? Math.max(net, rounded) : applyLimits(net, rounded, limits)
  return { net, exchange, percent, perNight, perStay, rounding: rounded - raw, bounds: selling - rounded, selling }
}

const takeShare = (minor: number, share: number): number => (share === 0 ? 0 : Math.round((minor * share) / 1e6))

function applyRounding(minor: number, rounding: StayMarkup['rounding']): number {
  if (rounding === undefined) return minor
  const { step, mode, minus } = rounding
  const steps = (minor + minus) / step
  const whole = mode === 'up' ? Math.ceil(steps) : mode === 'down' ? Math.floor(steps) : Math.round(steps)
  return whole * step - minus
}

function applyLimits(net: number, price: number, { min = 0, max = Infinity, fixed }: MinorBounds): number {
  const floor = Math.max(min, fixed ?? 0)
  const cap = Math.min(max, fixed ?? Infinity)
  return Math.max(net, Math.min(cap, Math.max(floor, price)))
}

/** Undefined if an amount of the rule cannot be converted, so that nothing is sold by it. */
export function convertMarkup(
  terms: SaleTerms,
  stay: { readonly currency: string; readonly roomNights: number; readonly isConverted: boolean },
  rates: ExchangeRates,
): StayMarkup | undefined {
  const { currency, roomNights, isConverted } = stay
  const perNight = terms.perNight === undefined ? 0 : convertMoney(terms.perNight, currency, rates)?.minor
  const perStay = terms.perStay === undefined ? 0 : convertMoney(terms.perStay, currency, rates)?.minor
  if (perNight === undefined || perStay === undefined) return undefined
  return {
    share: toMillionths(terms.percent),
    exchangeShare: isConverted ? toMillionths(terms.exchangePercent) : 0,
    perNight: perNight * roomNights,
    perStay,
    rounding: terms.rounding && convertRounding(terms.rounding, currency),
  }
}

const toMillionths = (percent = 0): number => Math.round(percent * 10_000)

/** A step finer than the currency becomes one minor unit. */
function convertRounding({ step, mode, minus = 0 }: Rounding, currency: string) {
  const scale = 10 ** (minorDigits(currency) ?? 2)
  const whole = Math.max(1, Math.round(step * scale))
  return { step: whole, mode, minus: Math.min(whole - 1, Math.round(minus * scale)) }
}

/** Ignores limits that cannot be converted. */
export function convertBounds(bounds: SellingBounds, currency: string, rates: ExchangeRates): MinorBounds {
  const minor = (money: Money | undefined) => money && convertMoney(money, currency, rates)?.minor
  const [min, max, fixed] = [minor(bounds.min), minor(bounds.max), minor(bounds.fixed)]
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(fixed !== undefined && { fixed }),
  }
}
