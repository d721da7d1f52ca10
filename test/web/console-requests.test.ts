import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DESKTOP_LIGHT, expectAccessible, openConsole, openView, PHONE_DARK, recordedList } from './console-steps.ts'
import { tabTo } from './keyboard.ts'
import { example, problem, type RecordedApi } from './recorded-api.ts'

let page: Page
let api: RecordedApi
let trouble: () => string[]
beforeEach(async () => {
  ;({ page, api, trouble } = await openConsole())
})
afterEach(() => expect(trouble()).toEqual([]))

const LOST = 'lost-request-1'
const REQUEST = {
  ...example('operatorRequests').data[0],
  ...{ request_id: LOST, operation: 'booking.show', path: '/api/accommodation/bookings/{booking_id}' },
  ...{ status: 404, code: 'booking_not_found', booking_id: 'bkg_31' },
}

test('a request is found by its id with the keyboard only', async () => {
  api.answerWith('operatorRequests', recordedList('operatorRequests', [REQUEST]))
  api.answerWith('operatorRequest', { data: { request_id: LOST, requests: [REQUEST], vendor_calls: [] } })
  await openView(page, '/console/requests')
  const row = page.getByRole('row').filter({ hasText: LOST })
  await row.waitFor()
  expect(await row.textContent()).toContain('booking_not_found')
  expect(
    api.requests('operatorRequests')[0]?.query.getAll('filters[]').join() ||
      [...(api.requests('operatorRequests')[0]?.query ?? [])].join(),
  ).toContain('status:>=<400')
  await tabTo(page, /^Request id$/)
  await page.keyboard.press('Enter')
  await page.getByText('Enter a request id.').waitFor()
  await expectAccessible(page, DESKTOP_LIGHT, PHONE_DARK)
  await page.keyboard.type(LOST)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'booking.show' }).waitFor()
  expect(await page.locator('main').textContent()).toContain('GET /api/accommodation/bookings/{booking_id}')
  await expectAccessible(page, PHONE_DARK, DESKTOP_LIGHT)
})

test('an unknown request id and filters without a match show a message', async () => {
  api.answer('operatorRequest', problem('not_found'))
  await openView(page, '/console/requests/nothing')
  await page.getByText('No request with this id is stored.').waitFor()
  await expectAccessible(page, PHONE_DARK)
  api.answerWith('operatorRequests', recordedList('operatorRequests', []))
  await page.getByRole('link', { name: 'All requests' }).click()
  await page.getByText('No errors stored.').waitFor()
  await page.getByLabel('Show').selectOption('all')
  await page.getByLabel('Operation').fill('no.such')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('No requests stored.').waitFor()
  await expect
    .poll(() => api.requests('operatorRequests').at(-1)?.query.getAll('filters[]'))
    .toEqual(['status:>=<0', 'operation:==<no.such'])
})
