import { beforeAll, describe, expect, test } from 'vitest'
import { PHONE, type Site } from '../support/servers/browser.ts'
import { tabTo } from './keyboard.ts'
import { manyProperties, openRecorded, RESULTS_ADDRESS, STAY_ADDRESS } from './recorded-api.ts'
import { sharedSite } from './sites.ts'
import { openWithin, waitForResults } from './steps.ts'

/** Accessibility checks beyond axe, which the scenarios run in each of their states. */

let site: Site
beforeAll(async () => {
  site = await sharedSite()
})

describe('small and large', () => {
  test('at 400 % zoom no page scrolls sideways, and on a phone every button and link outside a sentence is at least 24 pixels high and wide', async () => {
    const { page, api, close } = await openRecorded(site, { viewport: { width: 320, height: 256 } })
    api.find(manyProperties(6))
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    await page.goto('/')
    await page.getByRole('combobox', { name: 'Where' }).waitFor()
    expect(await width()).toBeLessThanOrEqual(320)
    await openWithin(page, RESULTS_ADDRESS)
    await waitForResults(page)
    expect(await width()).toBeLessThanOrEqual(320)
    await page.setViewportSize(PHONE)
    expect(await page.evaluate<string[]>(SMALL_TARGETS)).toEqual([])
    await close()
  })

  test('on a narrow phone no German button is cut off, and every button and disclosure is at least 44 pixels high', async () => {
    const { page, api, close } = await openRecorded(site, { viewport: { width: 320, height: 640 }, locale: 'de-DE' })
    api.find(manyProperties(6))
    const faults: string[] = []
    const look = async (name: string) => {
      for (const fault of await page.evaluate<string[]>(CUT_OR_LOW)) faults.push(`${name}: ${fault}`)
    }
    await page.goto('/')
    await page.getByRole('combobox', { name: 'Wohin' }).waitFor()
    await look('start')
    await openWithin(page, `${RESULTS_ADDRESS}&stars=3`)
    await waitForResults(page)
    await look('list')
    await page.getByRole('button', { name: 'Filter (1)', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    await look('filters')
    await openWithin(page, STAY_ADDRESS)
    await page.locator('#rooms table').first().waitFor()
    await look('property')
    expect(faults).toEqual([])
    await close()
  })

  test('no page scrolls sideways on a narrow phone with text of twice the size, or in the German header at 400 % zoom', async () => {
    const { page, close } = await openRecorded(site, { viewport: { width: 320, height: 640 }, locale: 'de-DE' })
    const setTextSize = (size: string) => page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
    const wide: string[] = []
    const look = async (name: string) => {
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (width > 320) wide.push(`${name}: ${width}`)
    }
    await page.goto('/')
    await page.getByRole('combobox', { name: 'Wohin' }).waitFor()
    await setTextSize('200%')
    await look('start')
    await openWithin(page, STAY_ADDRESS)
    const choose = page.locator('#rooms').getByRole('button', { name: /wählen$/ })
    await choose.first().waitFor()
    await look('property')
    await choose.first().click()
    await page.getByLabel('Vorname').waitFor()
    await look('checkout')
    await setTextSize('100%')
    await page.setViewportSize({ width: 320, height: 256 })
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await page.getByRole('button', { name: 'Anmelden' }).waitFor()
    await look('header')
    expect(wide).toEqual([])
    await close()
  })
})

test('on a phone no bar that stays in view covers the element with focus', async () => {
  const { page, api, close } = await openRecorded(site, { viewport: PHONE })
  api.find(manyProperties(8))
  const covered: string[] = []
  const walk = async (name: string, presses: number) => {
    for (let press = 0; press < presses; press += 1) {
      await page.keyboard.press('Tab')
      const fault = await page.evaluate<string>(COVERED_FOCUS)
      if (fault !== '') covered.push(`${name}: ${fault}`)
    }
    for (let press = 0; press < presses; press += 1) {
      await page.keyboard.press('Shift+Tab')
      const fault = await page.evaluate<string>(COVERED_FOCUS)
      if (fault !== '') covered.push(`${name}, backwards: ${fault}`)
    }
  }
  await page.goto(RESULTS_ADDRESS)
  await waitForResults(page)
  await walk('list', 18)
  await openWithin(page, STAY_ADDRESS)
  await page.locator('#rooms table').first().waitFor()
  await walk('property', 25)
  expect(covered).toEqual([])
  await close()
})

/** Name of the focused element if nothing of it can be seen, because something else is in front of it. */
const COVERED_FOCUS = `(() => {
  const element = document.activeElement
  const box = element.getBoundingClientRect()
  if (element === document.body || box.width < 2 || element.closest('.sr-only')) return ''
  const inside = (from, to, share) => from + (to - from) * share
  for (const x of [0.1, 0.5, 0.9]) for (const y of [0.1, 0.5, 0.9]) {
    const hit = document.elementFromPoint(inside(box.left, box.right, x), inside(box.top, box.bottom, y))
    if (hit !== null && (element.contains(hit) || hit.contains(element) && hit !== document.body || hit.closest('[data-property]')?.contains(element))) return ''
  }
  return element.outerHTML.slice(0, 100) + ' at ' + Math.round(box.top) + ' to ' + Math.round(box.bottom)
})()`

test('in forced colours the selection and the focus are visible', async () => {
  const { page, close } = await openRecorded(site, { forcedColors: 'active' })
  const colour = (selector: string) => page.evaluate<string>(`getComputedStyle(${selector}).backgroundColor`)
  await page.goto('/')
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  await page.getByRole('grid').first().waitFor()
  const highlight = await page.evaluate<string>(HIGHLIGHT)
  expect(await colour(`document.querySelector('.day-cell[data-selected]')`)).toBe(highlight)
  await page.keyboard.press('Escape')
  await page.getByRole('grid').first().waitFor({ state: 'detached' })
  await page.getByRole('spinbutton').first().focus()
  await expect.poll(() => colour('document.activeElement')).toBe(highlight)
  await openWithin(page, RESULTS_ADDRESS)
  await waitForResults(page)
  await tabTo(page, new RegExp(`^${await page.locator('[data-property] a').first().textContent()}$`))
  expect(await page.evaluate(`getComputedStyle(document.activeElement, '::after').outlineStyle`)).toBe('solid')
  await close()
})

/** The system's colour of a selection. */
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

/** Buttons and disclosures that are low, or wider than the window or than a box that hides what is outside of it. */
const CUT_OR_LOW = `[...document.querySelectorAll('button, summary, label:has(> input), [data-property] .figures')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.sr-only, [data-pin]'))
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([each, box]) => box.right > innerWidth || each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0
    || !each.matches('.figures') && box.height < 43.5)
  .map(([each, box]) => each.outerHTML.slice(0, 120) + ' ' + Math.round(box.width) + 'x' + Math.round(box.height))`

test('the API reference opens with every group of operations and sends no request to another host', async () => {
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
