import { minorDigits } from '../../domain/money/currency.ts'
import type { Money } from '../../domain/money/money.ts'
import { asNumber, asRecord, type Wire } from '../wire/read.ts'
import { readCurrency, readMinor } from '../wire/read-money.ts'

/** `{ amount, currency }`, or the first of a list: documentation and responses differ. */
const readAmount = (value: unknown): Wire | undefined => asRecord(Array.isArray(value) ? value[0] : value)

export function readMoney(value: unknown): Money | undefined {
  const wire = readAmount(value)
  return toMoney(wire?.amount, wire?.currency)
}

/** Undefined unless it is an amount of 0 or more. */
export function toMoney(amount: unknown, code: unknown): Money | undefined {
  const currency = readCurrency(code)
  if (currency === undefined) return undefined
  const minor = ceilMinor(amount, currency)
  return minor === undefined ? undefined : { minor, currency }
}

/** Rounds up a number with more decimals than its currency, such as a price in yen with a margin of one percent. */
export function ceilMinor(amount: unknown, currency: string): number | undefined {
  const exact = readMinor(amount, currency)
  const minor =
    exact ?? (typeof amount === 'number' ? Math.ceil(amount * 10 ** (minorDigits(currency) ?? 2)) : undefined)
  return Number.isSafeInteger(minor) && Number(amount) >= 0 ? minor : undefined
}

/** Undefined if it is in another currency. */
export function readMinorIn(value: unknown, currency: string): number | undefined {
  const money = readMoney(value)
  return money?.currency === currency ? money.minor : undefined
}

/** Rounds down, because a share of a price may be a fraction of a cent. 0 if there is none. */
export function readDeduction(value: unknown, currency: string): number {
  const wire = readAmount(value)
  return wire?.currency === currency ? floorMinor(wire.amount, currency) : 0
}

export function floorMinor(amount: unknown, currency: string): number {
  const exact = readMinor(amount, currency)
  const scaled = (asNumber(amount) ?? 0) * 10 ** (minorDigits(currency) ?? 2)
  return Math.max(0, exact ?? Math.floor(scaled))
}

/** `lp` and a hexadecimal number. */
export const isLiteapiId = (id: string): boolean => /^lp[0-9a-z]{1,12}$/.test(id)
