import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../scripts/system-packages.ts'
import type { Config } from '../src/config.ts'
import { HOLDER } from './persons.ts'
import { type StageOptions, withStage } from './stage.ts'

type Order = { readonly folder: string }

const HAS_PAGE = existsSync(join(import.meta.dirname, '../web/dist/index.html'))

const STEP_MS = 20_000

/** Takes screenshots of every step of our page, or returns the reason why there are none. */
export async function takeScreenshots(
  config: Config,
  options: StageOptions,
  { folder }: Order,
): Promise<readonly string[] | string> {
  if (!HAS_PAGE) return 'None: the page is not built (`npm start` builds it).'
  const browser = await openBrowser()
  if (browser === undefined) return 'None: Chromium was not found. Install it or set CHROMIUM_PATH.'
  try {
    options.recorder.enter('content', 'screenshots')
    return await withStage(config, options, async (_stage, { http }) => {
      const baseURL = await http.listen({ host: '127.0.0.1', port: 0 })
      const page = await browser.newPage({ baseURL, locale: 'en-GB', viewport: { width: 1280, height: 900 } })
      return takeSteps(page, options, folder)
    })
  } finally {
    await browser.close()
  }
}

async function takeSteps(page: Page, { password, destination }: StageOptions, folder: string) {
  const taken: string[] = []
  page.setDefaultTimeout(STEP_MS)
  mkdirSync(join(folder, 'screenshots'), { recursive: true })
  for (const [name, act] of listSteps(page, password, destination)) {
    try {
      await act()
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : ''
      return `${taken.length} in the folder screenshots; the step "${name}" failed: ${reason}`
    }
    const file = `screenshots/${taken.length + 1}-${name}.png`
    // Scrolling the list of results would load more.
    await page.screenshot({ path: join(folder, file), fullPage: name !== 'results' })
    taken.push(file)
  }
  return taken
}

async function openBrowser(): Promise<Browser | undefined> {
  const executablePath = findChromium()
  if (executablePath === undefined) return undefined
  try {
    return await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
  } catch {
    return undefined
  }
}

type Step = readonly [name: string, act: () => Promise<unknown>]

function listSteps(page: Page, password: string, destination: string): readonly Step[] {
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  return [
    ['sign-in', () => openSignIn(page)],
    ['search', () => chooseDestination(page, password, destination)],
    ['results', () => search(page)],
    ['property', () => openFirst(page)],
    ['checkout', () => openCheckout(page)],
    [
      'confirmation',
      async () => {
        await button(/^Book for /).click()
        await page.getByRole('heading', { name: 'Your room is booked' }).waitFor()
      },
    ],
    ['cancellation', () => button('Cancel this booking').click()],
    [
      'cancelled',
      async () => {
        await page.getByRole('alertdialog').getByText('Refund', { exact: true }).waitFor()
        await page.getByRole('alertdialog').locator('.btn-danger').click()
        await page.getByRole('heading', { name: 'Cancelled', exact: true }).waitFor()
      },
    ],
  ]
}

async function openSignIn(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('dialog').getByLabel('E-mail').fill(HOLDER.email)
}

async function chooseDestination(page: Page, password: string, destination: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.goto('/')
  await page.getByRole('combobox', { name: 'Where' }).fill(destination)
  await page.getByRole('option').first().click()
}

async function search(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('section[aria-busy="false"]').waitFor()
  await page.locator('[data-property]').first().waitFor()
}

async function openFirst(page: Page): Promise<void> {
  await page.locator('[data-property] a').first().click()
  await page.locator('#rooms table').first().waitFor()
}

async function openCheckout(page: Page): Promise<void> {
  const room = page.locator('#rooms tbody tr').first()
  await room.getByRole('button', { name: /^Choose / }).click()
  await page.getByLabel('First name').first().fill('Sample')
  await page.getByLabel('Last name').first().fill('Guest')
  await page.getByLabel('E-mail').fill('guest@example.com')
  await page.getByLabel('Phone').fill('+441632960000')
  await page.getByRole('button', { name: /^Book for / }).waitFor()
}
