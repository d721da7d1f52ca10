import file from '../../data/exchange-rates.json' with { type: 'json' }
import { createExchangeRates } from '../rates/exchange-rates.ts'
import { fetchRates } from '../rates/fetch-rates.ts'
import { createRatesStore } from '../rates/store.ts'
import type { Core } from './core.ts'

type Parts = Pick<Core, 'config' | 'clock' | 'database'> & { readonly log?: Core['log'] }

/** Rates of the configured source; those of the release until there are any. */
export async function composeRates({ config, clock, log, database }: Parts) {
  const { exchangeRatesUrl: url } = config
  const keeper = createExchangeRates({
    source: url === undefined ? undefined : sourceAt(url),
    fallback: file,
    clock,
    onFailure,
    onPending,
  })
  function sourceAt(address: string) {
    const { host, pathname } = new URL(address)
    // Without the query, which may contain a key.
    const name = `${host}${pathname}`
    return { name, store: createRatesStore(database, name), download: () => fetchRates(address) }
  }
  function onFailure(reason: string): void {
    log?.warn({ reason }, 'the exchange rates were not renewed')
  }
  function onPending(day: string, jumps: readonly object[]): void {
    log?.warn({ day, jumps }, 'new exchange rates wait for the confirmation of an operator')
  }
  await keeper.load()
  return keeper
}
