import { buffer } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '../support/servers/browser.ts'
import { tabTo } from './keyboard.ts'
import { warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import {
  amountIn,
  bookButton,
  fillGuest,
  GUEST,
  openFirstStay,
  searchFor,
  waitForConfirmation,
  waitForPriceCheck,
  waitForResults,
} from './steps.ts'

let site: Site
beforeAll(async () => {
  site = await sharedSite()
  await warmUp(site)
})

/** Records the requests that change a booking. */
function sentIn(page: Page): readonly string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    const isAction = /\/(book|cancel)$/.test(pathname) && !searchParams.has('preview')
    if (request.method() !== 'GET' && isAction) sent.push(pathname.replace(/.*\//, ''))
  })
  return sent
}

describe('from a blank page to a cancelled booking', () => {
  test('a stay can be booked and cancelled with a mouse in under a minute, and all pages show the same price', async () => {
    const { page, trouble, close } = await site.visit({ map: true })
    const started = performance.now()
    await page.goto('/')
    await page.getByRole('button', { name: 'Sign in' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe('demo@example.com')
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await searchFor(page)
    expect(new URL(page.url()).searchParams.get('search_id')).toMatch(/^[0-9a-f-]{36}$/)

    const listed = amountIn(await page.locator('[data-property]').first().getByTestId('stay-price').textContent())
    await openFirstStay(page)
    const cheapest = amountIn(await page.locator('header a[href="#rooms"]').textContent())
    expect(cheapest).toBe(listed)

    const row = page.locator('#rooms tbody tr').first()
    const roomPrice = amountIn(await row.getByTestId('stay-price').textContent())
    await row.getByRole('button', { name: /^Choose / }).click()
    await fillGuest(page)
    // The checkout shows the charged amount, and next to it the converted price of the list, if any.
    const converted = page.getByTestId('shown-total')
    const charged = amountIn(await page.getByTestId('total').textContent())
    expect((await converted.count()) > 0 ? amountIn(await converted.textContent()) : charged).toBe(roomPrice)
    expect(amountIn(await bookButton(page).textContent())).toBe(charged)
    await page.getByRole('region', { name: 'Please note' }).waitFor()
    const sent = sentIn(page)
    await bookButton(page).dblclick()
    await waitForConfirmation(page)
    expect(performance.now() - started).toBeLessThan(60_000)
    expect(amountIn(await page.getByTestId('total').textContent())).toBe(charged)
    await page.getByRole('heading', { name: 'Please note' }).waitFor()
    const [voucher] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Voucher (PDF)' }).click(),
    ])
    expect(voucher.suggestedFilename()).toMatch(/^voucher-\w+\.pdf$/)
    expect((await buffer(await voucher.createReadStream())).subarray(0, 5).toString()).toBe('%PDF-')

    await page.getByRole('button', { name: 'Cancel this booking' }).click()
    const cancel = page.getByRole('alertdialog')
    await cancel.getByText('Refund', { exact: true }).waitFor()
    await cancel.locator('.btn-danger').dblclick()
    await page.getByRole('heading', { name: 'Cancelled', exact: true }).waitFor()
    expect(sent).toEqual(['book', 'cancel'])
    // A cancelled booking no longer shows free cancellation.
    expect(await page.getByText('Free cancellation').count()).toBe(0)
    await page.getByRole('link', { name: 'My bookings' }).click()
    await page.getByRole('link', { name: 'Cancelled', exact: true }).click()
    await page.locator('article').first().getByText('Cancelled').first().waitFor()
    expect(trouble()).toEqual([])
    await close()
  })

  test('a stay can be booked and cancelled with the keyboard only', async () => {
    const { page, trouble, close } = await site.visit()
    const { keyboard } = page
    await page.goto('/')
    await page.getByRole('combobox', { name: 'Where' }).waitFor()
    await tabTo(page, /^Continue as the demo guest$/)
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sign out' }).waitFor()

    await tabTo(page, /^Where/, { backwards: true })
    await keyboard.press('ControlOrMeta+a')
    await keyboard.type('funcha')
    await page
      .getByRole('option', { name: /^Funchal/ })
      .first()
      .waitFor()
    await keyboard.press('ArrowDown')
    expect(await page.getByRole('combobox', { name: 'Where' }).getAttribute('aria-activedescendant')).toBeTruthy()
    await keyboard.press('Enter')
    await tabTo(page, /^Search$/)
    await keyboard.press('Enter')
    await waitForResults(page)

    const name = (await page.locator('[data-property] a').first().textContent()) ?? ''
    await tabTo(page, new RegExp(`^${escaped(name)}$`))
    await keyboard.press('Enter')
    await page.locator('#rooms table').first().waitFor()
    await tabTo(page, /^Choose .*, .*\d/)
    await keyboard.press('Enter')
    await page.getByLabel('First name').waitFor()
    await tabTo(page, /^First name$/)
    await keyboard.type(GUEST.given)
    await keyboard.press('Tab')
    await keyboard.type(GUEST.family)
    await tabTo(page, /^E-mail$/)
    await keyboard.type(GUEST.email)
    await keyboard.press('Tab')
    await keyboard.type(GUEST.phone)
    await waitForPriceCheck(page)
    await tabTo(page, /^Book for /)
    await keyboard.press('Enter')
    await waitForConfirmation(page)

    await tabTo(page, /^Cancel this booking$/)
    await keyboard.press('Enter')
    await page.getByText('Refund', { exact: true }).waitFor()
    await tabTo(page, /^Cancel (free|and pay)/)
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Cancelled', exact: true }).waitFor()
    expect(trouble()).toEqual([])
    await close()
  })
})

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
