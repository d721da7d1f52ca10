import fc, { type Arbitrary } from 'fast-check'
import { DAY_MS } from '../../src/lib/time/durations.ts'

export type Schema = Readonly<Record<string, unknown>>
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: Readonly<Record<string, unknown>>
}
export type Operation = {
  readonly operationId?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >
}

/**
 * Texts that break naive code: empty, NUL, unpaired surrogates, other writing directions, look-alikes, code of all
 * kinds.
 */
export const NASTY_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202ecba',
  '\ufeffabc',
  'ﷺ'.repeat(30),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘',
  '𝕿𝖊𝖘𝖙',
  '👩‍👩‍👧‍👦'.repeat(10),
  'İıſK',
  "' or 1=1 --",
  '"; drop table bookings; --',
  '%00%0d%0a',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}#{7*7}<%= 7*7 %>',
  '__proto__',
  'constructor',
  'NaN',
  '-0',
  '1e999',
  '9'.repeat(400),
  '2027-02-30',
  '0000-00-00',
  '9999-12-31',
  'null',
  'true',
]

const nasty = fc.constantFrom(...NASTY_TEXTS)
const anyText = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }), nasty)

/** Any JSON value, including unusual numbers and keys. */
export const anyJson: Arbitrary<unknown> = fc.oneof(
  anyText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e21, -1e308, 2 ** 53, [], {}, [[]], [null]),
)

/** Values that match a schema of the document, as far as the schema defines them. */
export function valuesMatching(document: Document, schema: Schema | undefined, depth = 0): Arbitrary<unknown> {
  if (schema === undefined || depth > 8) return anyJson
  if (typeof schema.$ref === 'string') return valuesMatching(document, resolve(document, schema.$ref), depth + 1)
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  const choices = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valuesMatching(document, choice, depth + 1)))
  const [example] = (schema.examples ?? []) as unknown[]
  const typed = valuesOfType(document, schema, depth)
  return example === undefined
    ? typed
    : fc.oneof({ weight: 2, arbitrary: fc.constant(example) }, { weight: 3, arbitrary: typed })
}

function valuesOfType(document: Document, schema: Schema, depth: number): Arbitrary<unknown> {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return objectsMatching(document, schema, depth)
    case 'array': {
      const maxLength = Math.min(Number(schema.maxItems ?? 4), 8)
      return fc.array(valuesMatching(document, schema.items as Schema, depth + 1), {
        minLength: Math.min(Number(schema.minItems ?? 0), maxLength),
        maxLength,
      })
    }
    case 'string':
      return textsMatching(schema)
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? -10), max: Number(schema.maximum ?? 1_000) })
    case 'number':
      return fc.double({ min: Number(schema.minimum ?? -1e4), max: Number(schema.maximum ?? 1e6), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return anyJson
  }
}

function objectsMatching(document: Document, schema: Schema, depth: number): Arbitrary<unknown> {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>
  const required = new Set((schema.required ?? []) as string[])
  const record = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, valuesMatching(document, property, depth + 1)]),
    ),
    { requiredKeys: [...required] },
  )
  if (schema.additionalProperties !== true) return record
  const more = fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), anyJson, { maxKeys: 2 })
  return fc.tuple(record, more).map(([fixed, extra]) => ({ ...extra, ...fixed }))
}

const NOON = Date.parse('2027-01-15T12:00:00Z')
const anyDay = fc
  .integer({ min: -5, max: 520 })
  .map((days) => new Date(NOON + days * DAY_MS).toISOString().slice(0, 10))

function textsMatching(schema: Schema): Arbitrary<string> {
  const minLength = Number(schema.minLength ?? 0)
  const maxLength = Math.max(minLength, Math.min(Number(schema.maxLength ?? 30), 300))
  if (schema.format === 'uuid') return fc.uuid()
  if (schema.format === 'email') return fc.emailAddress()
  if (/YYYY-MM-DD/.test(String(schema.description ?? ''))) return anyDay
  return fc.oneof(fc.string({ minLength, maxLength }), fc.string({ unit: 'grapheme', minLength, maxLength }), nasty)
}

function resolve(document: Document, ref: string): Schema {
  let found: unknown = document
  for (const part of ref.replace(/^#\//, '').split('/')) {
    found = (found as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return found as Schema
}
