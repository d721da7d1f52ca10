import { Gauge, type Registry } from 'prom-client'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { Clock } from '../lib/time/clock.ts'

/** How old the exchange rates are: they come with the release, and nothing renews them while the service runs. */
export function addExchangeMetrics(registry: Registry, deps: { rates(): ExchangeRates; readonly clock: Clock }): void {
  new Gauge({
    name: 'serai_exchange_rates_age_seconds',
    help: 'Since the day of the exchange rates that prices are converted with.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(Math.max(0, deps.clock.now() - Date.parse(deps.rates().date)) / 1000)
    },
  })
}
