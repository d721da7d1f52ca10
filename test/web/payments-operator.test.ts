import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccessFaultsInBothThemes, type Site, type Visit } from '../support/servers/browser.ts'
import { moneyOf, openCardCheckout, payButton, waitForMoney } from './card-steps.ts'
import { confirmWithReason, waitForAction } from './console-steps.ts'
import { signInBrowser } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { waitForConfirmation } from './steps.ts'

let site: Site
let guest: Visit
let operator: Visit
let before: number

beforeAll(async () => {
  site = await sharedSite()
  before = (await moneyOf(site)).length
  guest = await site.visit()
  await openCardCheckout(site, guest.page)
  await payButton(guest.page).click()
  await waitForConfirmation(guest.page)
  operator = await site.visit()
  const user = { email: `${randomUUID()}@example.com`, password: 'a long enough password' }
  await site.app.manageAccounts.add(user.email, 'Operator', user.password, 'operator')
  await signInBrowser(site, operator.page, user)
})
afterAll(async () => {
  await guest.close()
  await operator.close()
})

test('an operator finds a payment, sees its ledger, and refunds a part of it to the card', async () => {
  const { page, trouble } = operator
  await waitForMoney(site, before, ['authorised', 'captured'])
  await page.goto('/console/payments')
  const list = page.getByRole('region', { name: 'Payments, newest first' })
  await list.waitFor()
  expect(await findAccessFaultsInBothThemes(page, list)).toEqual([])
  await list.getByRole('link', { name: /^pay_/ }).first().click()
  const ledger = page.getByRole('region', { name: 'Entries of the ledger, oldest first' })
  await ledger.getByRole('cell', { name: 'captured' }).waitFor()
  expect(await findAccessFaultsInBothThemes(page, ledger)).toEqual([])
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await page.getByLabel(/^Amount in/).fill('10')
  await confirmWithReason(page, 'Refund', 'The shower was cold.')
  await waitForAction(page, 'The refund is ordered.')
  await waitForMoney(site, before, ['authorised', 'captured', 'refunded'])
  await page.getByRole('button', { name: 'Ask the provider now' }).click()
  await waitForAction(page, /The provider was asked/)
  expect(trouble()).toEqual([])
})
