import type { FastifySchemaValidationError } from 'fastify'
import type { FieldError } from '../../domain/errors.ts'

/**
 * Overrides the code or message of a schema's errors, by keyword (`required` on the missing property, `*` for any).
 * `{field}` in a message is replaced by the path of the field.
 *
 *     Type.Integer({ minimum: 1, 'x-errors': { minimum: { code: 'too_few_adults', message: 'A room needs an adult.' } } })
 */
type SchemaErrors = Readonly<Record<string, { readonly code?: string; readonly message?: string }>>

/** Ajv's option `verbose` adds `parentSchema` and `data`. */
type SchemaError = FastifySchemaValidationError & {
  readonly parentSchema?: object | undefined
  readonly data?: unknown
}
type Schema = {
  readonly 'x-errors'?: SchemaErrors
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly { readonly type?: string }[]
}

/** Further errors are omitted. */
export const FIELD_ERRORS_MAX = 50

/** Converts errors of the schema validator, at most one for each field. */
export function toFieldErrors(schemaErrors: readonly SchemaError[], context: string): FieldError[] {
  const errors = new Map<string, FieldError>()
  for (const schemaError of withoutNestedErrors(schemaErrors)) {
    const error = toFieldError(schemaError, context)
    if (!errors.has(error.field)) errors.set(error.field, error)
    if (errors.size === FIELD_ERRORS_MAX) break
  }
  return [...errors.values()]
}

/** Drops errors inside union branches and too-long lists. For a nullable value, keeps only the errors of the non-null form. */
function withoutNestedErrors(all: readonly SchemaError[]): SchemaError[] {
  const nullableUnions = all.filter(isNullableUnion)
  const errors = all.filter(
    (error) => !nullableUnions.some((union) => error === union || error.schemaPath === `${union.schemaPath}/1/type`),
  )
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  const tooLong = errors.filter(({ keyword }) => keyword === 'maxItems')
  return errors.filter(
    ({ schemaPath, instancePath }) =>
      !unions.some(
        (union) => schemaPath.startsWith(`${union.schemaPath}/`) && instancePath.startsWith(union.instancePath),
      ) && !tooLong.some((list) => instancePath.startsWith(`${list.instancePath}/`)),
  )
}

/** Matches the unions that `nullable` creates. */
function isNullableUnion({ keyword, parentSchema }: SchemaError): boolean {
  const { anyOf = [] }: Schema = parentSchema ?? {}
  return keyword === 'anyOf' && anyOf.length === 2 && anyOf[1]?.type === 'null'
}

function toFieldError(error: SchemaError, context: string): FieldError {
  const { params } = error
  const parentSchema: Schema | undefined = error.parentSchema
  const keyword = isNullMember(error) ? 'required' : error.keyword
  const path = formatPointer(error.instancePath)
  const name = readPropertyName(params)
  const field = name === undefined ? path || context : path === '' ? name : `${path}.${name}`
  const schema = name === undefined ? parentSchema : parentSchema?.properties?.[name]
  const own = schema?.['x-errors']?.[keyword] ?? schema?.['x-errors']?.['*']
  const [code, message] = ERRORS[keyword] ?? (['invalid', () => 'is not valid'] as const)
  return {
    field,
    code: own?.code ?? code,
    message: own?.message?.replaceAll('{field}', field) ?? `${field} ${message(params)}.`,
  }
}

/** A null field is reported as missing; a null entry of a list is not. */
const isNullMember = ({ keyword, data, instancePath }: SchemaError) =>
  keyword === 'type' && data === null && /\/\D[^/]*$/.test(instancePath)

type Params = Readonly<Record<string, unknown>>

function readPropertyName({ missingProperty, additionalProperty }: Params): string | undefined {
  const name = missingProperty ?? additionalProperty
  return name === undefined ? undefined : String(name).slice(0, 100)
}

/** By Ajv's keyword. The message follows the name of the field. */
const ERRORS: Readonly<Record<string, readonly [code: string, message: (params: Params) => string]>> = {
  required: ['required', () => 'is missing'],
  additionalProperties: ['unknown_field', () => 'is not a field of this request'],
  type: ['wrong_type', ({ type }) => `must be ${describeTypes(type)}`],
  enum: ['not_allowed', ({ allowedValues }) => `must be one of ${[allowedValues].flat().join(', ')}`],
  const: ['not_allowed', ({ allowedValue }) => `must be ${allowedValue}`],
  format: ['wrong_format', ({ format }) => `must be ${FORMATS[String(format)] ?? `a ${format}`}`],
  pattern: ['wrong_format', () => 'has the wrong format'],
  minLength: ['too_short', ({ limit }) => `must have at least ${count(limit, 'character')}`],
  maxLength: ['too_long', ({ limit }) => `may have at most ${count(limit, 'character')}`],
  minItems: ['too_few', ({ limit }) => `must have at least ${count(limit, 'entry', 'entries')}`],
  maxItems: ['too_many', ({ limit }) => `may have at most ${count(limit, 'entry', 'entries')}`],
  uniqueItems: ['duplicate', () => 'must not contain duplicates'],
  minimum: ['too_small', ({ limit }) => `must be at least ${limit}`],
  exclusiveMinimum: ['too_small', ({ limit }) => `must be more than ${limit}`],
  maximum: ['too_large', ({ limit }) => `may be at most ${limit}`],
  anyOf: ['invalid', () => 'does not match any allowed form'],
  oneOf: ['invalid', () => 'does not match any allowed form'],
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  date: 'a calendar date, YYYY-MM-DD',
  currency: 'an ISO 4217 code in capitals, such as EUR',
  ip: 'an IPv4 or IPv6 address',
  'date-time': 'an ISO 8601 date and time',
  email: 'an e-mail address such as name@example.com',
  uri: 'an absolute URL',
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** Ajv reports one type, a list, or several separated by commas. */
function describeTypes(types: unknown): string {
  const names = String(types).split(',')
  return names
    .filter((name) => name !== 'null')
    .map((name) => TYPES[name] ?? name)
    .join(' or ')
}

const count = (limit: unknown, one: string, many = `${one}s`) => `${limit} ${limit === 1 ? one : many}`

/** `/user/email` → `user.email`, `/occupancies/0/adults` → `occupancies[0].adults`. */
function formatPointer(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '')
}
