import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
import { type ApiRequest, example, problem, type RecordedApi } from './recorded-api.ts'

let page: Page
let api: RecordedApi
let trouble: () => string[]
beforeEach(async () => {
  ;({ page, api, trouble } = await openConsole())
})
afterEach(() => expect(trouble()).toEqual([]))

const MATCH = example('operatorMatch').data
const [FIRST, SECOND] = MATCH.records
const OTHER = {
  ...{ ...MATCH, property_id: MATCH.look_alikes[0].property_id, name: 'Bellevue' },
  records: [{ ...SECOND, vendor_id: 'liteapi', vendor_property_id: 'lp1' }],
}
const DECISION = {
  ...{ kind: 'split', records: ['expedia_rapid:1', 'hotelbeds:7'], decided_at: '2027-01-15T12:00:00.000Z' },
  ...{ decided_by: 'acc_1', reason: 'the pictures show another building' },
}

/** Answers with the other property if the request is about it. */
const byId = (match: object) => (request: ApiRequest) => ({
  status: 200,
  body: { data: request.path.endsWith(OTHER.property_id) ? OTHER : match },
})

test('a record is split off a property with a reason', async () => {
  await openView(page, '/console/matches')
  const list = page.getByRole('table', { name: /^Matches/ })
  await list.getByRole('link').waitFor()
  await expectAccessible(page, DESKTOP_LIGHT)
  await list.getByRole('link').click()
  await page.getByRole('button', { name: 'Split off Hotelbeds' }).waitFor()
  await expectAccessible(page, DESKTOP_LIGHT, PHONE_DARK)
  await page.getByRole('button', { name: 'Split off Hotelbeds' }).click()
  const { body } = problem('invalid_request')
  const errors = [{ ...body.errors[0], field: 'vendor_id', message: 'It is not in this property any more.' }]
  api.answer('operatorSplitProperty', problem('invalid_request', { errors }))
  await confirmWithReason(page, 'Split off Hotelbeds', DECISION.reason)
  await page.getByRole('dialog').getByRole('alert').waitFor()
  api.answer('operatorSplitProperty')
  api.answerWith('operatorMatch', { data: { ...MATCH, records: [FIRST], decisions: [DECISION] } })
  await page.getByRole('dialog').getByRole('button', { name: 'Split off Hotelbeds' }).click()
  await waitForAction(page, 'Hotelbeds 7 is now a separate property')
  await page.getByRole('heading', { name: 'Manual decisions' }).waitFor()
  expect(await page.getByRole('button', { name: /^Split off / }).count()).toBe(0)
  const sent = api.requests('operatorSplitProperty').at(-1)
  expect([sent?.path.split('/').slice(-4), sent?.body]).toEqual([
    [MATCH.property_id, 'split', 'hotelbeds', '7'],
    { reason: DECISION.reason },
  ])
})

test('a match is confirmed, and confirmed ones are not listed again', async () => {
  await openView(page, '/console/matches')
  await page.getByRole('table').getByRole('link').click()
  expect(api.requests('operatorMatches').at(-1)?.query.getAll('filters[]')).toEqual(['decided_by:==<auto'])
  await page.getByRole('button', { name: 'Confirm Hotelbeds' }).click()
  const confirmed = { ...MATCH, records: [FIRST, { ...SECOND, decided_by: 'operator' }] }
  api.answerWith('operatorMatch', { data: confirmed })
  await confirmWithReason(page, 'Confirm Hotelbeds', 'the same pictures')
  await waitForAction(page, 'Hotelbeds 7 is confirmed')
  await page.getByRole('button', { name: 'Confirm Hotelbeds' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Split off Hotelbeds' }).waitFor()
  expect(api.requests('operatorConfirmMatch').map(({ body }) => body)).toEqual([{ reason: 'the same pictures' }])
})

test('a pair says why it was not joined, also if it never can be, and can be put off', async () => {
  const [pair] = example('operatorNearMatches').data
  api.answerWith('operatorNearMatches', recordedList('operatorNearMatches', [{ ...pair, reason: 'same_vendor' }]))
  api.answer('operatorMatch', byId(MATCH))
  const ids = { property_id: MATCH.property_id, other_property_id: OTHER.property_id }
  const never = { ...ids, score: null, evidence: [], reasons: ['kept_separate', 'names_exclude'] }
  api.answerWith('operatorCompareProperties', { data: never })
  await openView(page, '/console/matches/near')
  await page.getByRole('cell', { name: 'Both have a record of the same vendor; a property has one of each.' }).waitFor()
  await page.getByRole('table').getByRole('link').click()
  await page.getByRole('heading', { name: 'Matching never joins them' }).waitFor()
  await page.getByText('An operator keeps them separate.').waitFor()
  await page.getByText('Their names exclude each other.').waitFor()
  await expectAccessible(page, PHONE_DARK, DESKTOP_LIGHT)
  await page.getByRole('button', { name: 'Decide later' }).click()
  await waitForAction(page, 'The pair returns to the list in 30 days.')
  expect(api.requests('operatorPostponeNearMatch')).toHaveLength(1)
})

test('two nearly matching properties can be compared and joined', async () => {
  api.answer('operatorMatch', byId(MATCH))
  await openView(page, '/console/matches/near')
  await page.getByRole('table').getByRole('link').click()
  await page.getByRole('button', { name: 'Join them' }).waitFor()
  const comparison = page.locator('section').filter({ has: page.getByRole('heading', { name: '77.2 % certain' }) })
  const facts = await comparison.getByRole('listitem').allInnerTexts()
  expect(facts.map((fact) => fact.replace(/\s+/g, ' '))).toEqual([
    'The certainty is below 79 %.',
    '−2.50 most neighbours are different properties',
    '+2.50 names 50 % alike',
    '−0.45 in one name only: rivoli',
  ])
  await expectAccessible(page, PHONE_DARK)
  await page.getByRole('button', { name: 'Join them' }).click()
  api.answerWith('operatorMatch', { data: MATCH })
  await confirmWithReason(page, 'Join them', 'it is the same building after all')
  await waitForAction(page, 'Joined as')
  await page.getByText('They are the same property:').waitFor()
  expect(api.requests('operatorJoinProperties').map(({ body }) => body)).toEqual([
    { reason: 'it is the same building after all' },
  ])
  api.answerWith('operatorNearMatches', recordedList('operatorNearMatches', []))
  await page.getByRole('link', { name: 'All matches' }).click()
  await page.getByRole('link', { name: 'Nearly matched' }).click()
  await page.getByText(/No properties nearly matched/).waitFor()
  await expectAccessible(page, DESKTOP_LIGHT)
})
