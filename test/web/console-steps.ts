import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { DESKTOP, findAccessFaults, NEXT_FRAME, PHONE } from '../support/servers/browser.ts'
import { waitForFocus } from './keyboard.ts'
import type { Json } from './recorded-answers.ts'
import { example, openRecorded, type RecordedVisit } from './recorded-api.ts'
import { sharedSite } from './sites.ts'
import { openWithin } from './steps.ts'

/** Steps of an operator in the console. */

let visit: Promise<RecordedVisit> | undefined
let troubleBefore = 0

/**
 * A visit of an operator with recorded answers. All files of a test process share it, because loading the page takes
 * longer than most tests.
 */
export async function openConsole(): Promise<RecordedVisit> {
  // A separate profile, because tabs of one profile share their session.
  visit ??= openRecorded(await sharedSite(), { account: { role: 'operator' }, viewport: DESKTOP, locale: 'en-GB' })
  const opened = await visit
  if (opened.page.url() === 'about:blank') await opened.page.goto(NOWHERE)
  opened.api.reset()
  troubleBefore = opened.trouble().length
  return { ...opened, trouble: () => opened.trouble().slice(troubleBefore) }
}

/** A section that does not exist, so that each test starts with a fresh view. */
const NOWHERE = '/console/nowhere'

export const openView = (page: Page, address: string): Promise<void> => openWithin(page, address, NOWHERE)

/** Recorded list of an operation with these rows. */
export function recordedList(operationId: string, rows: readonly Json[]): Json {
  const { meta } = example(operationId)
  const paging = { 'has_next_page?': false, next_offset: null, next_page: null, total_pages: 1 }
  return { ...example(operationId), data: rows, meta: { ...meta, ...paging, total_count: rows.length } }
}

type Look = { readonly colorScheme: 'light' | 'dark'; readonly viewport: typeof DESKTOP | typeof PHONE }
export const DESKTOP_LIGHT: Look = { colorScheme: 'light', viewport: DESKTOP }
export const PHONE_DARK: Look = { colorScheme: 'dark', viewport: PHONE }

/** Expects no axe violation and no horizontal overflow. Keeps the last look, because changing it takes time. */
export async function expectAccessible(page: Page, ...looks: readonly Look[]): Promise<void> {
  const faults: string[] = []
  for (const look of looks) {
    await changeLook(page, look)
    faults.push(...(await findAccessFaults(page)).map((fault) => `${look.colorScheme}: ${fault}`))
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (overflow > 0) faults.push(`${look.colorScheme}: wider than the window by ${overflow}`)
  }
  expect(looks.length).toBeGreaterThan(0)
  expect(faults).toEqual([])
}

async function changeLook(page: Page, { colorScheme, viewport }: Look): Promise<void> {
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`)
  if (page.viewportSize()?.width === viewport.width && isDark === (colorScheme === 'dark')) return
  await Promise.all([page.setViewportSize(viewport), page.emulateMedia({ colorScheme })])
  await page.evaluate(NEXT_FRAME)
}

/** Enters the reason in a dialog and confirms. */
export async function confirmWithReason(page: Page, button: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: button, exact: true }).click()
}

/** Waits for the message of a completed action, which has the focus. */
export async function waitForAction(page: Page, message: string | RegExp): Promise<void> {
  await page.getByRole('status').filter({ hasText: message }).waitFor()
  await waitForFocus(page, message)
}
