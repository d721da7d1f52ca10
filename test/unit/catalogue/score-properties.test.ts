import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readLabelledSet } from '../../../scripts/score/labelled-set.ts'
import { scoreProperties } from '../../../scripts/score/score-properties.ts'
import { findCityWords } from '../../../src/catalogue/matching/names/city-names.ts'
import { foldText } from '../../../src/lib/text/fold-text.ts'

const record = (vendor: string, id: string, name: string, lat = 48.2) => ({
  vendor_id: vendor,
  vendor_property_id: id,
  name,
  lat,
  lon: 16.37,
  city: 'Wien',
})
const RECORDS = [
  record('a', '1', 'Hotel Steinhofer'),
  record('b', '1', 'STEINHOFER'),
  record('a', '2', 'Pension Lindwurm', 48.21),
  record('b', '2', 'Lindwurm', 48.21),
  record('a', '3', 'Hotel Zirbel', 48.22),
  record('b', '3', 'Gasthof Adler', 48.22),
]
const read = (labels: object) =>
  readLabelledSet(JSON.stringify({ records: RECORDS, same: [], different: [], ...labels }))

describe('the score of a labelled set', () => {
  test('the score counts right, wrong and missed joins, with evidence', () => {
    const same = [
      ['a:1', 'b:1'],
      ['a:3', 'b:3'],
    ]
    const score = scoreProperties(read({ same, different: [['a:2', 'b:2']] }))
    expect(score).toMatchObject({ right: 1, joins: 2, twins: 0 })
    expect(score.wrong.map(({ a, b, why }) => [a.name, b.name, why])).toEqual([
      ['Pension Lindwurm', 'Lindwurm', 'labelled different'],
    ])
    expect(score.wrong[0]?.evidence.map(({ fact }) => fact)).toContain('0 m away')
    expect(score.missed.map(({ a }) => a.name)).toEqual(['Hotel Zirbel'])
  })

  test('the score counts a join as wrong if the partner is another record, and ignores renamed ones', () => {
    const score = scoreProperties(read({ same: [['a:1', 'b:3']], renamed: [['a:2', 'b:2']] }))
    expect(score.wrong.map(({ a, why }) => [a.name, why])).toEqual([['Hotel Steinhofer', 'its partner is another']])
    expect(score.unlabelled).toEqual([])
  })

  test('the score does not count a duplicate entry of a vendor as missed', () => {
    const records = [...RECORDS, record('b', '4', 'Hotel Steinhofer Wien')]
    const same = [
      ['a:1', 'b:1'],
      ['a:1', 'b:4'],
    ]
    const score = scoreProperties(readLabelledSet(JSON.stringify({ records, same, different: [] })))
    expect(score).toMatchObject({ right: 1, twins: 1, missed: [] })
  })

  test.each([
    ['no list of records', { records: 1 }, '"records" must be a list'],
    ['a record without a name', { records: [{ ...RECORDS[0], name: '' }] }, 'records[0] has no name'],
    ['an unknown id', { same: [['a:1', 'c:1']] }, 'same[0] must be two ids of records'],
    ['a record twice', { records: [RECORDS[0], RECORDS[0]] }, 'Two records have the same id'],
  ])('a labelled set with %s is rejected with a reason', (_, labels, message) =>
    expect(() => read(labels)).toThrow(message),
  )
})

test('the matcher knows every Latin city name of the location index', () => {
  const seeds = readFileSync(new URL('../../../scripts/locations/seeds/names.psv', import.meta.url), 'utf8')
  const missing = seeds.split('\n').flatMap((line) => {
    const [kind = '', name = '', others = ''] = line.split('|')
    if (!kind.startsWith('city ')) return []
    const known = findCityWords(name)
    const names = others
      .split(';')
      .map(foldText)
      .filter((folded) => /^[a-z ]+$/.test(folded))
    return names.filter((folded) =>
      folded.split(' ').some((word) => !known.has(word) && !/^(st|ft|san|sankt)$/.test(word)),
    )
  })
  expect(missing).toEqual([])
})
