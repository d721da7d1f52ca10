import type { Page } from 'playwright-core'

/** The steps of a user, from signing in to the confirmation. */

export const GUEST = { given: 'Ana', family: 'Costa', email: 'ana@example.com', phone: '+351 910 000 000' } as const

/** Follows a link within the page, because loading it takes longer than most tests. A new tab loads it. */
export async function openWithin(page: Page, address: string, way = '/no-such-page'): Promise<void> {
  if (page.url() === 'about:blank') return void (await page.goto(address))
  // Another view in between clears the state of the previous test.
  for (const href of [way, address])
    await page.evaluate(
      `{ const link = document.createElement('a'); link.href = '${href}'; document.body.append(link); link.click(); link.remove() }`,
    )
}

export async function continueAsDemo(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Continue as the demo guest' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

export async function chooseDestination(page: Page, text: string, option: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: 'Where' }).fill(text)
  await page.getByRole('option', { name: option }).first().click()
}

export async function searchFor(page: Page, text = 'Funchal', option: RegExp = /^Funchal/): Promise<void> {
  await chooseDestination(page, text, option)
  await page.getByRole('button', { name: 'Search' }).click()
  await waitForResults(page)
}

/** Waits for the first cards and the end of the search. */
export async function waitForResults(page: Page): Promise<void> {
  await page.locator('section[aria-busy="false"]').waitFor()
  await page.locator('[data-property]').first().waitFor()
}

export async function openFirstStay(page: Page): Promise<void> {
  await page.locator('[data-property] a').first().click()
  await page.locator('#rooms table').first().waitFor()
}

/** Chooses the cheapest room with free cancellation, or else the cheapest. */
export async function chooseCheapestRoom(page: Page): Promise<void> {
  const rows = page.locator('#rooms tbody tr')
  const free = rows.filter({ hasText: 'Free cancellation' })
  const wanted = (await free.count()) > 0 ? free : rows
  await wanted
    .first()
    .getByRole('button', { name: /^Choose / })
    .click()
  await page.getByLabel('First name').first().waitFor()
}

/** Waits for the price check, because booking before it opens a dialog. */
export async function waitForPriceCheck(page: Page): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await page.evaluate<boolean>(IS_CHECKED)) return
    await page.waitForTimeout(100)
  }
  throw new Error('the price was not checked within 20 s')
}

const IS_CHECKED = `'termsDigest' in JSON.parse(sessionStorage['serai.checkout.' + new URL(location).searchParams.get('id')] ?? '{}')`

export async function fillGuest(page: Page): Promise<void> {
  await waitForPriceCheck(page)
  await page.getByLabel('First name').first().fill(GUEST.given)
  await page.getByLabel('Last name').first().fill(GUEST.family)
  await page.getByLabel('E-mail').fill(GUEST.email)
  await page.getByLabel('Phone').fill(GUEST.phone)
}

export const bookButton = (page: Page) => page.getByRole('button', { name: /^Book for / })

/** Waits for the confirmation; a failure includes the text of the page. */
export async function waitForConfirmation(page: Page): Promise<void> {
  try {
    await page.getByRole('heading', { name: /^Your (room is|rooms are) booked$/ }).waitFor()
  } catch (cause) {
    throw new Error(`no booking was confirmed; the page shows: ${await page.locator('main').textContent()}`, { cause })
  }
}

/** First amount of money in a text: `≈ £773.22` → `£773.22`. */
export const amountIn = (text: string | null): string => /[£€$][\d.,]+/.exec(text ?? '')?.[0] ?? ''
