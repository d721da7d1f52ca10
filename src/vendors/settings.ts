import { inspect } from 'node:util'
import type { Static, TObject, TSchema } from 'typebox'
import type { VendorId } from '../domain/offer.ts'
import { readBySchema } from '../lib/read-by-schema.ts'
import { nearestWord } from '../lib/text/nearest-word.ts'
import { recordOf } from './wire/read.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** One setting of a vendor under the name an operator gives it: `SERAI_HOTELBEDS_API_KEY`. */
export type Variable = {
  readonly name: string
  /** Its place in the vendor's config, as a JSON pointer. */
  readonly pointer: string
  readonly required: boolean
  readonly secret: boolean
  /** The default; undefined where there is none. */
  readonly initial: unknown
  readonly schema: TSchema
}

/** Settings of a vendor are missing or wrong. Names the variables, never their values: some of them are secrets. */
export class VendorSettingsError extends Error {
  override readonly name = 'VendorSettingsError'
}

export const prefixOf = (vendor: VendorId): string => `SERAI_${vendor.toUpperCase()}_`

/** The keywords of JSON Schema that are used in a config. */
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
const shapeOf = (schema: TSchema): Shape => schema

/** Every variable of a config schema, nested objects flattened. The schema alone decides the names. */
export function variablesOf(vendor: VendorId, schema: TSchema, pointer = '', must = true): Variable[] {
  const { properties = {}, required = [] } = shapeOf(schema)
  return Object.entries(properties).flatMap(([key, inner]): Variable[] => {
    const at = `${pointer}/${key}`
    const { properties: nested, default: initial } = shapeOf(inner)
    const needed = must && required.includes(key) && initial === undefined
    if (nested !== undefined) return variablesOf(vendor, inner, at, needed)
    const name = prefixOf(vendor) + upperSnake(at.slice(1))
    return [{ name, pointer: at, required: needed, secret: SECRET.test(key), initial, schema: inner }]
  })
}

const SECRET = /(key|secret|passphrase|password|token)$/i
const upperSnake = (path: string) =>
  path
    .replaceAll('/', '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()

/** Any variable under the vendor's prefix counts: a half-configured vendor is an error, not ignored. */
export const isConfigured = (vendor: VendorId, env: Environment): boolean =>
  Object.entries(env).some(([name, value]) => name.startsWith(prefixOf(vendor)) && isSet(value))

const isSet = (value: string | undefined): value is string => value !== undefined && value.trim() !== ''

/** The vendor's config from the environment. `inspect` and JSON show its secrets as stars. */
export function readSettings<S extends TObject>(vendor: VendorId, schema: S, env: Environment): Static<S> {
  const variables = variablesOf(vendor, schema)
  const given = variables.filter(({ name }) => isSet(env[name]))
  const settings = collect(given, env)
  const errors = readBySchema(schema, settings)
  const at = errors.map(({ instancePath }) => instancePath)
  const problems = [...strays(vendor, variables, env), ...missing(variables, given), ...wrong(at, given)]
  if (problems.length > 0) throw new VendorSettingsError(problems.join('\n'))
  return redacted(settings as Static<S> & object, variables)
}

function collect(given: readonly Variable[], env: Environment): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const { name, pointer, schema } of given) {
    const text = env[name]?.trim() ?? ''
    const isList = shapeOf(schema).items !== undefined
    setAt(settings, pointer, isList ? text.split(',').map((item) => item.trim()) : text)
  }
  return settings
}

export const valueAt = (settings: object, pointer: string): unknown =>
  keysOf(pointer).reduce<unknown>((at, key) => recordOf(at)?.[key], settings)

function setAt(settings: Record<string, unknown>, pointer: string, value: unknown): void {
  const [first = '', second] = keysOf(pointer)
  // Configs are nested one level deep at most.
  settings[first] = second === undefined ? value : { ...recordOf(settings[first]), [second]: value }
}

const keysOf = (pointer: string) => pointer.slice(1).split('/')

function strays(vendor: VendorId, variables: readonly Variable[], env: Environment): string[] {
  const known = new Map(variables.map(({ name }) => [name.toLowerCase(), name]))
  return Object.entries(env)
    .filter(([name, value]) => name.startsWith(prefixOf(vendor)) && isSet(value) && !known.has(name.toLowerCase()))
    .map(([name]) => {
      const near = known.get(nearestWord(name, [...known.keys()]) ?? '')
      return `${name} is no setting of ${vendor}${near === undefined ? '.' : `; did you mean ${near}?`}`
    })
}

function missing(variables: readonly Variable[], given: readonly Variable[]): string[] {
  const absent = variables.filter((variable) => variable.required && !given.includes(variable))
  if (absent.length === 0) return []
  const names = absent.map(({ name }) => name).join(', ')
  const because = given[0] === undefined ? '' : `, though ${given[0].name} is`
  return [`${names} ${absent.length === 1 ? 'is' : 'are'} not set${because}. Set all of them, or none.`]
}

/** `at`: the places of the errors. */
function wrong(at: readonly string[], given: readonly Variable[]): string[] {
  return given
    .filter(({ pointer }) => at.some((path) => `${path}/`.startsWith(`${pointer}/`)))
    .map((variable) => `${variable.name} must be ${wordsFor(variable.schema)}.`)
}

/** Describes a valid value, for an error message. */
function wordsFor(schema: TSchema): string {
  const { enum: options, anyOf, items, type, minimum, maximum, pattern } = shapeOf(schema)
  const choices = options ?? anyOf?.map((one) => one.const)
  if (choices !== undefined) return `one of ${choices.join(', ')}`
  if (items !== undefined) return `a list, separated by commas, each ${wordsFor(items)}`
  if (type === 'boolean') return 'true or false'
  if (type === 'integer') return `a whole number from ${minimum ?? 0} to ${maximum ?? 'any'}`
  return pattern === undefined ? 'a text of another length' : `of the form ${pattern}`
}

/** The two properties are not enumerable, so the config can still be compared and spread as a plain object. */
function redacted<T extends object>(settings: T, variables: readonly Variable[]): T {
  const shown: Record<string, unknown> = { ...structuredClone<object>(settings) }
  for (const { pointer, secret } of variables) {
    if (secret && valueAt(shown, pointer) !== undefined) setAt(shown, pointer, '***')
  }
  return Object.defineProperties(settings, {
    toJSON: { value: () => shown },
    [inspect.custom]: { value: () => shown },
  })
}
