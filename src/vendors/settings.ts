import { inspect } from 'node:util'
import type { Static, TObject, TSchema } from 'typebox'
import type { VendorId } from '../domain/offer.ts'
import { readBySchema } from '../lib/read-by-schema.ts'
import { nearestWord } from '../lib/text/nearest-word.ts'
import { asRecord } from './wire/read.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Environment variable of one vendor setting, such as `SERAI_HOTELBEDS_API_KEY`. */
export type Variable = {
  readonly name: string
  /** JSON pointer into the vendor's config. */
  readonly pointer: string
  readonly required: boolean
  readonly secret: boolean
  readonly defaultValue: unknown
  readonly schema: TSchema
}

/**
 * Settings of a vendor are missing or invalid. The message contains names of variables but never values, which may be
 * secrets.
 */
export class VendorSettingsError extends Error {
  override readonly name = 'VendorSettingsError'
}

export const variablePrefix = (vendor: VendorId): string => `SERAI_${vendor.toUpperCase()}_`

/** JSON Schema keywords used in configs. */
type Shape = {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly { readonly const?: unknown }[]
  readonly items?: TSchema
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
}
const asShape = (schema: TSchema): Shape => schema

/** Lists every variable of a config schema; nested objects are flattened. */
export function listVariables(vendor: VendorId, schema: TSchema, pointer = '', isRequired = true): Variable[] {
  const { properties = {}, required = [] } = asShape(schema)
  return Object.entries(properties).flatMap(([key, inner]): Variable[] => {
    const path = `${pointer}/${key}`
    const { properties: nested, default: initial } = asShape(inner)
    const isNeeded = isRequired && required.includes(key) && initial === undefined
    if (nested !== undefined) return listVariables(vendor, inner, path, isNeeded)
    const name = variablePrefix(vendor) + upperSnake(path.slice(1))
    return [{ name, pointer: path, required: isNeeded, secret: SECRET.test(key), defaultValue: initial, schema: inner }]
  })
}

const SECRET = /(key|secret|passphrase|password|token)$/i
const upperSnake = (path: string) =>
  path
    .replaceAll('/', '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()

/** A single variable with the vendor's prefix is enough, so that a partial configuration is an error. */
export const isConfigured = (vendor: VendorId, env: Environment): boolean =>
  Object.entries(env).some(([name, value]) => name.startsWith(variablePrefix(vendor)) && isSet(value))

const isSet = (value: string | undefined): value is string => value !== undefined && value.trim() !== ''

/** Reads the vendor's config from the environment. `inspect` and `JSON.stringify` mask its secrets. */
export function readVendorSettings<S extends TObject>(vendor: VendorId, schema: S, env: Environment): Static<S> {
  const variables = listVariables(vendor, schema)
  const given = variables.filter(({ name }) => isSet(env[name]))
  const settings = collect(given, env)
  const errors = readBySchema(schema, settings)
  const errorPaths = errors.map(({ instancePath }) => instancePath)
  const problems = [
    ...findUnknown(vendor, variables, env),
    ...findMissing(variables, given),
    ...findInvalid(errorPaths, given),
  ]
  if (problems.length > 0) throw new VendorSettingsError(problems.join('\n'))
  return withRedaction(settings as Static<S> & object, variables)
}

function collect(given: readonly Variable[], env: Environment): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const { name, pointer, schema } of given) {
    const text = env[name]?.trim() ?? ''
    const isList = asShape(schema).items !== undefined
    setAt(settings, pointer, isList ? text.split(',').map((item) => item.trim()) : text)
  }
  return settings
}

export const valueAt = (settings: object, pointer: string): unknown =>
  splitPointer(pointer).reduce<unknown>((at, key) => asRecord(at)?.[key], settings)

function setAt(settings: Record<string, unknown>, pointer: string, value: unknown): void {
  const [first = '', second] = splitPointer(pointer)
  settings[first] = second === undefined ? value : { ...asRecord(settings[first]), [second]: value }
}

const splitPointer = (pointer: string) => pointer.slice(1).split('/')

function findUnknown(vendor: VendorId, variables: readonly Variable[], env: Environment): string[] {
  const known = new Map(variables.map(({ name }) => [name.toLowerCase(), name]))
  return Object.entries(env)
    .filter(
      ([name, value]) => name.startsWith(variablePrefix(vendor)) && isSet(value) && !known.has(name.toLowerCase()),
    )
    .map(([name]) => {
      const near = known.get(nearestWord(name, [...known.keys()]) ?? '')
      return `${name} is not a setting of ${vendor}${near === undefined ? '.' : `; did you mean ${near}?`}`
    })
}

function findMissing(variables: readonly Variable[], given: readonly Variable[]): string[] {
  const absent = variables.filter((variable) => variable.required && !given.includes(variable))
  if (absent.length === 0) return []
  const names = absent.map(({ name }) => name).join(', ')
  const contrast = given[0] === undefined ? '' : `, though ${given[0].name} is`
  return [`${names} ${absent.length === 1 ? 'is' : 'are'} not set${contrast}. Set all of them, or none.`]
}

function findInvalid(errorPaths: readonly string[], given: readonly Variable[]): string[] {
  return given
    .filter(({ pointer }) => errorPaths.some((errorPath) => `${errorPath}/`.startsWith(`${pointer}/`)))
    .map((variable) => `${variable.name} must be ${describeValue(variable.schema)}.`)
}

function describeValue(schema: TSchema): string {
  const { enum: options, anyOf, items, type, minimum, maximum, pattern } = asShape(schema)
  const choices = options ?? anyOf?.map((choice) => choice.const)
  if (choices !== undefined) return `one of ${choices.join(', ')}`
  if (items !== undefined) return `a list, separated by commas, each ${describeValue(items)}`
  if (type === 'boolean') return 'true or false'
  if (type === 'integer') return `an integer from ${minimum ?? 0} to ${maximum ?? 'any'}`
  return pattern === undefined ? 'a text of a different length' : `of the form ${pattern}`
}

/** Adds properties that are not enumerable, so that the config can still be compared and spread as a plain object. */
function withRedaction<T extends object>(settings: T, variables: readonly Variable[]): T {
  const shown: Record<string, unknown> = { ...structuredClone<object>(settings) }
  for (const { pointer, secret } of variables) {
    if (secret && valueAt(shown, pointer) !== undefined) setAt(shown, pointer, '***')
  }
  return Object.defineProperties(settings, {
    toJSON: { value: () => shown },
    [inspect.custom]: { value: () => shown },
  })
}
