import exchangeRates from '../../data/exchange-rates.json' with { type: 'json' }
import type { ExchangeRates } from '../domain/money/exchange.ts'

/** The dated rates that all amounts are converted with. */
export const rates = (): ExchangeRates => exchangeRates
