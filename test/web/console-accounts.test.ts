import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PHONE } from '../support/servers/browser.ts'
import {
  confirmWithReason,
  DESKTOP_LIGHT,
  expectAccessible,
  openConsole,
  openView,
  PHONE_DARK,
  recordedList,
  waitForAction,
} from './console-steps.ts'
import { example, problem, type RecordedApi } from './recorded-api.ts'

let page: Page
let api: RecordedApi
let trouble: () => string[]
beforeEach(async () => {
  ;({ page, api, trouble } = await openConsole())
  await page.setViewportSize(PHONE)
})
afterEach(() => expect(trouble()).toEqual([]))

const ACCOUNT = example('operatorAccount').data
const ADDRESS = `/console/accounts/${ACCOUNT.id}`
const refusal = (field: string, message: string) => {
  const { body } = problem('invalid_request')
  return problem('invalid_request', { errors: [{ ...body.errors[0], field, message }] })
}

test('an account can be created on a phone, a refused field shows the reason, and the password is shown once', async () => {
  const created = example('operatorCreateAccount').data
  api.answer('operatorCreateAccount', refusal('email', 'The e-mail must look like name@example.com.'), {
    ...{ status: 201, body: { data: { ...created, password: 'made-for-the-agency' } } },
  })
  await openView(page, '/console/accounts')
  await page.getByRole('link', { name: ACCOUNT.email }).waitFor()
  await page.getByRole('button', { name: 'New account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('Enter an e-mail address').waitFor()
  expect(api.requests('operatorCreateAccount')).toEqual([])
  await dialog.getByLabel('E-mail').fill('agency@example')
  await dialog.getByLabel('Reason').fill('a new customer')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('The e-mail must look like name@example.com.').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('email')
  expect(await dialog.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page, PHONE_DARK)
  await dialog.getByLabel('E-mail').fill('agency@example.com')
  await confirmWithReason(page, 'Create', 'a new customer')
  await dialog.getByText('Copy it now. It will not be shown again.').waitFor()
  await dialog.getByText('made-for-the-agency').waitFor()
  await expectAccessible(page, PHONE_DARK, DESKTOP_LIGHT)
  expect(api.requests('operatorCreateAccount').at(-1)?.body).toEqual({
    ...{ email: 'agency@example.com', role: 'client', reason: 'a new customer' },
  })
  await dialog.getByRole('link', { name: 'Open the account' }).click()
  await page.getByRole('heading', { level: 1, name: 'agency@example.com' }).waitFor()
})

test('the role of an account can be changed with a reason and a key with a budget created on a phone', async () => {
  await openView(page, ADDRESS)
  await page.getByLabel('Role', { exact: true }).selectOption('viewer')
  await page.getByRole('button', { name: 'Change the role' }).click()
  api.answerWith('operatorAccount', { data: { ...ACCOUNT, role: 'viewer' } })
  await confirmWithReason(page, 'Change the role', 'bookkeeping only')
  await waitForAction(page, 'has the role viewer')
  expect(api.requests('operatorChangeAccount')[0]?.body).toEqual({ role: 'viewer', reason: 'bookkeeping only' })
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create the key' }).click()
  await dialog.getByRole('alert').getByText('2 fields need your attention').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name')
  await dialog.getByLabel('Name').fill('books')
  await dialog.getByLabel('search').uncheck()
  await dialog.getByLabel('Amount').fill('ten')
  await dialog.getByLabel('Reason').fill('for the bookkeeping')
  await dialog.getByRole('button', { name: 'Create the key' }).click()
  await dialog.getByText('Enter a number, such as 12.5.').waitFor()
  await expectAccessible(page, PHONE_DARK)
  await dialog.getByLabel('Amount').fill('100')
  await dialog.getByRole('button', { name: 'Create the key' }).click()
  await page.getByText(/srk_live_ZXhh/).waitFor()
  await page.getByText(/€5,000(\.00)? left/).waitFor()
  await expectAccessible(page, PHONE_DARK, DESKTOP_LIGHT)
  expect(api.requests('operatorCreateKey').map(({ body }) => body)).toEqual([
    {
      ...{ name: 'books', mode: 'live', scopes: ['read'], reason: 'for the bookkeeping' },
      budget: { amount: 100, currency: 'EUR', per: 'day' },
    },
  ])
})

test('the last operator cannot be disabled, and an empty list of accounts shows a message', async () => {
  api.answer('operatorDisableAccount', refusal('account_id', 'This is the last operator.'))
  await openView(page, ADDRESS)
  await page.getByRole('button', { name: 'Disable the account' }).click()
  await confirmWithReason(page, 'Disable the account', 'The contract has ended')
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await expectAccessible(page, PHONE_DARK)
  await page.keyboard.press('Escape')
  api.answerWith('operatorAccounts', recordedList('operatorAccounts', []))
  await page.getByRole('link', { name: 'All accounts' }).click()
  await page.getByLabel('E-mail contains').fill('nobody')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('No account’s e-mail contains “nobody”.').waitFor()
  expect(api.requests('operatorDisableAccount').map(({ body }) => body)).toEqual([{ reason: 'The contract has ended' }])
})
