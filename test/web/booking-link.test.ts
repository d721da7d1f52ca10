import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Mailbox, startMailbox } from '../support/mail/mailbox.ts'
import { findAccessFaultsInBothThemes, type Site } from '../support/servers/browser.ts'
import { fillCard, payButton } from './card-steps.ts'
import { warmUp } from './shortcuts.ts'
import { openOwnSite } from './sites.ts'
import { chooseCheapestRoom, fillGuest, GUEST, openFirstStay, searchFor, waitForConfirmation } from './steps.ts'

let mailbox: Mailbox
let site: Site
beforeAll(async () => {
  mailbox = await startMailbox({ hideSTARTTLS: true })
  const smtp = { host: '127.0.0.1', port: mailbox.port, secure: false, startTls: 'off' } as const
  const sender = { name: 'Serai', address: 'bookings@sender.example', domain: 'sender.example' }
  site = await openOwnSite({
    mail: { smtp: { ...smtp, user: undefined, password: undefined }, sender, keep: false, operator: undefined },
  })
  await warmUp(site)
})
afterAll(async () => {
  await site.close()
  await mailbox.stop()
})

/** Link in the newest mail, once there are `count`. */
async function readLink(count: number): Promise<string> {
  await vi.waitFor(() => expect(mailbox.received).toHaveLength(count), { timeout: 20_000 })
  const [link] = /http\S+#srl_\S+/.exec(mailbox.received.at(-1)?.mail.text ?? '') ?? []
  return link ?? expect.fail('no link')
}

async function bookAsGuest(page: Page): Promise<string> {
  await page.goto('/')
  await searchFor(page)
  await openFirstStay(page)
  await chooseCheapestRoom(page)
  await fillGuest(page)
  await fillCard(page)
  await payButton(page).click()
  await waitForConfirmation(page)
  return new URL(page.url()).pathname
}

test('a guest opens the link of the mail in another browser, asks for it again there, and cancels the booking', async () => {
  const first = await site.visit()
  const address = await bookAsGuest(first.page)
  await first.close()
  const link = await readLink(1)
  const reference = /Booking reference: (\S+)/.exec(mailbox.received[0]?.mail.text ?? '')?.[1] ?? ''

  const { page, trouble, close } = await site.visit()
  await page.goto(link)
  await waitForConfirmation(page)
  expect(page.url()).toBe(`${site.url}${address}`)
  const opened = page.getByText('You opened this booking with the link from our e-mail.')
  await opened.waitFor()
  expect(await findAccessFaultsInBothThemes(page, opened)).toEqual([])
  await page.reload()
  await waitForConfirmation(page)
  await page.getByRole('button', { name: 'Not your booking? Close it' }).click()
  await page.waitForURL(`${site.url}/`)
  expect(trouble()).toEqual([])

  await page.goto('/bookings')
  await page.getByLabel('Booking reference').fill(reference)
  await page.getByLabel('E-mail').fill(GUEST.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  const sent = page.getByText('the link is on its way')
  await sent.waitFor()
  expect(await findAccessFaultsInBothThemes(page, sent)).toEqual([])
  await page.goto(await readLink(2))
  await waitForConfirmation(page)
  await page.getByRole('button', { name: 'Cancel this booking' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: /^Cancel (for free|and pay)/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Cancelled', exact: true }).waitFor()
  expect(trouble()).toEqual([])
  await close()
})

test('a link that is not valid says so and offers to send a new one', async () => {
  const { page, close } = await site.visit()
  await page.goto('/bookings/bkg_1#srl_k1.bkg_1.0.zzzzzzzz.0000000000000000000000000000000000000000000')
  const invalid = page.getByText('This link is no longer valid.')
  await invalid.waitFor()
  expect(await page.getByRole('heading', { name: 'Booked without an account?' }).isVisible()).toBe(true)
  expect(await page.locator('main').getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true)
  expect(await findAccessFaultsInBothThemes(page, invalid)).toEqual([])
  await close()
})
