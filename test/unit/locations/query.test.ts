import { expect, test } from 'vitest'
import { alternativeQueries, listSpellings, normalizeQuery } from '../../../src/locations/query.ts'

test.each([
  ['Saint-Émilion', 'saint emilion'],
  ['  New   York ', 'new york'],
  ["L'Île-d'Yeu", 'lile dyeu'],
  ['PARIS', 'paris'],
  ['東京', '東京'],
])('the text %s is normalised to %s', (text, query) => {
  expect(normalizeQuery(text)).toBe(query)
})

test('text without searchable characters is normalised to an empty string', () => {
  for (const text of ['', '   ', '!!!', '\u0301\u0302', '\0', '\ud800', '🏖️']) expect(normalizeQuery(text)).toBe('')
})

test('a text is cut to a hundred code points', () => {
  expect([...normalizeQuery('東'.repeat(5000))]).toHaveLength(100)
  expect(normalizeQuery('ab '.repeat(500_000)).length).toBeLessThanOrEqual(100)
})

test('words with two spellings are tried in both, except the last one, which may be incomplete', () => {
  expect(listSpellings('st moritz')).toEqual(['st moritz', 'saint moritz'])
  expect(listSpellings('saint')).toEqual(['saint'])
  expect(listSpellings('new york')).toEqual(['new york'])
  expect(listSpellings('constructor bay')).toEqual(['constructor bay'])
})

test('the number of spellings is limited', () => {
  expect(listSpellings('st '.repeat(30).trim()).length).toBeLessThanOrEqual(8)
})

test('the alternative readings omit filler words and revert German transcription', () => {
  expect(alternativeQueries('hotels in rome')).toContain('rome')
  expect(alternativeQueries('duesseldorf')).toContain('dusseldorf')
  expect(alternativeQueries('paris')).toEqual([])
})
