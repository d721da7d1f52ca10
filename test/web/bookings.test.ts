import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findAccessFaults, findAccessFaultsInBothThemes } from '../support/servers/browser.ts'
import {
  example,
  openRecorded,
  problem,
  RESULTS_ADDRESS,
  type RecordedApi,
  type RecordedVisit,
} from './recorded-api.ts'
import { openFilledCheckout } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { bookButton, openFirstStay, openWithin, waitForConfirmation, waitForResults } from './steps.ts'

let visit: RecordedVisit
let page: Page
let api: RecordedApi

beforeAll(async () => {
  visit = await openRecorded(await sharedSite())
  page = visit.page
  api = visit.api
})
beforeEach(() => api.reset())
afterEach(() => {
  // The browser logs the aborted request.
  expect(visit.trouble().filter((line) => !line.includes('ERR_CONNECTION_RESET'))).toEqual([])
})
afterAll(() => visit.close())

const BOOKING = example('bookingShow').data
const ADDRESS = `/bookings/${BOOKING.booking_id}`
const cancelled = { data: { ...BOOKING, status: 'cancelled' } }

test('a future stay is listed only as upcoming, and a simulated one is marked at the checkout, in the list and on its page', async () => {
  const none = { ...example('bookingList'), data: [] }
  api.answer('bookingList', ({ query }) => {
    const isUpcoming = query.getAll('filters[]').includes('check_out:>=<2027-01-15')
    return { status: 200, body: isUpcoming ? example('bookingList') : none }
  })
  await openWithin(page, RESULTS_ADDRESS)
  await waitForResults(page)
  await openFirstStay(page)
  await openFilledCheckout(page, page.url())
  expect(await page.getByText('This offer is simulated').count()).toBe(1)
  expect(await page.locator('aside').getByText('Simulated', { exact: true }).count()).toBe(1)
  await bookButton(page).click()
  await waitForConfirmation(page)
  expect(await page.locator('main header').getByText('Simulated').count()).toBe(1)
  await page.getByRole('link', { name: 'My bookings' }).click()
  const listed = page.locator('article').first()
  await listed.waitFor()
  expect(await listed.getByText('Simulated').count()).toBe(1)
  expect(await findAccessFaultsInBothThemes(page, listed)).toEqual([])
  await page.getByRole('link', { name: 'Past', exact: true }).click()
  const nothing = page.getByRole('heading', { name: 'No past bookings' })
  await nothing.waitFor()
  expect(await findAccessFaultsInBothThemes(page, nothing)).toEqual([])
  await page.getByRole('link', { name: 'Cancelled', exact: true }).click()
  await page.getByRole('heading', { name: 'No cancelled bookings' }).waitFor()
  const filters = api.requests('bookingList').map(({ query }) => query.getAll('filters[]'))
  expect(filters).toEqual([
    ['check_out:>=<2027-01-15', 'status:not_in<cancelled,rejected'],
    ['check_out:<<2027-01-15', 'status:not_in<cancelled,rejected'],
    ['status:in<cancelled,rejected'],
  ])
})

test('with the sandbox every booking is marked as simulated, in the list and on its page', async () => {
  const data = { ...BOOKING, simulated: false }
  api.answerWith('bookingShow', { data })
  api.answerWith('bookingList', { ...example('bookingList'), data: [data] })
  for (const sandbox of [false, true]) {
    api.configure({ sandbox })
    const count = sandbox ? 1 : 0
    await page.goto(ADDRESS)
    await page.locator('main header').getByText('Confirmed', { exact: true }).waitFor()
    await expect.poll(() => page.locator('main header').getByText('Simulated').count()).toBe(count)
    expect(await page.getByText('This booking is simulated').count()).toBe(count)
    await page.getByRole('link', { name: 'My bookings' }).click()
    await page.locator('article').first().waitFor()
    expect(await page.locator('article').getByText('Simulated').count()).toBe(count)
  }
})

test('a booking names the country, links to directions, and leaves out steps that took no time', async () => {
  const [event] = BOOKING.events
  const moved = (from: string | null, to: string, sequence: number, at: string) => ({
    ...event,
    from,
    to,
    sequence,
    at,
  })
  const events = [
    moved(null, 'pending', 1, '2027-01-14T10:00:02Z'),
    moved('pending', 'submitting', 2, '2027-01-14T10:00:03Z'),
    moved('submitting', 'confirmed', 3, '2027-01-14T10:00:05Z'),
  ]
  const property = { ...BOOKING.property, address: '1 Rue de Rivoli, Paris, FR' }
  api.answerWith('bookingShow', { data: { ...BOOKING, property, events } })
  await openWithin(page, ADDRESS)
  await page.getByText('1 Rue de Rivoli, Paris, France', { exact: true }).waitFor()
  const directions = page.getByRole('link', { name: 'Directions (OpenStreetMap)' })
  const { lat, lon } = BOOKING.property.location
  expect(await directions.getAttribute('href')).toContain(`${lat}%2C${lon}`)
  const history = page.locator('section', { has: page.getByRole('heading', { name: 'History' }) })
  expect(await history.getByRole('listitem').allTextContents()).toEqual([expect.stringMatching(/^Confirmed/)])
})

test('collapsed notices are printed, and a special request in Arabic is written from right to left', async () => {
  const long = {
    kind: 'check_in',
    title: 'Arrival',
    title_code: null,
    text: 'Ring twice. '.repeat(40),
    url: null,
    language: 'en',
  }
  const more = { notices: [{ ...long, required_at: ['voucher'] }], special_requests: 'غرفة هادئة, 2nd floor' }
  api.answerWith('bookingShow', { data: { ...BOOKING, ...more } })
  await openWithin(page, ADDRESS)
  const isShown = () => page.evaluate<boolean>(`document.querySelector('details p').checkVisibility()`)
  await page.locator('details').filter({ hasText: 'Arrival' }).waitFor()
  expect(await isShown()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  expect(await isShown()).toBe(true)
  const direction = `getComputedStyle([...document.querySelectorAll('bdi')].at(-1)).direction`
  expect(await page.evaluate(direction)).toBe('rtl')
  await page.emulateMedia({ media: 'screen' })
})

test('a cancellation fee that has risen is shown with the previous one and charged only after the guest agrees', async () => {
  const { currency, refund } = example('bookingCancel').data
  const from = BOOKING.cancel_policy.penalties[0].from
  const changes = [
    { what: 'cancellation_fee', shown: { amount: 0, currency, from }, now: { amount: 50, currency, from } },
  ]
  const preview = (penalty: number) => {
    const { data } = example('bookingCancel')
    return {
      status: 200,
      body: { data: { ...data, status: 'confirmed', preview: true, penalty, refund: refund - penalty } },
    }
  }
  const { room: _, ...risen } = problem('terms_changed', { changes }).body
  api.answer('bookingCancel', preview(0), { status: 409, body: risen }, preview(50), (request) => {
    api.answerWith('bookingShow', cancelled)
    return api.recorded(request)
  })
  await openWithin(page, ADDRESS)
  await page.getByRole('button', { name: 'Cancel this booking' }).click()
  const dialog = page.getByRole('alertdialog')
  const free = dialog.getByRole('button', { name: 'Cancel for free' })
  await free.waitFor()
  expect(await findAccessFaultsInBothThemes(page, dialog.getByText('Refund', { exact: true }))).toEqual([])
  await free.click()
  await dialog
    .getByRole('alert')
    .getByText('The fee has risen from €0 to €50 since it was shown. Nothing was cancelled.')
    .waitFor()
  const agree = dialog.getByRole('button', { name: 'Cancel and pay €50', exact: true })
  await agree.waitFor()
  expect(await findAccessFaults(page)).toEqual([])
  await agree.click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Cancelled', exact: true }).waitFor()
  const accepted = api.requests('bookingCancel').map(({ query }) => query.get('accept_penalty_up_to'))
  expect(accepted).toEqual([null, '0', null, '50'])
})

test('if the answer to a cancellation is lost, the page reads the booking again and shows it as cancelled', async () => {
  await openWithin(page, ADDRESS)
  await page.getByRole('button', { name: 'Cancel this booking' }).click()
  const dialog = page.getByRole('alertdialog')
  const agree = dialog.getByRole('button', { name: 'Cancel for free' })
  await agree.waitFor()
  api.answer('bookingCancel', () => {
    api.answerWith('bookingShow', cancelled)
    return 'lost'
  })
  await agree.click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Cancelled', exact: true }).waitFor()
  expect(api.requests('bookingCancel')).toHaveLength(2)
})

test('a partly cancelled booking shows the status of each room and the discrepancy of the vendor', async () => {
  const since = BOOKING.created_at
  const differs = { code: 'room_cancelled', since, until: null, booked: 'confirmed', vendor_says: 'cancelled' }
  const rooms = [
    { number: 1, status: 'confirmed' },
    { number: 2, status: 'cancelled' },
  ]
  api.answerWith('bookingShow', { data: { ...BOOKING, status: 'needs_review', rooms, discrepancies: [differs] } })
  await openWithin(page, ADDRESS)
  await page.getByText('The vendor has cancelled some of the rooms.').waitFor()
  const shown = page.locator('dd').filter({ hasText: /^Room \d:/ })
  expect(await shown.first().textContent()).toMatch(/^Room 1:.*Confirmed$/)
  expect(await shown.nth(1).textContent()).toMatch(/^Room 2:.*Cancelled$/)
  expect(await findAccessFaults(page)).toEqual([])
})

test('a booking that does not exist is reported as such', async () => {
  api.answer('bookingShow', problem('booking_not_found'))
  await openWithin(page, '/bookings/nowhere')
  const alert = page.getByRole('alert')
  await alert.waitFor()
  expect(await alert.getByRole('button').count(), 'asking again would not help').toBe(0)
  expect(await findAccessFaultsInBothThemes(page, alert)).toEqual([])
})
