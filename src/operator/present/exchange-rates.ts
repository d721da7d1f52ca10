import type { Static } from 'typebox'
import { moment, momentOrNull } from '../../http/present/moment.ts'
import type { RatesStatus } from '../../rates/exchange-rates.ts'
import type { ExchangeRatesSchema } from '../schemas/exchange-rates.ts'

export const presentExchangeRates = (status: RatesStatus): Static<typeof ExchangeRatesSchema> => ({
  source: status.source,
  date: status.date,
  age_seconds: Math.round(status.ageMs / 1000),
  is_fallback: status.isFallback,
  read_at: momentOrNull(status.readAt),
  next_at: momentOrNull(status.nextAt),
  failure: status.failure ?? null,
  rates: status.rates,
  from_file: [...status.fromFile],
  file_date: status.file.date,
  pending:
    status.pending === undefined
      ? null
      : {
          date: status.pending.date,
          read_at: moment(status.pending.readAt),
          jumps: [...status.pending.jumps],
        },
})
