import fc from 'fast-check'
import type { Rec } from './vector.ts'

/** Texts on which engines tend to differ: pattern characters, letter case beyond ASCII, order of bytes and UTF-16. */
const TRICKY_TEXTS = [
  '',
  ' ',
  'a',
  'A',
  'ab',
  'Ab aB',
  'é',
  'É',
  'Élan vital',
  'straße',
  'STRASSE',
  'ſ',
  's',
  'k',
  '\u212A',
  'İ',
  'i',
  'ı',
  'σς',
  'ΣΣ',
  'ǅ',
  'ꟊ',
  '%',
  '_',
  '\\',
  '*',
  '?',
  '[',
  ']',
  '[a]',
  '^a',
  'a$',
  'a-b',
  '(a|b)+',
  '{1}',
  'line\nbreak',
  "it's",
  '"quoted"',
  '\uFFFD',
  '\uE000',
  '😀',
  '𐐀𐐨',
  'e\u0301',
  '***:a',
  '(?i)a',
  '/#~`!@&=,:;<>.',
] as const

const text = fc.oneof(
  fc.constantFrom(...TRICKY_TEXTS),
  fc.string({ unit: 'grapheme', maxLength: 6 }).filter(isStorable),
)
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4, nil: null })

/** PostgreSQL cannot store NUL, and no database stores half a character. */
function isStorable(candidate: string): boolean {
  return candidate.isWellFormed() && !candidate.includes('\0')
}

/** Records with many ties and missing values, and unique ids. */
export function trickyRecords(count: number): fc.Arbitrary<Rec[]> {
  const record = fc.record({
    name: orNull(text),
    age: orNull(fc.integer({ min: -2, max: 3 })),
    species: orNull(fc.constantFrom('cat', 'Cat', 'dog', 'É')),
    score: orNull(fc.constantFrom(-0.5, 0, 0.1, 0.30000000000000004, 1e21, 5e-324)),
    active: orNull(fc.boolean()),
    born: orNull(fc.constantFrom('0001-01-01', '2020-02-29', '2026-12-31', '9999-12-31')),
    tags: orNull(fc.array(fc.constantFrom('', 'a', 'A', 'ab', 'b', 'é'), { maxLength: 3 })),
    status: orNull(fc.constantFrom('draft', 'live', 'gone')),
    secret: fc.constant(null),
  })
  return fc
    .array(record, { minLength: count, maxLength: count })
    .map((records) => records.map((record, index) => ({ id: index + 1, ...record })))
}

const TEXT_OPERATORS = ['=~', 'like', 'not_like', 'ilike', 'not_ilike', 'starts_with', 'ends_with'] as const
const WORD_OPERATORS = ['like_and', 'like_or', 'ilike_and', 'ilike_or'] as const
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const

type Filter = { field: string; op: string; value: unknown }

const filter = (field: string, ops: readonly string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<Filter> =>
  fc.record({ field: fc.constant(field), op: fc.constantFrom(...ops), value })

const values: readonly (readonly [field: string, value: fc.Arbitrary<unknown>])[] = [
  ['id', fc.integer({ min: 0, max: 40 })],
  ['name', text],
  ['age', fc.oneof(fc.integer({ min: -2, max: 4 }), fc.constantFrom('2147483648', '-9223372036854775808'))],
  ['score', fc.constantFrom(-0.5, 0, '0.1', '1e21', 5e-324)],
  ['born', fc.constantFrom('2020-02-29', '2026-12-31T10:00:00Z')],
  ['status', fc.constantFrom('draft', 'live', 'gone')],
]

/** Any filter that the schema of the vectors accepts. */
export const validFilter: fc.Arbitrary<Filter> = fc.oneof(
  ...values.map(([field, value]) => filter(field, COMPARISONS, value)),
  ...values.map(([field, value]) => filter(field, ['in', 'not_in'], fc.array(value, { maxLength: 3 }))),
  filter('active', ['==', '!='], fc.boolean()),
  filter('tags', COMPARISONS, fc.array(fc.constantFrom('a', 'A', 'ab', 'b', 'é'), { maxLength: 3 })),
  filter(
    'tags',
    ['in', 'not_in'],
    fc.array(fc.array(fc.constantFrom('a', 'b', 'é'), { maxLength: 2 }), { maxLength: 3 }),
  ),
  filter('tags', ['contains', 'not_contains'], fc.constantFrom('a', 'A', 'é', 'zz')),
  ...['name', 'age', 'tags', 'label', 'active'].map((field) => filter(field, ['empty', 'not_empty'], fc.boolean())),
  ...['name', 'label'].map((field) => filter(field, TEXT_OPERATORS, text)),
  ...['name', 'label'].map((field) => filter(field, WORD_OPERATORS, fc.oneof(text, fc.array(text, { maxLength: 3 })))),
)

const directions = fc.array(
  fc.constantFrom('asc', 'asc_nulls_first', 'asc_nulls_last', 'desc', 'desc_nulls_first', 'desc_nulls_last'),
  { maxLength: 3 },
)
const orderBy = fc.array(fc.constantFrom('id', 'name', 'age', 'species', 'score', 'born'), { maxLength: 3 })

/** An order for cursors, in which no field occurs twice. */
export const validOrder = fc.record({
  order_by: orderBy.map((fields) => [...new Set(fields)]),
  order_directions: directions,
})

export const validPaging = fc.oneof(
  fc.constant({}),
  fc.record({ limit: fc.integer({ min: 1, max: 20 }), offset: fc.integer({ min: 0, max: 50 }) }),
  fc.record({ page: fc.integer({ min: 1, max: 9 }), page_size: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ first: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ last: fc.integer({ min: 1, max: 20 }) }),
)
