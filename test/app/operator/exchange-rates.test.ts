import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeRatesResponse } from '../../../src/operator/schemas/exchange-rates.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { operatorToken } from '../../support/app/operator.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { ecbFile } from '../../support/http/ecb-file.ts'
import { scriptedServer } from '../../support/http/scripted-server.ts'

const PATH = '/api/operator/exchange-rates'
const RATES = { USD: 1.14, JPY: 184, GBP: 0.87, CHF: 0.93, SEK: 11 }

let server: Awaited<ReturnType<typeof scriptedServer>>
let app: TestApp
let operator: string
beforeAll(async () => {
  server = await scriptedServer()
  app = await testApp({ exchangeRatesUrl: `${server.url}/daily.xml?key=secret` })
  operator = await operatorToken(app)
})
afterAll(async () => {
  await app.close()
  await server.close()
})

const today = () => new Date(app.clock.now()).toISOString().slice(0, 10)
const show = async () => {
  const answer = await app.as(operator, { url: PATH })
  expectToMatch(ExchangeRatesResponse, answer.json())
  return answer.json().data
}

test('operators read the rates in use, renew them and confirm a jump, which is on the attention list until then', async () => {
  expect(await show()).toMatchObject({ is_fallback: true, pending: null })
  server.play((response) => response.end(ecbFile(today(), RATES)))
  const renewed = await app.as(operator, { method: 'POST', url: `${PATH}/renew` })
  expect(renewed.json().data).toMatchObject({ date: today(), is_fallback: false, age_seconds: 0, rates: RATES })
  expect(renewed.json().data.source).toBe(`${new URL(server.url).host}/daily.xml`)

  server.play((response) => response.end(ecbFile(today(), { ...RATES, SEK: 15 })))
  app.clock.advance(3_600_000)
  await app.renewExchangeRates()
  expect((await show()).pending).toMatchObject({ date: today(), jumps: [{ currency: 'SEK', before: 11, after: 15 }] })
  const attention = await app.as(operator, { url: '/api/operator/attention' })
  expect(attention.json().data).toMatchObject([{ kind: 'exchange_rates', action: 'open_exchange_rates' }])

  const confirm = { method: 'POST', url: `${PATH}/${today()}/confirm` } as const
  const confirmed = await app.as(operator, { ...confirm, payload: { reason: 'Compared with another source.' } })
  expect(confirmed.json().data).toMatchObject({ pending: null, rates: { SEK: 15 } })
  const audit = await app.as(operator, { url: '/api/operator/audit?limit=1' })
  expect(audit.json().data[0]).toMatchObject({ action: 'operator.exchange_rates.confirm', subject: today() })
})

test('only operators see the exchange rates', async () => {
  expect((await app.as(await app.signIn(), { url: PATH })).statusCode).toBe(403)
})
