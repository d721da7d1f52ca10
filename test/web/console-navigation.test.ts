import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../support/servers/browser.ts'
import { openConsole, openView } from './console-steps.ts'

let page: Page
let trouble: () => string[]
beforeEach(async () => {
  ;({ page, trouble } = await openConsole())
})
afterEach(() => expect(trouble()).toEqual([]))

const findRow = () => page.getByRole('navigation', { name: 'Console' })

/** Distance by which the link of the open section is outside its row. */
async function measureHiddenPart(): Promise<number> {
  const [outer, inner] = [await findRow().boundingBox(), await findRow().locator('[aria-current]').boundingBox()]
  if (outer === null || inner === null) return Number.NaN
  return Math.max(0, outer.x - inner.x, inner.x + inner.width - outer.x - outer.width)
}

test('on a phone the row of sections is scrolled to the open one', async () => {
  await page.setViewportSize(PHONE)
  await openView(page, '/console/overview')
  await findRow().locator('[aria-current]').waitFor()
  const names = await findRow().getByRole('link').allTextContents()
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    const href = await findRow().getByRole('link', { name, exact: true }).getAttribute('href')
    await openView(page, href ?? '')
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await expect.poll(measureHiddenPart, { message: name }).toBe(0)
  }
})

test('a window that becomes narrow shows the open section too', async () => {
  for (const path of ['matches', 'requests']) {
    await page.setViewportSize(DESKTOP)
    await openView(page, `/console/${path}`)
    await findRow().locator(`[aria-current][href$="${path}"]`).waitFor()
    await page.setViewportSize(PHONE)
    await expect.poll(measureHiddenPart, { message: path }).toBe(0)
  }
})
