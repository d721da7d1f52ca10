import { expect, test } from 'vitest'
import { readQuery, secondReadings, spellingsOf } from '../../../src/locations/query.ts'

test.each([
  ['Saint-Émilion', 'saint emilion'],
  ['  New   York ', 'new york'],
  ["L'Île-d'Yeu", 'lile dyeu'],
  ['PARIS', 'paris'],
  ['東京', '東京'],
])('%s is read as %s', (text, query) => {
  expect(readQuery(text)).toBe(query)
})

test('nothing that can be looked for is read as nothing', () => {
  for (const text of ['', '   ', '!!!', '\u0301\u0302', '\0', '\ud800', '🏖️']) expect(readQuery(text)).toBe('')
})

test('a text is cut to a hundred code points', () => {
  expect([...readQuery('東'.repeat(5000))]).toHaveLength(100)
  expect(readQuery('ab '.repeat(500_000)).length).toBeLessThanOrEqual(100)
})

test('words with two spellings are tried in both, except the last, which may still be growing', () => {
  expect(spellingsOf('st moritz')).toEqual(['st moritz', 'saint moritz'])
  expect(spellingsOf('saint')).toEqual(['saint'])
  expect(spellingsOf('new york')).toEqual(['new york'])
  expect(spellingsOf('constructor bay')).toEqual(['constructor bay'])
})

test('the number of spellings is bounded', () => {
  expect(spellingsOf('st '.repeat(30).trim()).length).toBeLessThanOrEqual(8)
})

test('a second reading leaves filler words out and undoes German transcription', () => {
  expect(secondReadings('hotels in rome')).toContain('rome')
  expect(secondReadings('duesseldorf')).toContain('dusseldorf')
  expect(secondReadings('paris')).toEqual([])
})
