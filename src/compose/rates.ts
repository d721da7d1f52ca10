import exchangeRates from '../../data/exchange-rates.json' with { type: 'json' }
import type { ExchangeRates } from '../domain/money/exchange.ts'

export const rates = (): ExchangeRates => exchangeRates
