import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { Clock } from '../lib/time/clock.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import { findJumps, type Jump } from './compare-rates.ts'
import type { RatesStore } from './store.ts'

export type RatesSource = { readonly name: string; readonly store: RatesStore; download(): Promise<ExchangeRates> }

type Deps = {
  readonly fallback: ExchangeRates
  readonly clock: Clock
  onPending(date: string, jumps: readonly Jump[]): void
}

/** Stores what the source publishes. Returns why it could not be read or believed. */
export async function readSource(
  source: RatesSource,
  { fallback, clock, onPending }: Deps,
): Promise<string | undefined> {
  const read = await source
    .download()
    .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  if (typeof read === 'string') return read
  const { store } = source
  const now = clock.now()
  if (Date.parse(read.date) > now + DAY_MS) return `the day of the rates, ${read.date}, is in the future`
  const [current, pending] = [await store.accepted(), await store.pending()]
  if (current !== undefined && read.date < current.date) return `the source returned old rates, of ${read.date}`
  const known = [current, pending].find((stored) => stored !== undefined && isSame(stored, read))
  const jumps = findJumps(current ?? fallback, read)
  const acceptedAt = known === undefined && jumps.length === 0 ? now : known?.acceptedAt
  await store.save({ ...read, firstReadAt: known?.firstReadAt ?? now, readAt: now, acceptedAt })
  if (acceptedAt === undefined && known === undefined) onPending(read.date, jumps)
  return undefined
}

const isSame = (a: ExchangeRates, b: ExchangeRates): boolean =>
  a.date === b.date &&
  Object.keys({ ...a.rates, ...b.rates }).every((currency) => a.rates[currency] === b.rates[currency])
