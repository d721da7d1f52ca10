import { expect, test } from 'vitest'
import { DESKTOP_LIGHT, expectAccessible, openConsole, openView, PHONE_DARK } from './console-steps.ts'
import { example } from './recorded-api.ts'

const BOOKING = {
  ...{ booking_id: 'bkg_1', reference: 'NY4TRSM6254C626WV0XG', vendor_reference: '891-547', status: 'confirmed' },
  ...{ simulated: false, property_name: 'Hotel Bellevue', check_in: '2027-03-05', lead_guest: 'Ada Lovelace' },
}
const [REQUEST] = example('operatorRequests').data

test('the search box finds bookings, accounts and requests from every view and links to them', async () => {
  const { page, api, trouble } = await openConsole()
  const account = { id: 'acc_7', email: 'ada@example.com', name: 'Ada', role: 'client' }
  const looked_at = { bookings: 10_000, back_to: '2027-01-01T00:00:00.000Z', all: false }
  api.answerWith('operatorFind', {
    data: { bookings: [BOOKING], accounts: [account], requests: [REQUEST], looked_at },
  })
  await openView(page, '/console/audit')
  const box = page.getByRole('searchbox', { name: /^Search references/ })
  await box.fill(' ada ')
  await box.press('Enter')
  await page.getByText('3 results. Guests were searched in the newest 10,000 bookings.').waitFor()
  expect(api.requests('operatorFind').map(({ query }) => query.get('q'))).toEqual(['ada'])
  const href = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true }).getAttribute('href')
  expect(await href(BOOKING.reference)).toBe('/console/bookings/bkg_1')
  expect(await href(account.email)).toBe('/console/accounts/acc_7')
  expect(await href(REQUEST.request_id)).toBe(`/console/requests/${REQUEST.request_id}`)
  await expectAccessible(page, PHONE_DARK, DESKTOP_LIGHT)

  api.answerWith('operatorFind', { data: { bookings: [], accounts: [], requests: [], looked_at: null } })
  await openView(page, '/console/find?q=nobody')
  await page.getByText('Nothing found.').waitFor()
  expect(await box.inputValue()).toBe('nobody')
  expect(trouble()).toEqual([])
})

test('the console has neither languages nor currencies nor the footer of travellers', async () => {
  const { page, trouble } = await openConsole()
  await openView(page, '/console/audit')
  expect(await page.getByLabel('Language').count()).toBe(0)
  expect(await page.getByLabel('Currency').count()).toBe(0)
  expect(await page.getByRole('contentinfo').count()).toBe(0)
  expect(await page.title()).toBe('Audit log · Console · Serai')
  expect(trouble()).toEqual([])
})
