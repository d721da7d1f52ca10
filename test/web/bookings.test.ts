import { beforeAll, expect, test } from 'vitest'
import { accessFaults, type Site } from '../support/servers/browser.ts'
import { atCheckout, bookSimulated, newAccount, signedIn, turnTestClock, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { bookButton, confirmed } from './steps.ts'

let site: Site
let address: string
let user: Awaited<ReturnType<typeof newAccount>>
beforeAll(async () => {
  site = await sharedSite()
  address = await warmUp(site)
  user = await newAccount(site)
})

test('a coming stay is listed as upcoming only, and a simulated one is marked at the checkout, in the list and on its page', async () => {
  const { page, trouble, close } = await site.visit()
  await signedIn(site, page, user)
  await page.route('**/api/accommodation_searches/search', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'x-simulate-return': 'success' } }),
  )
  const list = new URL(address, site.url)
  await page.goto(`/search${list.search.replace(/&search_id=.*/, '')}`)
  await page.locator('[data-property] a').first().click()
  await page.locator('#rooms table').first().waitFor()
  await atCheckout(page, page.url())
  expect(await page.getByText('This offer is simulated').count()).toBe(1)
  expect(await page.locator('aside').getByText('Simulated', { exact: true }).count()).toBe(1)
  await bookButton(page).click()
  await confirmed(page)
  expect(await page.locator('main header').getByText('Simulated').count()).toBe(1)
  await page.getByRole('link', { name: 'My bookings' }).click()
  await page.locator('article').first().waitFor()
  expect(await page.locator('article').first().getByText('Simulated').count()).toBe(1)
  await page.getByRole('link', { name: 'Past', exact: true }).click()
  await page.getByRole('heading', { name: 'No past bookings' }).waitFor()
  await page.getByRole('link', { name: 'Cancelled', exact: true }).click()
  await page.getByRole('heading', { name: 'No cancelled bookings' }).waitFor()
  expect(trouble()).toEqual([])
  await close()
})

test('what is folded up on the screen is printed, and a request in Arabic reads from the right', async () => {
  const { page, trouble, close } = await site.visit()
  const token = await signedIn(site, page, user)
  const id = await bookSimulated(site, token)
  const long = { kind: 'check_in', title: 'Arrival', text: 'Ring twice. '.repeat(40), url: null, language: 'en' }
  await page.route(`**/api/accommodation/bookings/${id}`, async (route) => {
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: object }
    const more = { notices: [{ ...long, required_at: ['confirmation'] }], special_requests: 'غرفة هادئة, 2nd floor' }
    await route.fulfill({ response, json: { data: { ...data, ...more } } })
  })
  await page.goto(`/bookings/${id}`)
  const isShown = () => page.evaluate<boolean>(`document.querySelector('details p').checkVisibility()`)
  await page.locator('details').filter({ hasText: 'Arrival' }).waitFor()
  expect(await isShown()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  expect(await isShown()).toBe(true)
  const direction = `getComputedStyle([...document.querySelectorAll('bdi')].at(-1)).direction`
  expect(await page.evaluate(direction)).toBe('rtl')
  expect(trouble()).toEqual([])
  await close()
})

test('a cancellation fee that has risen since it was shown is told before and after, and charged only once it is agreed to', async () => {
  const { page, trouble, close } = await site.visit()
  const token = await signedIn(site, page, user)
  const [id, other] = [await bookSimulated(site, token), await bookSimulated(site, token)]
  await page.goto(`/bookings/${id}`)
  await page.getByRole('button', { name: 'Cancel this booking' }).click()
  const dialog = page.getByRole('alertdialog')
  const free = dialog.getByRole('button', { name: 'Cancel for free' })
  await free.waitFor()
  await turnTestClock(site, token)
  await free.click()
  const notice = dialog.getByRole('alert')
  await notice
    .getByText(/^The fee has risen from [£€$]0 to [£€$][\d.,]+ since it was shown\. Nothing was cancelled\.$/)
    .waitFor()
  const [, fee = ''] = /to (\S+) since/.exec((await notice.textContent()) ?? '') ?? []
  const agree = dialog.getByRole('button', { name: `Cancel and pay ${fee}`, exact: true })
  await agree.waitFor()
  expect(await accessFaults(page)).toEqual([])
  await agree.click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Cancelled', exact: true }).waitFor()

  // Where the answer is lost, the booking is read again, and says that it was cancelled.
  await page.goto(`/bookings/${other}`)
  await page.getByRole('button', { name: 'Cancel this booking' }).click()
  const again = dialog.getByRole('button', { name: /^Cancel (for free|and pay)/ })
  await again.waitFor()
  await page.route('**/cancel*', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await again.click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Cancelled', exact: true }).waitFor()
  expect(trouble().filter((line) => !line.includes('ERR_CONNECTION_RESET'))).toEqual([])
  await close()
})

test('a partly cancelled booking shows how each room stands, and what the vendor says otherwise', async () => {
  const { page, trouble, close } = await site.visit()
  await signedIn(site, page, user)
  await atCheckout(page, address)
  await bookButton(page).click()
  await confirmed(page)
  await page.route('**/api/accommodation/bookings/*', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    const since = data.created_at
    const differs = { code: 'room_cancelled', since, until: null, booked: 'confirmed', vendor_says: 'cancelled' }
    await route.fulfill({
      response,
      json: {
        data: {
          ...data,
          status: 'needs_review',
          occupancies: [...data.occupancies, ...data.occupancies],
          guests: [...data.guests, ...data.guests],
          rooms: [
            { number: 1, status: 'confirmed' },
            { number: 2, status: 'cancelled' },
          ],
          discrepancies: [differs],
        },
      },
    })
  })
  await page.reload()
  await page.getByText('The vendor has cancelled some of the rooms.').waitFor()
  const rooms = page.locator('dd').filter({ hasText: /^Room \d:/ })
  expect(await rooms.first().textContent()).toMatch(/^Room 1:.*Confirmed$/)
  expect(await rooms.nth(1).textContent()).toMatch(/^Room 2:.*Cancelled$/)
  expect(await accessFaults(page)).toEqual([])
  expect(trouble()).toEqual([])
  await close()
})
