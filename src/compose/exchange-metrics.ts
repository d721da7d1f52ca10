import { Gauge, type Registry } from 'prom-client'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { Clock } from '../lib/time/clock.ts'

/** Rates come with the release and are not renewed while the service runs, so their age is worth an alert. */
export function addExchangeMetrics(registry: Registry, deps: { rates(): ExchangeRates; readonly clock: Clock }): void {
  new Gauge({
    name: 'serai_exchange_rates_age_seconds',
    help: 'Age of the exchange rates that prices are converted with.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(Math.max(0, deps.clock.now() - Date.parse(deps.rates().date)) / 1000)
    },
  })
}
