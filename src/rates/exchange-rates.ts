import { AppError } from '../domain/errors.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { Clock } from '../lib/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts'
import { ageWithoutWeekends, completeRates, findJumps, type Jump } from './compare-rates.ts'
import { type RatesSource, readSource } from './read-source.ts'
import type { StoredRates } from './store.ts'

type Fallback = ExchangeRates & { readonly source: string }

export type RatesStatus = {
  readonly source: string
  readonly date: string
  readonly ageMs: number
  readonly isFallback: boolean
  readonly readAt: number | undefined
  readonly nextAt: number | undefined
  readonly failure: string | undefined
  readonly rates: ExchangeRates['rates']
  /** Currencies whose rates come from the file of the release. */
  readonly fromFile: readonly string[]
  readonly file: Fallback
  readonly pending: { readonly date: string; readonly readAt: number; readonly jumps: readonly Jump[] } | undefined
}

type Deps = {
  /** Undefined if only the file of the release is used. */
  readonly source: RatesSource | undefined
  readonly fallback: Fallback
  readonly clock: Clock
  onFailure(reason: string): void
  onPending(date: string, jumps: readonly Jump[]): void
}

const EVERY_MS = HOUR_MS
const RETRY_MS = 10 * MINUTE_MS
const LEASE_MS = MINUTE_MS

export type ExchangeRatesKeeper = ReturnType<typeof createExchangeRates>

/** Rates of the configured source, or of the file in the release until there are any. Every process reads the same rows. */
export function createExchangeRates(deps: Deps) {
  const { source, fallback, clock, onFailure } = deps
  let accepted: StoredRates | undefined
  let inUse: ExchangeRates = fallback

  /** Reads the rates that this or another process stored. */
  async function load(): Promise<void> {
    const found = await source?.store.accepted()
    if (found?.date === accepted?.date && found?.acceptedAt === accepted?.acceptedAt) return
    accepted = found
    inUse = found === undefined ? fallback : completeRates(found, fallback)
  }

  return {
    rates: (): ExchangeRates => inUse,
    ageMs: (): number => ageWithoutWeekends(inUse, clock.now()),
    load,

    /** Reads the source if it is due, in one process, and takes over what any process stored. */
    async keep(): Promise<number> {
      if (source === undefined) return 0
      const task = await source.store.claim(clock.now(), LEASE_MS)
      if (task !== undefined) {
        const failure = await readSource(source, deps)
        if (failure !== undefined) onFailure(failure)
        await source.store.release(task, clock.now() + (failure === undefined ? EVERY_MS : RETRY_MS), failure)
      }
      await load()
      return 0
    },

    /** Reads the source now. */
    async renew(): Promise<void> {
      if (source === undefined)
        throw new AppError('not_possible', 'No source is configured. Set SERAI_EXCHANGE_RATES_URL.')
      const failure = await readSource(source, deps)
      if (failure !== undefined) throw new AppError('not_possible', `The rates were not renewed: ${failure}.`)
      await load()
    },

    async confirm(date: string): Promise<void> {
      const pending = await source?.store.pending()
      if (pending?.date !== date)
        throw new AppError('not_possible', `No exchange rates of ${date} wait for a confirmation.`)
      await source?.store.save({ ...pending, acceptedAt: clock.now() })
      await load()
    },

    async status(): Promise<RatesStatus> {
      await load()
      return describe(deps, inUse, accepted)
    },
  }
}

async function describe(
  { source, fallback, clock }: Deps,
  inUse: ExchangeRates,
  accepted: StoredRates | undefined,
): Promise<RatesStatus> {
  const [schedule, pending] = [await source?.store.schedule(), await source?.store.pending()]
  return {
    source: accepted === undefined || source === undefined ? fallback.source : source.name,
    date: inUse.date,
    ageMs: ageWithoutWeekends(inUse, clock.now()),
    isFallback: accepted === undefined,
    readAt: accepted?.readAt,
    nextAt: schedule?.nextAt,
    failure: schedule?.failure,
    rates: inUse.rates,
    fromFile: Object.keys(fallback.rates).filter((currency) => accepted?.rates[currency] === undefined),
    file: fallback,
    pending: pending && {
      date: pending.date,
      readAt: pending.readAt,
      jumps: findJumps(accepted ?? fallback, pending),
    },
  }
}
