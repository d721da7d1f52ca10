import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import { Day } from '../../http/schemas/scalars.ts'
import type { ExchangeRatesKeeper } from '../../rates/exchange-rates.ts'
import { presentExchangeRates } from '../present/exchange-rates.ts'
import { type ReasonBody, ReasonRequest } from '../schemas/attention.ts'
import { ExchangeRatesResponse } from '../schemas/exchange-rates.ts'

export type ExchangeRateRouteDeps = {
  exchangeRates: Pick<ExchangeRatesKeeper, 'status' | 'renew' | 'confirm'>
}

type ConfirmRoute = { Params: { date: string }; Body: ReasonBody }

export const exchangeRateRoutes: FastifyPluginAsyncTypebox<ExchangeRateRouteDeps> = async (app, { exchangeRates }) => {
  const show = async () => ({ data: presentExchangeRates(await exchangeRates.status()) })

  app.get('/api/operator/exchange-rates', SHOW, show)

  app.post('/api/operator/exchange-rates/renew', RENEW, async () => {
    await exchangeRates.renew()
    return show()
  })

  app.post<ConfirmRoute>('/api/operator/exchange-rates/:date/confirm', CONFIRM, async ({ params: { date } }) => {
    await exchangeRates.confirm(date)
    return show()
  })
}

const SHOW = operation('operator.exchange_rates', {
  access: 'operator',
  summary: 'Read the exchange rates in use',
  description: 'Their source, day and age, and new ones that wait for a confirmation. For operators.',
  answers: { 200: jsonResponse('The rates.', ExchangeRatesResponse) },
})

const RENEW = operation('operator.exchange_rates.renew', {
  access: 'operator',
  cost: 5,
  summary: 'Read the source of exchange rates now',
  description: 'Otherwise it is read every hour. Rates that changed by more than 20 % wait for a confirmation.',
  answers: { 200: jsonResponse('The rates.', ExchangeRatesResponse) },
  problems: ['not_possible'],
})

const CONFIRM = operation('operator.exchange_rates.confirm', {
  access: 'operator',
  summary: 'Confirm exchange rates that changed by more than 20 %',
  description: 'All nodes use them within a minute.',
  params: Type.Object({ date: Day }),
  body: ReasonRequest,
  answers: { 200: jsonResponse('The rates.', ExchangeRatesResponse) },
  problems: ['not_possible', 'invalid_request'],
})
