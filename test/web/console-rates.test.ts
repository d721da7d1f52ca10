import { expect, test } from 'vitest'
import { confirmWithReason, DESKTOP_LIGHT, expectAccessible, openConsole, openView } from './console-steps.ts'
import { example } from './recorded-api.ts'

test('the section shows source, day and age of the rates, and confirms rates that jumped', async () => {
  const { page, api, trouble } = await openConsole()
  const waiting = example('operatorExchangeRates')
  const failure = 'the source answered with status 503'
  const later = { data: { ...waiting.data, date: '2027-01-15', pending: null, failure } }
  api.answer('operatorExchangeRates', { status: 200, body: waiting }, { status: 200, body: later })
  api.answer('operatorExchangeRatesConfirm', { status: 200, body: later })
  await openView(page, '/console/rates')
  await page.getByText('www.ecb.europa.eu').waitFor()
  await page.getByText('12 hours without weekends').waitFor()
  await page.getByRole('cell', { name: '66.9' }).waitFor()
  await expectAccessible(page, DESKTOP_LIGHT)
  await page.getByRole('button', { name: 'Confirm these rates' }).click()
  await confirmWithReason(page, 'Confirm these rates', 'Compared with another source.')
  await page.getByText('The rates of 2027-01-15 are in use.').waitFor()
  await page.getByText(failure).waitFor()
  const [{ path } = { path: '' }] = api.requests('operatorExchangeRatesConfirm')
  expect(path).toContain('/2027-01-15/confirm')
  expect(await page.getByRole('button', { name: 'Confirm these rates' }).count()).toBe(0)
  expect(trouble()).toEqual([])
})
