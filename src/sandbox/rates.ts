import { minorOf } from './world/exchange.ts'

/** Large enough that rounding to whole minor units leaves nine digits of the rate. */
const SAMPLE_DOLLARS = 1e9
const perDollar = new Map<string, number>()

function minorPerDollar(currency: string): number {
  let found = perDollar.get(currency)
  if (found === undefined) {
    found = minorOf(SAMPLE_DOLLARS, currency) / SAMPLE_DOLLARS
    perDollar.set(currency, found)
  }
  return found
}

/** An amount in another currency, at the world's fixed rates: the same on every machine and every day. */
export function convertMinor(minor: number, from: string, to: string): number {
  return from === to ? minor : Math.round((minor / minorPerDollar(from)) * minorPerDollar(to))
}
