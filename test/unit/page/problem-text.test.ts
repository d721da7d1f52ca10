import { expect, test } from 'vitest'
import { ApiProblem } from '../../../web/src/api/problem.ts'
import { problemText } from '../../../web/src/components/notice.tsx'
import { de } from '../../../web/src/i18n/de.ts'
import type { MessageKey } from '../../../web/src/i18n/en.ts'

test('what the service refuses to visitors is told in the language of the page', () => {
  const refused = (field: string, code: string) =>
    new ApiProblem(422, { code: 'invalid_request', errors: [{ field, code, message: `${field} is wrong.` }] })
  const i18n = { t: (key: MessageKey) => String(de[key]), has: (key: string): key is MessageKey => key in de }
  const told = (problem: ApiProblem) => problemText(problem, i18n)
  expect(told(refused('check_in', 'check_in_in_the_past'))).toBe('Der Anreisetag ist am Zielort schon vorbei.')
  expect(told(refused('check_in', 'check_in_too_far'))).toMatch(/höchstens 500 Tage/)
  expect(told(refused('area', 'out_of_range'))).toMatch(/^Dieser Kartenausschnitt ist zu groß/)
  expect(told(refused('check_in', 'anything_else'))).toBe('check_in is wrong.')
})
