import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { PropertyNames } from '../../../src/catalogue/names/property-names.ts'
import { createReadNames } from '../../../src/catalogue/names/read-names.ts'
import { derivePropertyId } from '../../../src/catalogue/properties/property-id.ts'
import { propertyLocationId } from '../../../src/domain/property/property-location.ts'
import { foldText } from '../../../src/lib/text/fold-text.ts'

type Hotel = readonly [name: string, town: string, stars?: number]

function createNames(hotels: readonly Hotel[]): PropertyNames {
  const names = new PropertyNames()
  for (const [name, town, starRating = 3] of hotels) names.put({ propertyId: name, names: [name], town, starRating })
  return names
}
const found = (names: PropertyNames, text: string, limit = 5) => names.find(text, limit, true)
const ids = (names: PropertyNames, text: string) => found(names, text).map(({ propertyId }) => propertyId)

const HOTELS: Hotel[] = [
  ['Hotel Ritz', 'Paris', 5],
  ['Ritz-Carlton', 'Berlin', 5],
  ['Hilton Paris Opéra', 'Paris', 4],
  ['Hilton', 'London', 3],
  ['Hilton Garden Inn', 'London', 5],
  ['Pension Zürcher Hof', 'Zermatt'],
  ['東京ホテル', '東京'],
]

describe('a property is found', () => {
  const names = createNames(HOTELS)

  test.each([
    ['ritz', ['Ritz-Carlton', 'Hotel Ritz']],
    ['ritz paris', ['Hotel Ritz']],
    ['paris ritz', ['Hotel Ritz']],
    ['HÔTEL RI', ['Hotel Ritz']],
    ['hilton opera', ['Hilton Paris Opéra']],
    ['opera', ['Hilton Paris Opéra']],
    ['zurch', ['Pension Zürcher Hof']],
    ['東京ホ', ['東京ホテル']],
    ['東京', ['東京ホテル']],
    ['hilton', ['Hilton', 'Hilton Garden Inn', 'Hilton Paris Opéra']],
  ])('a property is found by any word of its name, also with its town: %s', (text, expected) => {
    expect(ids(names, text)).toEqual(expected)
  })

  test.each([
    ['hiltn garden', 'Hilton Garden Inn'],
    ['ritz pariz', 'Hotel Ritz'],
    ['pensoin', 'Pension Zürcher Hof'],
    ['hilton gardn', 'Hilton Garden Inn'],
  ])('a property is found with one typing error if nothing else matches: %s', (text, expected) => {
    expect(found(names, text)).toEqual([{ propertyId: expected, grade: 'near' }])
    expect(names.find(text, 5, false)).toEqual([])
  })

  test('hits are sorted by exact name, prefix, other words, and then stars', () => {
    expect(found(names, 'hilton').map(({ grade }) => grade)).toEqual(['exact', 'beginning', 'beginning'])
    expect(found(names, 'paris opera')[0]?.grade).toBe('words')
  })

  test.each([
    ["Hôtel d'Angleterre", 'angleterre'],
    ["Hôtel d'Angleterre", 'hotel d angleterre'],
    ["Hôtel d'Angleterre", 'hotel dangleterre'],
    ['Hotel de l’Opéra', 'hotel opera'],
    ['Hotel de l´Opéra', "hotel de l'opéra"],
    ["Locanda dell'Angelo", 'angelo'],
    ['Rose & Crown', 'rose and crown'],
    ['Hôtel Saint-Germain', 'hotel st. germain'],
    ['The St. Regis', 'saint regis'],
    ['Mount Nelson', 'mt nelson'],
  ])('%s is found by another spelling of its words: %s', (name, text) => {
    const single = createNames([[name, 'Zermatt']])
    expect(single.find(text, 5, false)).toHaveLength(1)
    expect(single.find(name, 5, false)).toEqual([{ propertyId: name, grade: 'exact' }])
  })

  test('a property is not found by its town alone', () => {
    expect(ids(names, 'zermatt')).toEqual([])
    expect(ids(names, 'london')).toEqual([])
  })

  test('a property is found by every vendor’s spelling of its name', () => {
    const both = new PropertyNames()
    both.put({ propertyId: 'one', names: ['The Savoy', 'Savoy Hotel Strand'], town: 'London', starRating: 5 })
    expect(found(both, 'the savoy')).toEqual([{ propertyId: 'one', grade: 'exact' }])
    expect(ids(both, 'strand')).toEqual(['one'])
  })
})

test('a removed property is not found and a renamed one only by its new name, but their ids stay known', async () => {
  const names = createNames(HOTELS)
  const before = names.version
  names.put({ propertyId: 'Hotel Ritz', names: [], town: '', starRating: 0 })
  names.put({ propertyId: 'Hilton', names: ['Conrad St James'], town: 'London', starRating: 5 })
  expect(names.version).toBeGreaterThan(before)
  expect(ids(names, 'ritz paris')).toEqual([])
  expect(ids(names, 'conrad')).toEqual(['Hilton'])
  expect(ids(names, 'hilton')).not.toContain('Hilton')
  expect(names.findPropertyId(propertyLocationId('Hotel Ritz'))).toBe('Hotel Ritz')
  expect(names.findPropertyId(propertyLocationId('Hilton').toUpperCase())).toBe('Hilton')
  expect(names.findPropertyId(propertyLocationId('Nowhere'))).toBeUndefined()
  const same = names.version
  names.put({ propertyId: 'Hilton', names: ['Conrad St James'], town: 'London', starRating: 5 })
  expect(names.version).toBe(same)
})

test('the result is the same before, during and after a rebuild of the postings', async () => {
  const word = fc.constantFrom('grand', 'hotel', 'park', 'plaza', 'royal', 'inn', 'sea', 'view')
  const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
  const hotel = fc.record({ n: fc.nat(4_000), name: fc.option(name) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(hotel, { minLength: 1, maxLength: 300 }),
      word,
      fc.nat(300),
      async (changes, text, at) => {
        const names = new PropertyNames()
        const now = new Map<string, string | null>()
        // Enough to trigger a rebuild.
        for (let n = 0; n < 2_500; n += 1)
          names.put({ propertyId: `other ${n}`, names: ['Zzz'], town: '', starRating: 1 })
        let settling: Promise<void> | undefined
        for (const [step, { n, name: called }] of changes.entries()) {
          const propertyId = derivePropertyId('v', String(n))
          names.put({ propertyId, names: called === null ? [] : [called], town: '', starRating: 3 })
          now.set(propertyId, called)
          if (step === at) settling = names.settle()
        }
        const expected = [...now].filter(([, called]) => called !== null && foldText(called).split(' ').includes(text))
        const check = () =>
          expect(new Set(names.find(text, 500, false).map(({ propertyId }) => propertyId))).toEqual(
            new Set(expected.map(([id]) => id)),
          )
        check()
        await settling
        check()
        await names.settle()
        check()
      },
    ),
    { numRuns: 25 },
  )
})

describe('reading names', () => {
  let isDown = false
  const store = {
    async properties(ids: readonly string[]) {
      if (isDown) throw new Error('no connection')
      return ids.map((id) => ({
        property_id: id,
        seq: 1,
        lat: 0,
        lon: 0,
        vendors: `[["v","${id}"]]`,
        merged_into: null,
      }))
    },
    names: async (ids: readonly string[]) =>
      ids.map((id) => ({
        vendor_id: 'v',
        vendor_property_id: id,
        property_id: id,
        name: `Hotel ${id}`,
        city: '',
        country_code: '',
        star_rating: 3,
      })),
  }

  test('reading names retries until the database responds', async () => {
    vi.useFakeTimers()
    try {
      const names = new PropertyNames()
      const onBug = vi.fn()
      const reading = createReadNames({ store, names, onBug })
      isDown = true
      reading.changed('ritz')
      await vi.advanceTimersByTimeAsync(1_500)
      expect(onBug).toHaveBeenCalledTimes(1)
      await expect(reading.settled()).rejects.toThrow('no connection')
      isDown = false
      await vi.advanceTimersByTimeAsync(1_500)
      expect(ids(names, 'ritz')).toEqual(['ritz'])
      await reading.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  test('a bulk read sorts the names in between, so that lookups do not scan all of them', async () => {
    const names = new PropertyNames()
    const settle = vi.spyOn(names, 'settle')
    const reading = createReadNames({ store, names, onBug: (error) => expect(error).toBeUndefined() })
    for (let n = 0; n < 1_200; n += 1) reading.changed(`n${n}`)
    await reading.settled()
    expect(settle.mock.calls).toEqual([[1 / 8], [1 / 8], [1 / 8], []])
    await reading.stop()
  })
})
