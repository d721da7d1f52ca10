import type { ExchangeRatesKeeper } from '../../rates/exchange-rates.ts'
import type { AttentionSource } from './attention.ts'

/** New exchange rates that wait for a confirmation. */
export const ratesSource =
  (rates: Pick<ExchangeRatesKeeper, 'status'>): AttentionSource =>
  async () => {
    const { pending, date } = await rates.status()
    if (pending === undefined) return []
    const jumps = pending.jumps.map(({ currency, before, after }) => `${currency} from ${before} to ${after}`)
    return [
      {
        id: `exchange_rates.${pending.date}`,
        kind: 'exchange_rates',
        since: pending.readAt,
        title: 'New exchange rates wait for a confirmation',
        whatHappened: `The rates of ${pending.date} differ by more than 20 %: ${jumps.join(', ')}. Those of ${date} stay in use.`,
        whatToDo: 'Compare them with another source. If they are right, confirm them.',
        action: 'open_exchange_rates',
      },
    ]
  }
