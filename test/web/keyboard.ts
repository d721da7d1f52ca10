import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const PRESSES_MAX = 120

/** Presses Tab until an element with this name has focus. */
export async function tabTo(page: Page, name: RegExp, { backwards = false } = {}): Promise<void> {
  const met: string[] = []
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    const here = await page.evaluate<string>(NAME_OF_FOCUSED)
    if (name.test(here)) return
    met.push(here)
    await page.keyboard.press(backwards ? 'Shift+Tab' : 'Tab')
  }
  throw new Error(`Tab never came to ${name}; it met: ${[...new Set(met)].join(' | ')}`)
}

/** Script that returns the approximate accessible name of the focused element. */
const NAME_OF_FOCUSED = `(() => {
  const element = document.activeElement
  if (element === null || element === document.body) return ''
  const label = element.getAttribute('aria-label')
  if (label !== null) return label
  if (element.labels?.length > 0) return element.labels[0].textContent.trim()
  const by = element.getAttribute('aria-labelledby')
  const named = by?.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
  return (named ?? element.textContent ?? '').trim()
})()`

/** Waits until the focused element contains these words. Ignores the body, which has focus by default. */
export async function waitForFocus(page: Page, words: string | RegExp): Promise<void> {
  const text = `document.activeElement === document.body ? '' : document.activeElement.textContent`
  await expect.poll(() => page.evaluate<string>(text)).toMatch(words)
}
