import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BOOKING_STATES } from '../src/domain/booking/booking.ts'
import { DISCREPANCY_CODES } from '../src/domain/booking/discrepancy.ts'
import { ERROR_CODES } from '../src/domain/errors.ts'
import { BOARDS } from '../src/domain/offer.ts'
import { AMENITIES } from '../src/domain/property/amenity.ts'
import { BED_TYPES } from '../src/domain/property/beds.ts'
import { LOCATION_TYPES } from '../src/domain/property/location.ts'
import { AMENITY_GROUPS, CATEGORIES, FEES, NOTICE_TITLES } from '../src/domain/property/vocabulary.ts'
import { VendorReportSchema } from '../src/search/schemas/search.ts'
import { de } from '../web/src/i18n/de.ts'
import { en, type Messages } from '../web/src/i18n/en.ts'

const page = join(import.meta.dirname, '../web/src')
const source = readdirSync(page, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/^i18n\/(en|de)\.ts$/.test(file))
  .map((file) => readFileSync(join(page, file), 'utf8'))
  .join('\n')

const english: Messages = en
const keys = Object.keys(english) as (keyof Messages)[]
const findArguments = (message: string) =>
  [...new Set([...message.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name))].sort()

test('every language has the same messages with the same arguments', () => {
  const describeMessages = (messages: Messages) => keys.map((key) => [key, findArguments(messages[key])])
  expect(Object.keys(de).sort()).toEqual([...keys].sort())
  expect(describeMessages(de)).toEqual(describeMessages(english))
})

/** Codes that the page names, by the prefix of their messages. */
const NAMED = {
  amenity: AMENITIES.map(({ slug }) => slug),
  bed: BED_TYPES,
  board: BOARDS,
  fee: FEES.codes,
  group: AMENITY_GROUPS.codes,
  kind: CATEGORIES.codes,
  notice: NOTICE_TITLES.codes,
}

/** Words that the service defines. */
const VOCABULARIES = [
  LOCATION_TYPES,
  ...Object.values(NAMED),
  BOOKING_STATES,
  DISCREPANCY_CODES,
  ERROR_CODES,
  VendorReportSchema.properties.status.enum,
]

test('every code of a vendor’s word has a name in every language', () => {
  const wanted = Object.entries(NAMED).flatMap(([prefix, codes]) => codes.map((code) => `${prefix}_${code}`))
  for (const messages of [en, de]) expect(wanted.filter((key) => !Object.hasOwn(messages, key))).toEqual([])
})

test('different fees and notices have different names in every language', () => {
  for (const messages of [en, de] as readonly Messages[])
    for (const prefix of ['fee_', 'notice_']) {
      const names = keys.filter((key) => key.startsWith(prefix)).map((key) => messages[key])
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    }
})

/** Keys without an underscore that the page lists as headings. */
const HEADINGS = ['meals', 'cancellation', 'payment']

test('every message is used by its key, or by a prefix and a word that the page or the service defines', () => {
  const called = new Set([...source.matchAll(/\bt\(\s*'(\w+)'/g)].map(([, key]) => key))
  const quoted = new Set([...source.matchAll(/'(\w+)'/g)].map(([, word]) => word))
  const prefixes = [...new Set([...source.matchAll(/`([a-z]+_)\$\{/g)].map(([, prefix = '']) => prefix))]
  const known = new Set<string | undefined>([...quoted, ...VOCABULARIES.flat()])
  const isComposed = (key: string) =>
    prefixes.some((prefix) => key.startsWith(prefix) && known.has(key.slice(prefix.length)))
  const isNamed = (key: string) => quoted.has(key) && (key.includes('_') || HEADINGS.includes(key))
  const dead = keys.filter((key) => !called.has(key) && !isNamed(key) && !isComposed(key))
  expect(dead).toEqual([])
})
