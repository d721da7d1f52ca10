import { digitsOf } from '../../domain/money/currency.ts'
import type { Money } from '../../domain/money/money.ts'
import { finiteOf, recordOf, type Wire } from '../wire/read.ts'
import { currencyOf, minorOf } from '../wire/read-money.ts'

/** `{ amount, currency }`, or the first of a list of them: the documents say list, the answers have both. */
const amountOf = (value: unknown): Wire | undefined => recordOf(Array.isArray(value) ? value[0] : value)

export function moneyOf(value: unknown): Money | undefined {
  const wire = amountOf(value)
  return moneyFrom(wire?.amount, wire?.currency)
}

/** An amount and a currency in two separate fields; undefined when they make no amount of 0 or more. */
export function moneyFrom(amount: unknown, code: unknown): Money | undefined {
  const currency = currencyOf(code)
  if (currency === undefined) return undefined
  const minor = ceilMinor(amount, currency)
  return minor === undefined ? undefined : { minor, currency }
}

/** Rounds up a number that has more decimals than its currency, such as a price in yen with a margin of one percent. */
export function ceilMinor(amount: unknown, currency: string): number | undefined {
  const exact = minorOf(amount, currency)
  const minor = exact ?? (typeof amount === 'number' ? Math.ceil(amount * 10 ** (digitsOf(currency) ?? 2)) : undefined)
  return Number.isSafeInteger(minor) && Number(amount) >= 0 ? minor : undefined
}

/** The same in this currency only. */
export function minorIn(value: unknown, currency: string): number | undefined {
  const money = moneyOf(value)
  return money?.currency === currency ? money.minor : undefined
}

/** What is taken off a price, rounded down: a share of a price need not be a whole number of cents. 0 where there is none. */
export function deductionIn(value: unknown, currency: string): number {
  const wire = amountOf(value)
  return wire?.currency === currency ? floorMinor(wire.amount, currency) : 0
}

export function floorMinor(amount: unknown, currency: string): number {
  const exact = minorOf(amount, currency)
  const scaled = (finiteOf(amount) ?? 0) * 10 ** (digitsOf(currency) ?? 2)
  return Math.max(0, exact ?? Math.floor(scaled))
}

/** `lp` and a hexadecimal number, as all of them are. */
export const isPropertyId = (id: string): boolean => /^lp[0-9a-z]{1,12}$/.test(id)
