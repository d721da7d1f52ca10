import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { DESKTOP, NEXT_FRAME } from '../support/servers/browser.ts'
import {
  confirmWithReason,
  DESKTOP_LIGHT,
  expectAccessible,
  openConsole,
  openView,
  PHONE_DARK,
  waitForAction,
} from './console-steps.ts'
import type { Json } from './recorded-answers.ts'
import { type ApiRequest, example, problem, type RecordedApi } from './recorded-api.ts'

const TABLET = { width: 820, height: 1180 }
/** Width of the columns of each table that are visible only after scrolling. */
const HIDDEN_WIDTHS = `[...document.querySelectorAll('section:has(> table)')].map((each) => each.scrollWidth - each.clientWidth)`

let page: Page
let api: RecordedApi
let trouble: () => string[]
beforeEach(async () => {
  ;({ page, api, trouble } = await openConsole())
})

const BOOKING = 'bkg_6f4b6612125fb3a0daec'
const ruleOf = (percent: number) => ({ priority: 10, match: {}, percent })
const [VERSION] = example('operatorSellingRules').data.versions

/** Rules of a version and the list of earlier versions. */
function rulesOf(version: number, percent: number): Json {
  const versions = Array.from({ length: version }, (_, index) => ({ ...VERSION, version: version - index }))
  return { data: { ...example('operatorSellingRules').data, version, rules: [ruleOf(percent)], versions } }
}

/** Price breakdown of an offer of 200 net. */
const sumOf = (version: number, percent: number): Json => ({
  ...{ version, rule: ruleOf(percent), currency: 'EUR', net: 200, exchange: 0, percent: percent * 2 },
  ...{ per_night: 0, per_stay: 0, rounding: 0, bounds: 0, selling: 200 + percent * 2 },
})

/** Tries the rules of the request, or those in force. */
const tryRules = (inForce: () => Json) => (request: ApiRequest) => {
  const { version, rules } = inForce().data
  return { status: 200, body: { data: sumOf(version, (request.body.rules ?? rules)[0].percent) } }
}

async function draft(dialog: Locator, percent: string): Promise<void> {
  await page.getByRole('button', { name: 'Change rule 10' }).click()
  await dialog.getByLabel('Percent of the net price').fill(percent)
  await dialog.getByRole('button', { name: 'Apply to the draft' }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function putIntoForce(reason: string): Promise<void> {
  await page.getByRole('button', { name: 'Put the draft into force' }).click()
  await confirmWithReason(page, 'Put the draft into force', reason)
}

test('a rule of 120 % instead of 12 % can be found from a booking, corrected, and verified by a trial', async () => {
  let inForce = rulesOf(2, 120)
  const sale = { ...example('operatorSellingBooking').data, sold: sumOf(2, 120) }
  api.answerWith('operatorSellingBooking', { data: sale })
  api.answer('operatorSellingRules', () => ({ status: 200, body: inForce }))
  api.answer(
    'operatorSellingTry',
    tryRules(() => inForce),
  )

  // The booking shows the rule and version it was sold by.
  await openView(page, `/console/selling?booking=${BOOKING}`)
  const dialog = page.getByRole('dialog')
  const sums = page.getByRole('table', { name: 'Price breakdown' })
  await sums.getByRole('columnheader', { name: 'As booked, by version 2' }).waitFor()
  const cell = (row: string, column: number) =>
    sums
      .getByRole('row', { name: new RegExp(`^${row}`) })
      .getByRole('cell')
      .nth(column)
      .textContent()
  expect(await cell('Rule', 1)).toContain('Priority 10: adds 120 %')
  const table = page.getByRole('table', { name: /^Selling rules/ })
  await table.getByText('at least doubles the price').waitFor()
  await expectAccessible(page, DESKTOP_LIGHT, PHONE_DARK)

  // An error of the service is shown next to its field.
  const { body } = problem('invalid_request')
  const errors = [{ ...body.errors[0], field: 'rules[0].percent', message: 'percent may be at most 500.' }]
  api.answer('operatorSellingSetRules', problem('invalid_request', { errors }))
  await draft(dialog, '900')
  await putIntoForce('a slip')
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await table.getByText(/may be at most 500/).waitFor()
  await page.getByRole('button', { name: 'Change rule 10' }).click()
  expect(await dialog.getByLabel('Percent of the net price').getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page, PHONE_DARK, DESKTOP_LIGHT)
  await page.keyboard.press('Escape')

  // A rule with errors keeps the form open, at its first error.
  await page.getByRole('button', { name: 'Change rule 10' }).click()
  await dialog.getByLabel('Percent of the net price').fill('12,5')
  await dialog.getByLabel('Countries').fill('Portugal')
  await dialog.getByRole('button', { name: 'Apply to the draft' }).click()
  await dialog.getByRole('alert').getByText('2 fields need your attention').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('percent')
  await page.keyboard.press('Escape')

  // The draft is tried first, and survives a session that ends meanwhile.
  await draft(dialog, '12')
  api.signIn(null)
  api.answer(
    'operatorSellingTry',
    problem('unauthenticated'),
    tryRules(() => inForce),
  )
  api.answer('sessionSignIn', () => {
    api.signIn({ role: 'operator' })
    const { data } = example('sessionSignIn')
    return { status: 200, body: { data: { ...data, account: { ...data.account, role: 'operator' } } } }
  })
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await dialog.getByText('Your session has expired').waitFor()
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await sums.getByRole('columnheader', { name: 'By the draft' }).waitFor()
  expect([await cell('Selling price', 1), await cell('Selling price', 3)]).toEqual(['€440', '€224'])
  api.answer('operatorSellingSetRules', () => {
    inForce = rulesOf(3, 12)
    return { status: 200, body: inForce }
  })
  await putIntoForce('120 % was a slip')
  await waitForAction(page, 'Version 3 is in force')
  expect(api.requests('operatorSellingSetRules').at(-1)?.body).toEqual({
    ...{ rules: [{ priority: 10, percent: 12 }], based_on: 2, reason: '120 % was a slip' },
  })

  // The rules in force give the right price.
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await sums.getByRole('columnheader', { name: 'In force, version 3' }).waitFor()
  expect(await cell('Selling price', 2)).toBe('€224')
  expect(trouble()).toEqual([])
})

test('versions of selling rules can be compared, and statements are shown by month and vendor, on a tablet too', async () => {
  api.answerWith('operatorSellingRules', rulesOf(3, 12))
  api.answerWith('operatorSellingVersion', {
    data: { ...example('operatorSellingVersion').data, rules: [ruleOf(120)] },
  })
  await openView(page, '/console/selling/versions')
  await page.getByRole('button', { name: 'Compare version 2' }).click()
  await page.getByText(/^Added: Priority 10: .*120 %/).waitFor()
  await expectAccessible(page, DESKTOP_LIGHT)
  await page.getByRole('link', { name: 'Statements' }).click()
  await page.getByRole('cell', { name: '€8,236' }).waitFor()
  await page
    .getByRole('region', { name: /^Card payments/ })
    .getByRole('cell', { name: '€4,100' })
    .waitFor()
  for (const viewport of [TABLET, DESKTOP]) {
    await page.setViewportSize(viewport)
    await page.evaluate(NEXT_FRAME)
    expect(await page.evaluate<number[]>(HIDDEN_WIDTHS)).toEqual([0, 0])
  }
  await expectAccessible(page, DESKTOP_LIGHT)
  const refused = problem('insufficient_scope', {
    detail: 'An operator can permit it: serai api operator.change_account --see_net true.',
  })
  api.answer('operatorStatements', refused, { status: 200, body: { data: [] } })
  await page.getByLabel('From month').fill('2026-12')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'serai api operator.change_account --see_net true' }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(/No real bookings in these months/).waitFor()
  expect(trouble()).toEqual([])
})

test('of two operators who change the selling rules, the second sees the rules of the first and can continue from them', async () => {
  let inForce = rulesOf(1, 10)
  api.answer('operatorSellingRules', () => ({ status: 200, body: inForce }))
  await openView(page, '/console/selling')
  const dialog = page.getByRole('dialog')
  await page.getByRole('heading', { name: 'Rules in force, version 1' }).waitFor()
  inForce = rulesOf(2, 15)
  api.answer('operatorSellingSetRules', problem('rules_changed'))
  await draft(dialog, '12')
  await putIntoForce('two at once')
  await dialog.getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Version 2 was stored while you were editing').waitFor()
  await expectAccessible(page, PHONE_DARK)
  await page.getByRole('button', { name: 'Discard the draft' }).click()
  await page.getByRole('heading', { name: 'Rules in force, version 2' }).waitFor()
  await page.getByRole('cell', { name: '15 %', exact: true }).waitFor()

  // The rules are stored, but the answer is lost.
  api.answer('operatorSellingSetRules', () => {
    inForce = rulesOf(3, 12)
    return 'lost'
  })
  await draft(dialog, '12')
  await putIntoForce('two at once')
  await page.getByRole('heading', { name: 'Rules in force, version 3' }).waitFor()
  await page.getByRole('cell', { name: '12 %', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Discard the draft' }).count()).toBe(0)
  expect(api.requests('operatorSellingSetRules').map(({ body }) => body.based_on)).toEqual([1, 2])
})
