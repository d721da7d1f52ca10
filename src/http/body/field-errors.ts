import type { FastifySchemaValidationError } from 'fastify'
import type { FieldError } from '../../domain/errors.ts'

/**
 * What a schema may say about its own errors, by the keyword that failed (`required` stands on the property that is missing,
 * `*` means any keyword). Without it the code and the message come from the tables below. `{field}` in a message is
 * replaced by the path of the field.
 *
 *     Type.Integer({ minimum: 1, 'x-errors': { minimum: { code: 'too_few_adults', message: 'A room needs an adult.' } } })
 */
type SchemaErrors = Readonly<Record<string, { readonly code?: string; readonly message?: string }>>

/** With Ajv's option `verbose`, an error also names the schema that failed. */
type Complaint = FastifySchemaValidationError & { readonly parentSchema?: object | undefined; readonly data?: unknown }
type Schema = {
  readonly 'x-errors'?: SchemaErrors
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly { readonly type?: string }[]
}

/** A list with a thousand wrong entries is not answered with a thousand errors. */
const ERRORS_MAX = 50

/** What the schema validator found, in our words: one error for each field. */
export function fieldErrorsOf(complaints: readonly Complaint[], context: string): FieldError[] {
  const errors = new Map<string, FieldError>()
  for (const complaint of withoutDetails(complaints)) {
    const error = fieldErrorOf(complaint, context)
    if (!errors.has(error.field)) errors.set(error.field, error)
    if (errors.size === ERRORS_MAX) break
  }
  return [...errors.values()]
}

/**
 * Why each branch of a union failed, and what is wrong inside a list that is too long, would only confuse. For a value that may be
 * null, only the errors of the other form are reported.
 */
function withoutDetails(all: readonly Complaint[]): Complaint[] {
  const orNull = all.filter(isOrNull)
  const complaints = all.filter(
    (one) => !orNull.some((union) => one === union || one.schemaPath === `${union.schemaPath}/1/type`),
  )
  const unions = complaints.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  const tooLong = complaints.filter(({ keyword }) => keyword === 'maxItems')
  return complaints.filter(
    ({ schemaPath, instancePath }) =>
      !unions.some(
        (union) => schemaPath.startsWith(`${union.schemaPath}/`) && instancePath.startsWith(union.instancePath),
      ) && !tooLong.some((list) => instancePath.startsWith(`${list.instancePath}/`)),
  )
}

/** Whether the union is one that `nullable` makes. */
function isOrNull({ keyword, parentSchema }: Complaint): boolean {
  const { anyOf = [] }: Schema = parentSchema ?? {}
  return keyword === 'anyOf' && anyOf.length === 2 && anyOf[1]?.type === 'null'
}

function fieldErrorOf(complaint: Complaint, context: string): FieldError {
  const { params } = complaint
  const parentSchema: Schema | undefined = complaint.parentSchema
  const keyword = isNullMember(complaint) ? 'required' : complaint.keyword
  const at = fieldOf(complaint.instancePath)
  const name = nameIn(params)
  const field = name === undefined ? at || context : at === '' ? name : `${at}.${name}`
  const schema = name === undefined ? parentSchema : parentSchema?.properties?.[name]
  const own = schema?.['x-errors']?.[keyword] ?? schema?.['x-errors']?.['*']
  const [code, message] = ERRORS[keyword] ?? (['invalid', () => 'is not valid'] as const)
  return {
    field,
    code: own?.code ?? code,
    message: own?.message?.replaceAll('{field}', field) ?? `${field} ${message(params)}.`,
  }
}

/** A field that is null counts as left out; an entry of a list does not. */
const isNullMember = ({ keyword, data, instancePath }: Complaint) =>
  keyword === 'type' && data === null && /\/\D[^/]*$/.test(instancePath)

type Params = Readonly<Record<string, unknown>>

/** The property that is missing, or should not be there. */
function nameIn({ missingProperty, additionalProperty }: Params): string | undefined {
  const name = missingProperty ?? additionalProperty
  return name === undefined ? undefined : String(name).slice(0, 100)
}

/** Ajv's keywords: the code a client sees, and the message behind the name of the field. */
const ERRORS: Readonly<Record<string, readonly [code: string, message: (params: Params) => string]>> = {
  required: ['required', () => 'is missing'],
  additionalProperties: ['unknown_field', () => 'is not a field of this request'],
  type: ['wrong_type', ({ type }) => `must be ${typeWords(type)}`],
  enum: ['not_allowed', ({ allowedValues }) => `must be one of ${[allowedValues].flat().join(', ')}`],
  const: ['not_allowed', ({ allowedValue }) => `must be ${allowedValue}`],
  format: ['wrong_format', ({ format }) => `must be written as ${FORMATS[String(format)] ?? `a ${format}`}`],
  pattern: ['wrong_format', () => 'is not written as it should be'],
  minLength: ['too_short', ({ limit }) => `must have at least ${count(limit, 'character')}`],
  maxLength: ['too_long', ({ limit }) => `may have at most ${count(limit, 'character')}`],
  minItems: ['too_few', ({ limit }) => `must have at least ${count(limit, 'entry', 'entries')}`],
  maxItems: ['too_many', ({ limit }) => `may have at most ${count(limit, 'entry', 'entries')}`],
  uniqueItems: ['duplicate', () => 'must not have an entry twice'],
  minimum: ['too_small', ({ limit }) => `must be at least ${limit}`],
  exclusiveMinimum: ['too_small', ({ limit }) => `must be more than ${limit}`],
  maximum: ['too_large', ({ limit }) => `may be at most ${limit}`],
  anyOf: ['invalid', () => 'has none of the allowed forms'],
  oneOf: ['invalid', () => 'has none of the allowed forms'],
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  date: 'a day of the calendar, YYYY-MM-DD',
  currency: 'an ISO 4217 code in capitals, such as EUR',
  ip: 'an IPv4 or IPv6 address',
  'date-time': 'an ISO 8601 date and time',
  email: 'an e-mail such as name@example.com',
  uri: 'an absolute address',
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** Ajv names one type, or several in a list or behind commas. */
function typeWords(types: unknown): string {
  const names = String(types).split(',')
  return names
    .filter((name) => name !== 'null')
    .map((name) => TYPES[name] ?? name)
    .join(' or ')
}

const count = (limit: unknown, one: string, many = `${one}s`) => `${limit} ${limit === 1 ? one : many}`

/** `/user/email` → `user.email`, `/occupancies/0/adults` → `occupancies[0].adults`. */
function fieldOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '')
}
