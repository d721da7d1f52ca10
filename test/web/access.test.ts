import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessFaults, DESKTOP, PHONE, type Site } from '../support/servers/browser.ts'
import { pressTo } from './keyboard.ts'
import { freshToken, searchAddress, signedIn, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { bookButton, chooseRoom, confirmed, fillGuest, resultsAreIn } from './steps.ts'

let site: Site
let property: string
beforeAll(async () => {
  site = await sharedSite()
  property = await warmUp(site)
})

/** What is wrong with the page now: rules of axe, and anything wider than the window. */
async function faultsOf(page: Page, state: string): Promise<string[]> {
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  const faults = [...(await accessFaults(page)), ...(overflow > 0 ? [`wider than the window by ${overflow}`] : [])]
  return faults.map((fault) => `${state}: ${fault}`)
}

const WAYS = [
  { name: 'on a desktop, light', options: { viewport: DESKTOP, colorScheme: 'light' } },
  { name: 'on a phone, dark', options: { viewport: PHONE, colorScheme: 'dark', hasTouch: true } },
] as const

describe('WCAG 2.2 AA in every state', () => {
  for (const { name, options } of WAYS) {
    test(name, async () => {
      const isPhone = options.viewport === PHONE
      // On a desktop the map is beside the list, and map.test.ts looks at it there.
      const { page, trouble, close } = await site.visit({ ...options, map: isPhone })
      const faults: string[] = []
      const look = async (state: string) => faults.push(...(await faultsOf(page, state)))

      await page.goto('/')
      await page.getByRole('button', { name: 'Continue as the demo guest' }).waitFor()
      await look('start')
      await page.getByRole('button', { name: 'Open the calendar' }).click()
      await page.getByRole('grid').first().waitFor()
      await look('calendar')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Who/ }).click()
      await page.getByRole('button', { name: 'One more: Children' }).click()
      await look('party')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('dialog').waitFor()
      await look('sign-in')
      await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
      await page.getByRole('combobox', { name: 'Where' }).fill('lisb')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
      await look('suggestions')

      // The built-in vendor answers at once, with few properties.
      await page.route('**/api/accommodation_searches/search', (route) =>
        route.continue({ headers: { ...route.request().headers(), 'x-simulate-return': 'success' } }),
      )
      await page.goto(await searchAddress(site, await freshToken(site)))
      await resultsAreIn(page)
      await look('results')
      await page.getByRole('button', { name: 'How we sort' }).click()
      await look('how we sort')
      await page.keyboard.press('Escape')
      if (isPhone) {
        await page.getByRole('button', { name: /^Filters/ }).click()
        await page.getByRole('dialog', { name: 'Filters' }).waitFor()
        await look('filters')
        await page.getByRole('button', { name: /^Show \d+ stays$/ }).click()
        await page.getByRole('button', { name: 'Map' }).click()
        await page.getByRole('group', { name: /^Map of the stays/ }).waitFor()
        await look('map')
        await page.getByRole('button', { name: 'List', exact: true }).click()
      }
      await page.locator('[data-property] a').first().click()
      await page.locator('#rooms table').first().waitFor()
      await look('property')
      await page.getByRole('button', { name: 'Change dates or guests' }).click()
      await page.getByRole('button', { name: 'Show prices' }).waitFor()
      await look('property with its form')
      await page.getByRole('button', { name: 'Close without changing' }).click()
      await page.getByRole('button', { name: /^All \d+ photos$/ }).click()
      await page.getByRole('button', { name: 'Next photo' }).click()
      await look('photos')
      await page.keyboard.press('Escape')
      await chooseRoom(page)
      await look('checkout')
      await bookButton(page).click()
      await look('checkout with faults')
      await fillGuest(page)
      await bookButton(page).click()
      await confirmed(page)
      await look('confirmation')
      await page.getByRole('button', { name: 'Cancel this booking' }).click()
      await page.getByText('Refund', { exact: true }).waitFor()
      await look('cancel')
      await page.getByRole('button', { name: 'Keep the booking' }).click()
      await page.getByRole('link', { name: 'My bookings' }).click()
      await page.locator('article').first().waitFor()
      await look('bookings')
      await page.getByRole('link', { name: 'Past', exact: true }).click()
      await page.getByRole('heading', { name: 'No past bookings' }).waitFor()
      await look('no bookings')
      await page.goto('/search?in=2020-01-01&out=2020-01-02')
      await page.getByRole('heading', { name: 'This link is not complete' }).waitFor()
      await look('bad link')
      await page.goto('/bookings/nowhere')
      await page.getByRole('alert').waitFor()
      await look('no such booking')
      const lost = await page.goto('/no-such-page')
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      expect(lost?.status()).toBe(404)
      await look('no such page')
      expect(faults).toEqual([])
      expect(trouble()).toEqual([])
      await close()
    })
  }
})

describe('small and large', () => {
  test('on a phone every button and link that is not inside a sentence is at least 24 pixels high and wide', async () => {
    const { page, close } = await site.visit({ viewport: PHONE })
    const token = await signedIn(site, page)
    await page.goto(await searchAddress(site, token))
    await resultsAreIn(page)
    const small = await page.evaluate<string[]>(SMALL_TARGETS)
    expect(small).toEqual([])
    await close()
  })

  test('at 400 % zoom nothing is cut off sideways', async () => {
    const { page, close } = await site.visit({ viewport: { width: 320, height: 256 } })
    const token = await signedIn(site, page)
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    await page.goto('/')
    await page.getByRole('combobox', { name: 'Where' }).waitFor()
    expect(await width()).toBeLessThanOrEqual(320)
    await page.goto(await searchAddress(site, token))
    await resultsAreIn(page)
    expect(await width()).toBeLessThanOrEqual(320)
    await close()
  })

  test('on a narrow phone with text of twice the size nothing is cut off sideways', async () => {
    const { page, close } = await site.visit({ viewport: { width: 320, height: 640 }, locale: 'de-DE' })
    await signedIn(site, page)
    const wide: string[] = []
    const look = async (name: string) => {
      await page.addStyleTag({ content: 'html { font-size: 200% }' })
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (width > 320) wide.push(`${name}: ${width}`)
    }
    await page.goto('/')
    await page.getByRole('combobox', { name: 'Wohin' }).waitFor()
    await look('start')
    await page.goto(property)
    const choose = page.locator('#rooms').getByRole('button', { name: /wählen$/ })
    await choose.first().waitFor()
    await look('property')
    await choose.first().click()
    await page.getByLabel('Vorname').waitFor()
    await look('checkout')
    expect(wide).toEqual([])
    await close()
  })

  test('at 400 % zoom the header has room for German words', async () => {
    const { page, close } = await site.visit({ viewport: { width: 320, height: 256 }, locale: 'de-DE' })
    await page.goto('/')
    await page.getByRole('button', { name: 'Anmelden' }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
    await close()
  })
})

test('where the system’s own colours replace all others, what is chosen and what has the focus can be seen', async () => {
  const { page, close } = await site.visit({ forcedColors: 'active' })
  const token = await signedIn(site, page)
  const colour = (selector: string) => page.evaluate<string>(`getComputedStyle(${selector}).backgroundColor`)
  await page.goto('/')
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  await page.getByRole('grid').first().waitFor()
  const highlight = await page.evaluate<string>(HIGHLIGHT)
  expect(await colour(`document.querySelector('.day-cell[data-selected]')`)).toBe(highlight)
  await page.keyboard.press('Escape')
  await page.getByRole('grid').first().waitFor({ state: 'detached' })
  await page.getByRole('spinbutton').first().click()
  await expect.poll(() => colour('document.activeElement')).toBe(highlight)
  await page.goto(await searchAddress(site, token))
  await resultsAreIn(page)
  await pressTo(page, new RegExp(`^${await page.locator('[data-property] a').first().textContent()}$`))
  expect(await page.evaluate(`getComputedStyle(document.activeElement, '::after').outlineStyle`)).toBe('solid')
  await close()
})

/** The system's colour for what is chosen. */
const HIGHLIGHT = `(() => {
  const probe = document.body.appendChild(document.createElement('div'))
  probe.style = 'forced-color-adjust: none; background-color: Highlight'
  const { backgroundColor } = getComputedStyle(probe)
  probe.remove()
  return backgroundColor
})()`

const SMALL_TARGETS = `[...document.querySelectorAll('main a, main button, main select, main input')]
  .filter((each) => each.offsetParent !== null && each.tabIndex >= 0 && !each.closest('p'))
  .map((each) => [each.getBoundingClientRect(), each])
  .filter(([box, each]) => (box.height < 24 || box.width < 24) && !getComputedStyle(each, '::after').position.includes('absolute'))
  .filter(([, each]) => !(each.closest('label')?.getBoundingClientRect().height >= 24))
  .map(([box, each]) => each.outerHTML.slice(0, 90) + ' ' + box.width + 'x' + box.height)`

test('the API reference opens with every group of operations, and calls nobody', async () => {
  const { page, trouble, close } = await site.visit()
  await page.goto('/docs/')
  await page.getByRole('heading', { name: 'Serai', exact: true }).waitFor()
  for (const group of ['Accounts', 'Locations', 'Search', 'Booking', 'Webhooks', 'Operation']) {
    await page
      .getByRole('link', { name: group, exact: true })
      .or(page.getByText(group, { exact: true }))
      .first()
      .waitFor()
  }
  await page.getByText('/api/accounts/get_token').first().waitFor()
  expect(await page.title()).toBe('Serai API')
  expect(trouble()).toEqual([])
  await close()
})
