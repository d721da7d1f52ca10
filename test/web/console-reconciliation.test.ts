import { expect, test } from 'vitest'
import {
  confirmWithReason,
  DESKTOP_LIGHT,
  expectAccessible,
  openConsole,
  openView,
  PHONE_DARK,
  waitForAction,
} from './console-steps.ts'
import { example, problem } from './recorded-api.ts'

const REASON = 'The database was restored.'

test('an operator compares bookings with the vendors, adopts a lost one and sees that nothing is left', async () => {
  const { page, api, trouble } = await openConsole()
  const behind = example('operatorReconciliation')
  const [lost] = behind.data.differences
  const settled = { data: { ...behind.data, differences: [] } }
  api.answer('operatorReconciliation', { status: 200, body: behind }, { status: 200, body: settled })
  await openView(page, '/console/reconciliation')
  await page.getByLabel('Bookings made since').fill('soon')
  await page.getByRole('button', { name: 'Compare with the vendors' }).click()
  await page.getByText('Enter a date, such as 2027-01-31.').first().waitFor()
  await page.getByLabel('Bookings made since').fill('2027-01-13')
  await page.getByRole('button', { name: 'Compare with the vendors' }).click()
  await page.getByText('every booking is looked up at its vendor').waitFor()
  await page.getByRole('cell', { name: lost.reference }).waitFor()
  await expectAccessible(page, DESKTOP_LIGHT, PHONE_DARK, DESKTOP_LIGHT)

  await page.getByRole('button', { name: 'Adopt', exact: true }).click()
  await page.getByRole('button', { name: 'Adopt the booking' }).click()
  await page.getByText('Enter the id of an account, such as acc_1.').waitFor()
  await page.getByLabel('Account id').fill('acc_1')
  await confirmWithReason(page, 'Adopt the booking', REASON)
  await waitForAction(page, `${lost.reference} is adopted.`)
  await page.getByText('Compare again after 16 Jan 2027, 09:30:00 UTC.').waitFor()
  await page.getByText('No differences since 2027-01-13.').waitFor()
  const [adoption] = api.requests('operatorReconciliationCarryOut')
  expect(adoption?.body).toEqual({
    ...{ from: '2027-01-13', vendor_id: lost.vendor_id, reference: lost.reference, action: 'adopt' },
    ...{ account_id: 'acc_1', reason: REASON },
  })
  expect(trouble()).toEqual([])
})

test('bookings to cancel and to review have their own actions, and a refusal is shown', async () => {
  const { page, api, trouble } = await openConsole()
  const recorded = example('operatorReconciliation')
  const [lost] = recorded.data.differences
  const reviewed = { ...lost, proposal: 'review', booking_id: 'bkg_7', our_status: 'confirmed', vendor_status: null }
  const second = { ...lost, proposal: 'cancel', reference: '0AAAAAAAAAAAAAAAAAA0', our_status: 'rejected' }
  api.answerWith('operatorReconciliation', { data: { ...recorded.data, differences: [reviewed, second] } })
  await openView(page, '/console/reconciliation')
  await page.getByRole('button', { name: 'Compare with the vendors' }).click()
  await page.getByRole('button', { name: 'Read it again' }).click()
  await confirmWithReason(page, 'Read it again', REASON)
  await waitForAction(page, `${lost.reference} is read again.`)
  expect(await page.getByRole('link', { name: lost.reference }).getAttribute('href')).toBe('/console/bookings/bkg_7')
  api.answer('operatorReconciliationCarryOut', problem('not_possible'))
  await page.getByRole('button', { name: 'Cancel at the vendor' }).click()
  await confirmWithReason(page, 'Cancel at the vendor', REASON)
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
  expect(api.requests('operatorReconciliationCarryOut').map(({ body }) => body.action)).toEqual(['review', 'cancel'])
  await page.getByRole('button', { name: 'End the look-ups' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End the look-ups' }).click()
  await waitForAction(page, 'Bookings are sent without a look-up from now on.')
  expect(api.requests('operatorReconciliation').some(({ body }) => body.end === true)).toBe(true)
  expect(trouble()).toEqual([])
})
