import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BED_CODES, FACILITY_CODES } from '../../../sandbox/vendors/hotelbeds/codes.ts'
import { describeBeds, parseBeds } from '../../../src/domain/property/beds.ts'
import { AMENITY_GROUPS, CATEGORIES, FEES, NOTICE_TITLES } from '../../../src/domain/property/vocabulary.ts'
import { labelsByCategory, readFacilities } from '../../../src/vendors/hotelbeds/content/facilities.ts'

test.each([
  ['Hotels', 'hotel'],
  ['Hostel/Backpacker accommodation', 'hostel'],
  ['Bed and breakfasts', 'bed_and_breakfast'],
  ['GUEST HOUSE', 'guest_house'],
  ['Treehouse', undefined],
  ['', undefined],
])('the category “%s” has the code %s', (name, code) => {
  expect(CATEGORIES.find(name)).toBe(code)
})

test('fees, notices and groups of amenities have codes', () => {
  expect(['City Tax', 'Taxes and fees', 'Taxes', 'NYC Javits Center Fee'].map(FEES.orNull)).toEqual([
    'city_tax',
    'taxes_and_fees',
    'taxes',
    null,
  ])
  const files = ['expedia_rapid', 'hotelbeds', 'liteapi'].map((vendor) => `src/vendors/${vendor}/notices.ts`)
  const titles = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/Notice\('\w+', '(.+?)'/g)].map(([, title = '']) => title),
  )
  expect(titles).toContain('Minimum check-in age')
  expect(titles.filter((title) => NOTICE_TITLES.find(title) === undefined)).toEqual([])
  const names = { facility: () => 'name' } as unknown as Parameters<typeof readFacilities>[1]
  const wire = Object.values(FACILITY_CODES).map(([group, code]) => ({ facilityGroupCode: group, facilityCode: code }))
  const headings = Object.keys(labelsByCategory(readFacilities(wire, names)))
  expect(headings.filter((heading) => AMENITY_GROUPS.find(heading) === undefined)).toEqual([])
})

test.each([
  ['1 King Bed', [['king', 1]]],
  [
    '2 Twin Beds and 1 Sofa Bed',
    [
      ['twin', 2],
      ['sofa', 1],
    ],
  ],
  ['1 double sofa bed', [['sofa', 1]]],
  ['1 extra-large double bed (super-king size)', [['king', 1]]],
  ['Full Bed', [['double', 1]]],
  ['1 Double Bed or 2 Single Beds', []],
  ['1 Kingsize-Bett', []],
  ['1 king bed and 1 hammock', []],
])('the beds “%s” are %j', (text, beds) => {
  expect(parseBeds(text).map(({ type, count }) => [type, count])).toEqual(beds)
})

test('a text of beds is read as it was written', () => {
  const beds = [
    { type: 'queen', count: 1 },
    { type: 'bunk', count: 2 },
  ] as const
  expect(parseBeds(describeBeds(beds))).toEqual(beds)
  const names = Object.values(BED_CODES).map(([, , name]) => name)
  expect(names.filter((name) => parseBeds(name).length === 0)).toEqual([])
})
