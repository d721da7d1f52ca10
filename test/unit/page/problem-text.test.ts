import { expect, test } from 'vitest'
import { ERRORS } from '../../../src/domain/error-table.ts'
import { ApiProblem } from '../../../web/src/api/problem.ts'
import { de } from '../../../web/src/i18n/de.ts'
import { en, type MessageKey } from '../../../web/src/i18n/en.ts'
import { formatProblem, titleProblem } from '../../../web/src/ui/problem-text.ts'

const has = (key: string): key is MessageKey => key in de
const GERMAN = { language: 'de' as const, t: (key: MessageKey) => String(de[key]), has }
const ENGLISH = { language: 'en' as const, t: (key: MessageKey) => String(en[key]), has }

test('refusals are shown in the language of the page', () => {
  const refused = (field: string, code: string) =>
    new ApiProblem(422, { code: 'invalid_request', errors: [{ field, code, message: `${field} is wrong.` }] })
  const toGerman = (problem: ApiProblem) => formatProblem(problem, GERMAN)
  expect(toGerman(refused('check_in', 'check_in_in_the_past'))).toBe('Der Anreisetag ist am Zielort schon vorbei.')
  expect(toGerman(refused('check_in', 'check_in_too_far'))).toMatch(/höchstens .* Tage/)
  expect(toGerman(refused('area', 'out_of_range'))).toMatch(/^Dieser Kartenausschnitt ist zu groß/)
  expect(toGerman(refused('check_in', 'anything_else'))).toBe(de.problem_refused)
  expect(formatProblem(refused('check_in', 'anything_else'), ENGLISH)).toBe('check_in is wrong.')
})

/** Codes that visitors do not meet, or for which the page shows more than a message. */
const GENERAL_MESSAGE_CODES = [
  ...['malformed_request', 'unknown_simulation', 'not_found', 'method_not_allowed', 'not_acceptable', 'body_too_large'],
  ...['unsupported_media_type', 'expectation_failed', 'headers_too_large', 'invalid_request', 'budget_exceeded'],
  ...['webhook_not_found', 'delivery_not_found', 'rules_not_found', 'account_not_found', 'key_not_found'],
  ...['session_not_found', 'not_amendable', 'not_possible', 'webhook_disabled', 'rules_changed'],
  ...['search_not_found', 'property_not_found', 'search_expired', 'location_too_large'],
  ...['price_changed', 'terms_changed', 'sold_out', 'offer_expired', 'request_in_progress'],
  'precondition_failed',
]

test('every error code has a German message, and codes that visitors meet have their own', () => {
  const messages = Object.entries(ERRORS).map(([code, { status }]) => [
    code,
    formatProblem(new ApiProblem(status, { code, detail: 'In English.' }), GERMAN),
  ])
  expect(messages.filter(([, text]) => text === 'In English.')).toEqual([])
  const general = messages.filter(([, text]) => text === de.problem_refused).map(([code]) => code)
  expect(general.sort()).toEqual(GENERAL_MESSAGE_CODES.sort())
})

test('the message about an unknown booking also fits guests, who have no account', () => {
  const problem = new ApiProblem(404, { code: 'booking_not_found' })
  expect(formatProblem(problem, ENGLISH)).toMatch(/account or browser/)
  expect(formatProblem(problem, GERMAN)).toMatch(/Konto oder Browser/)
})

test('a proxy’s error page is shown as a message instead of a status', () => {
  expect(formatProblem(new ApiProblem(403, {}), ENGLISH)).toBe(en.problem_not_permitted)
  expect(formatProblem(new ApiProblem(404, {}), ENGLISH)).toBe(en.problem_refused)
})

test('a rate limit says after how many seconds or minutes the next request is allowed', () => {
  const t = (key: MessageKey, values: object = {}) => `${key} ${JSON.stringify(values)}`
  const limited = (ms: number) => formatProblem(new ApiProblem(429, { code: 'rate_limited' }, ms), { ...ENGLISH, t })
  expect(limited(35 * 60_000 + 1)).toBe('problem_rate_limited_long {"n":36}')
  expect(limited(7_400)).toBe('problem_rate_limited_seconds {"n":8}')
  expect(limited(0)).toBe('problem_rate_limited {}')
})

test('the message about a rate limit does not repeat its title', () => {
  for (const messages of [en, de]) {
    const texts = Object.entries(messages).filter(([key]) => key.startsWith('problem_rate_limited'))
    expect(texts.map(([, text]) => text).join('\n')).not.toContain(messages.problem_title_wait)
  }
})

test('only failures of the service and the network are said to have gone wrong', () => {
  const titled = (status: number) => titleProblem(new ApiProblem(status, { code: 'x' }))
  expect([500, 503, 0].map(titled)).toEqual(['problem_title', 'problem_title', 'problem_title'])
  expect([429, 404, 410, 403, 422].map(titled)).toEqual([
    'problem_title_wait',
    'problem_title_unknown',
    'problem_title_unknown',
    'problem_title_refused',
    'problem_title_refused',
  ])
})
