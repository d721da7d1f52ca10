import { Gauge, type Registry } from 'prom-client'

export function addRatesMetrics(registry: Registry, { ageMs }: { ageMs(): number }): void {
  new Gauge({
    name: 'serai_exchange_rates_age_seconds',
    help: 'Time since the day of the exchange rates in use ended, without weekends.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(ageMs() / 1000)
    },
  })
}
