import { expect, test } from 'vitest'
import { readQuery, secondReadings, spellingsOf } from '../../../src/locations/query.ts'

test.each([
  ['Saint-Émilion', 'saint emilion'],
  ['  New   York ', 'new york'],
  ["L'Île-d'Yeu", 'lile dyeu'],
  ['PARIS', 'paris'],
  ['東京', '東京'],
])('the text %s is normalised to %s', (text, query) => {
  expect(readQuery(text)).toBe(query)
})

test('text without searchable characters is normalised to an empty string', () => {
  for (const text of ['', '   ', '!!!', '\u0301\u0302', '\0', '\ud800', '🏖️']) expect(readQuery(text)).toBe('')
})

test('a text is cut to a hundred code points', () => {
  expect([...readQuery('東'.repeat(5000))]).toHaveLength(100)
  expect(readQuery('ab '.repeat(500_000)).length).toBeLessThanOrEqual(100)
})

test('words with two spellings are tried in both, except the last one, which may be incomplete', () => {
  expect(spellingsOf('st moritz')).toEqual(['st moritz', 'saint moritz'])
  expect(spellingsOf('saint')).toEqual(['saint'])
  expect(spellingsOf('new york')).toEqual(['new york'])
  expect(spellingsOf('constructor bay')).toEqual(['constructor bay'])
})

test('the number of spellings is limited', () => {
  expect(spellingsOf('st '.repeat(30).trim()).length).toBeLessThanOrEqual(8)
})

test('the alternative readings omit filler words and revert German transcription', () => {
  expect(secondReadings('hotels in rome')).toContain('rome')
  expect(secondReadings('duesseldorf')).toContain('dusseldorf')
  expect(secondReadings('paris')).toEqual([])
})
