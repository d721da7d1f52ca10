import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { PHONE, type Site } from '../support/servers/browser.ts'
import { searchAddress, signInBrowser, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'

let site: Site
beforeAll(async () => {
  site = await sharedSite()
  await warmUp(site)
})

test('the results of a slow vendor do not move the visible list but wait behind a button', async () => {
  const { page, trouble, close } = await site.visit()
  const address = await searchAddress(site, await signInBrowser(site, page))
  await site.sandbox.control.hotelbeds.addFaults({ kind: 'latency', operation: 'availability', ms: 3_500 })
  await page.goto(address)
  await page.locator('[data-property]').first().waitFor()
  expect(await page.locator('section[aria-busy="true"]').count()).toBe(1)
  await page.mouse.move(600, 600)
  await page.mouse.wheel(0, 1_500)
  await waitForRest(page)
  const reading = await page.evaluate<string>(IN_VIEW)
  const more = page.getByRole('button', { name: /^(Show \d+ more stays?|Show updated prices)$/ })
  await more.waitFor()
  expect(await page.evaluate<string>(IN_VIEW)).toBe(reading)
  const before = await page.getByText(/^\d+ stays$/).count()
  // On a phone the button is at the bottom of the window; a click fails if something covers it.
  await page.setViewportSize(PHONE)
  const box = await more.boundingBox()
  expect((box?.y ?? PHONE.height) + (box?.height ?? 0)).toBeLessThan(PHONE.height)
  expect(box?.y).toBeGreaterThan(PHONE.height / 2)
  await more.click()
  await more.waitFor({ state: 'detached' })
  expect(before).toBe(1)
  expect(await page.evaluate('scrollY')).toBe(0)
  await site.sandbox.control.hotelbeds.clearFaults()
  expect(trouble()).toEqual([])
  await close()
})

test('a list by price is in the order of its prices once the search has ended and no card is pointed at', async () => {
  const { page, trouble, close } = await site.visit()
  const address = await searchAddress(site, await signInBrowser(site, page))
  await site.sandbox.control.hotelbeds.addFaults({ kind: 'latency', operation: 'availability', ms: 2_000 })
  await page.goto(`${address}&sort=price`)
  await page.locator('[data-property]').first().hover()
  await page.locator('section[aria-busy="false"]').waitFor()
  await site.sandbox.control.hotelbeds.clearFaults()
  await page.mouse.move(3, 3)
  await expect.poll(() => page.getByRole('button', { name: /^(Sort in new results|Show updated)/ }).count()).toBe(0)
  const prices = (await page.getByTestId('stay-price').allTextContents()).map((text) =>
    Number(text.replace(/[^\d.]/g, '')),
  )
  expect(prices.length).toBeGreaterThan(20)
  expect(prices).toEqual(prices.toSorted((a, b) => a - b))
  await page.getByText('Prices of 3 sources compared').waitFor()
  expect(await page.locator('#results').textContent(), 'names of vendors').not.toMatch(/Expedia|Hotelbeds|LiteAPI/)
  expect(trouble()).toEqual([])
  await close()
})

test('while results arrive, counts are announced at most every two seconds', async () => {
  const { page, trouble, close } = await site.visit()
  const address = await searchAddress(site, await signInBrowser(site, page))
  const slow = { kind: 'latency', operation: 'availability' } as const
  const { hotelbeds } = site.sandbox.control
  await hotelbeds.addFaults({ ...slow, ms: 3_000 })
  await page.addInitScript(`window.said = []
new MutationObserver(() => {
  const text = document.querySelector('main [aria-live=polite].sr-only')?.textContent ?? ''
  if (text !== '' && text !== said.at(-1)?.text) said.push({ text, at: performance.now() })
}).observe(document, { subtree: true, childList: true, characterData: true })`)
  await page.goto(address)
  await page.getByText(/^Search complete, /).waitFor({ state: 'attached' })
  await hotelbeds.clearFaults()
  const said = await page.evaluate<{ text: string; at: number }[]>('said')
  expect(said.length).toBeGreaterThan(1)
  const pauses = said.slice(1).map(({ at }, index) => at - (said[index]?.at ?? 0))
  expect(Math.min(...pauses), JSON.stringify(said)).toBeGreaterThan(1_900)
  expect(trouble()).toEqual([])
  await close()
})

/** Waits until the page has stopped scrolling. */
async function waitForRest(page: Page): Promise<void> {
  let last = -1
  await expect
    .poll(async () => {
      const previous = last
      last = await page.evaluate<number>('scrollY')
      return last > 500 && last === previous
    })
    .toBe(true)
}

/** Id and exact position of the card in the middle of the window. */
const IN_VIEW = `(() => {
  const card = document.elementsFromPoint(600, 450).find((each) => each.closest('[data-property]'))?.closest('[data-property]')
  return card === undefined ? 'none' : card.dataset.property + ' at ' + Math.round(card.getBoundingClientRect().top)
})()`
