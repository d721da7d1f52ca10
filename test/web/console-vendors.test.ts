import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DESKTOP_LIGHT, expectAccessible, openConsole, openView, PHONE_DARK, recordedList } from './console-steps.ts'
import { tabTo, waitForFocus } from './keyboard.ts'
import { example, problem, RECORDED_AT, type RecordedApi } from './recorded-api.ts'

let page: Page
let api: RecordedApi
let trouble: () => string[]
beforeEach(async () => {
  ;({ page, api, trouble } = await openConsole())
})
afterEach(() => expect(trouble()).toEqual([]))

const [VENDOR] = example('operatorVendors').data
/** A failing vendor that asked for a pause, has outdated content, and has no bookings. */
const FAILING = {
  ...VENDOR,
  ...{ vendor_id: 'hotelbeds', environment: 'test', breaker: 'open' },
  quota: { ...VENDOR.quota, held_until: RECORDED_AT },
  content: { ...VENDOR.content, fresh_at: null, late_since: RECORDED_AT, failure: 'timeout' },
  look_to_book: { searches: 5, bookings: 0, ratio: null },
  last_hour: { ...VENDOR.last_hour, calls: 1_000, failures: 1 },
  failing_operations: [{ operation: 'find', period: 'hour', calls: 14, failures: 13 }],
}
const SILENT = { ...VENDOR, vendor_id: 'liteapi', environment: 'sandbox', processes: 0 }

test('vendors can be compared and one of them opened with the keyboard only', async () => {
  api.answerWith('operatorVendors', recordedList('operatorVendors', [VENDOR, FAILING, SILENT]))
  api.answerWith('operatorVendor', { data: { ...example('operatorVendor').data, ...FAILING } })
  await openView(page, '/console/vendors')
  const rows = page.getByRole('table').getByRole('row')
  await rows.nth(3).waitFor()
  expect(await rows.nth(1).getByRole('img').getAttribute('aria-label')).toBe(
    'Calls in the last hour: 72 calls, 0 failed; at most 36 per interval',
  )
  expect(await rows.nth(1).textContent()).toContain('Answering')
  expect(await rows.nth(2).textContent()).toMatch(/Breaker open.*paused until.*late since/)
  expect(await rows.nth(3).textContent()).toContain('No process reporting')
  expect(await rows.nth(2).textContent()).toContain('find 93 % of 14')
  expect(await rows.nth(2).getByText('0.1 %').getAttribute('class')).toBe('')
  await expectAccessible(page, DESKTOP_LIGHT, PHONE_DARK)

  await tabTo(page, /^Hotelbeds$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Hotelbeds' }).waitFor()
  expect(await page.title()).toBe('Hotelbeds · Console · Serai')
  await page.getByRole('heading', { name: 'Breakers and limits of each process' }).waitFor()
  await waitForFocus(page, /^Hotelbeds$/)
  await tabTo(page, /^Last week$/)
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Calls by operation, last week' }).waitFor()
  await waitForFocus(page, /^Last week$/)
  expect(new URL(page.url()).searchParams.get('window')).toBe('week')
  await expectAccessible(page, PHONE_DARK, DESKTOP_LIGHT)
})

test('a vendor without calls, an unknown vendor, and a service without vendors show a message', async () => {
  const { data } = example('operatorVendor')
  api.answer(
    'operatorVendor',
    { status: 200, body: { data: { ...data, operations: [], accounts: [] } } },
    problem('not_found'),
  )
  api.answerWith('operatorVendors', recordedList('operatorVendors', []))
  await openView(page, '/console/vendors/expedia_rapid')
  await page.getByText('No calls to this vendor.').waitFor()
  await page.getByText('No searches or bookings with this vendor.').waitFor()
  await openView(page, '/console/vendors/unknown')
  await page.getByRole('alert').waitFor()
  await expectAccessible(page, PHONE_DARK)
  await page.getByRole('link', { name: 'All vendors' }).click()
  await page.getByText('No vendor is connected.').waitFor()
  expect(api.requests('operatorVendor').map(({ path }) => path.split('/').at(-1))).toEqual(['expedia_rapid', 'unknown'])
})
