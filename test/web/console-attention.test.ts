import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../support/servers/browser.ts'
import {
  confirmWithReason,
  DESKTOP_LIGHT,
  expectAccessible,
  openConsole,
  openView,
  PHONE_DARK,
  recordedList,
  waitForAction,
} from './console-steps.ts'
import { tabTo } from './keyboard.ts'
import { example, problem, RECORDED_AT, type RecordedApi } from './recorded-api.ts'

let page: Page
let api: RecordedApi
let trouble: () => string[]
beforeEach(async () => {
  ;({ page, api, trouble } = await openConsole())
})
afterEach(() => expect(trouble()).toEqual([]))

const [REVIEW] = example('operatorAttention').data
const BOOKING = REVIEW.booking_id

/** An entry about the recorded booking. */
const entryOf = (kind: string, action: string, members: object = {}) => ({
  ...REVIEW,
  ...{ id: `${kind}.${BOOKING}`, kind, action, ...members },
})
const list = (...entries: object[]) => api.answerWith('operatorAttention', recordedList('operatorAttention', entries))
const entry = (kind: string) => page.locator(`[data-entry="${kind}.${BOOKING}"]`)

test('a booking in doubt can be settled with the keyboard only', async () => {
  const { data: file } = example('operatorBookingsShow')
  const doubt = { ...file.events[2], type: 'booking.in_doubt', to: 'in_doubt', reason: 'vendor_timeout' }
  api.answerWith('operatorBookingsShow', { data: { ...file, events: [...file.events.slice(0, 2), doubt] } })
  api.answerWith('operatorBookingsRead', { data: { asked: true, status_before: 'in_doubt', booking: file.booking } })
  list(entryOf('in_doubt', 'read'), entryOf('breaker_open', 'open_vendor', { booking_id: null }))
  await openView(page, '/console/attention')
  await entry('in_doubt').waitFor()
  expect(await entry('in_doubt').textContent()).toContain('Outcome unknown')
  await expectAccessible(page, DESKTOP_LIGHT, PHONE_DARK)
  list()
  await tabTo(page, /^Ask the vendor now$/)
  await page.keyboard.press('Enter')
  await waitForAction(page, /was in doubt and is now confirmed/)
  await entry('breaker_open').waitFor({ state: 'detached' })
  expect(await entry('in_doubt').getByRole('button').count(), 'nothing is left to do').toBe(0)
  expect(api.requests('operatorBookingsRead').map(({ path }) => path)).toEqual([
    `/api/operator/bookings/${BOOKING}/read`,
  ])
  await tabTo(page, /^Open the booking$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/console/bookings/${BOOKING}`)
  expect(await page.getByRole('table', { name: /^Everything that has happened/ }).textContent()).toContain('in doubt')
})

test('an attention entry is marked as settled with a reason, unless another operator was first', async () => {
  list(entryOf('discrepancy', 'mark_done'))
  await openView(page, '/console/attention')
  await entry('discrepancy').getByRole('button', { name: 'Mark as settled' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as settled' })
  await dialog.getByRole('button', { name: 'Mark as settled' }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  expect(api.requests('operatorAttentionDone')).toEqual([])
  api.answer('operatorAttentionDone', problem('not_possible', { detail: 'It is settled already.' }))
  await confirmWithReason(page, 'Mark as settled', 'rebooked next door, the vendor pays')
  await dialog.getByRole('alert').filter({ hasText: 'It is settled already.' }).waitFor()
  await dialog.getByLabel('Reason').fill('')
  await dialog.getByRole('button', { name: 'Mark as settled' }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  await expectAccessible(page, PHONE_DARK)
  api.answer('operatorAttentionDone')
  await confirmWithReason(page, 'Mark as settled', 'rebooked next door, the vendor pays')
  await waitForAction(page, /^Marked as settled/)
  const sent = api.requests('operatorAttentionDone').at(-1)
  expect(sent?.path).toBe(`/api/operator/attention/discrepancy.${BOOKING}/done`)
  expect(sent?.body).toEqual({ reason: 'rebooked next door, the vendor pays' })
  list()
  await openView(page, '/console/attention')
  await page.getByRole('heading', { name: 'Nothing needs attention' }).waitFor()
  // A younger doubt is not listed yet.
  await page.getByText('No booking has been unsettled for more than a minute').waitFor()
})

test('failed events and mails can be sent again, and a list that cannot be read shows the reason', async () => {
  list(
    entryOf('webhook_failing', 'replay', { webhook_id: 'whk_1' }),
    entryOf('mail_failed', 'send_mail', { mail_sequence: 3 }),
  )
  await openView(page, '/console/attention')
  await entry('webhook_failing').getByRole('button', { name: 'Send all events again' }).click()
  await waitForAction(page, '12 events are on the way to whk_1 again.')
  api.answer('operatorAttention', problem('insufficient_scope'))
  await entry('mail_failed').getByRole('button', { name: 'Send the mail again' }).click()
  await waitForAction(page, 'The mail is on its way again.')
  expect(api.requests('operatorBookingsMail').map(({ body }) => body)).toEqual([{ sequence: 3 }])
  await page.getByRole('alert').waitFor()
  await expectAccessible(page, PHONE_DARK)
})

test('overdue and failing background work is counted by kind', async () => {
  const [settle] = example('operatorTasks').data
  const since = { overdue_since: RECORDED_AT, failing_since: RECORDED_AT }
  const late = { ...settle, kind: 'read', overdue: 3, failing: 1, ...since }
  list()
  api.answerWith('operatorTasks', { data: [settle, late] })
  await openView(page, '/console/attention')
  const rows = page.getByRole('table', { name: 'Background work that is overdue or failing' }).getByRole('row')
  await rows.nth(2).waitFor()
  const cellsOf = (row: number) => rows.nth(row).getByRole('cell').allTextContents()
  expect(await cellsOf(1)).toEqual(['Settle bookings', '0', '', '0', ''])
  const at = '15 Jan 2027, 12:00:00 UTC'
  expect(await cellsOf(2)).toEqual(['Read bookings again', '3', at, '1', at])
  await expectAccessible(page, DESKTOP_LIGHT, PHONE_DARK)
  api.answer('operatorTasks', problem('insufficient_scope'))
  await openView(page, '/console/attention')
  await page.getByRole('alert').waitFor()
})

test('on a phone, an empty cell of a table has a dash beside its title', async () => {
  list()
  await page.setViewportSize(PHONE)
  await openView(page, '/console/attention')
  const dash = `getComputedStyle(document.querySelector('td > div:empty'), '::before').content`
  await expect.poll(() => page.evaluate(dash)).toContain('–')
  await page.setViewportSize(DESKTOP)
  expect(await page.evaluate(dash)).toBe('none')
})
