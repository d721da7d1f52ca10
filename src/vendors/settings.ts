import { inspect } from 'node:util'
import type { Static, TObject, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { VendorId } from '../domain/offer.ts'
import { nearestWord } from '../lib/nearest-word.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** One setting of a vendor under the name an operator gives it: `SERAI_HOTELBEDS_API_KEY`. */
export type Variable = {
  readonly name: string
  /** Where it stands in the vendor's own config. */
  readonly path: readonly string[]
  readonly required: boolean
  readonly secret: boolean
  /** What holds when it is not set; undefined where nothing does. */
  readonly initial: unknown
  readonly schema: TSchema
}

/** Settings of a vendor are missing or wrong. Names the variables, never their values: some of them are secrets. */
export class VendorSettingsError extends Error {
  override readonly name = 'VendorSettingsError'
}

export const prefixOf = (vendor: VendorId): string => `SERAI_${vendor.toUpperCase()}_`

/** Every variable of a config schema, nested objects flattened. The names follow from the schema and from nothing else. */
export function variablesOf(vendor: VendorId, schema: TSchema, path: readonly string[] = [], must = true): Variable[] {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).flatMap(([key, inner]): Variable[] => {
    const at = [...path, key]
    const initial = (inner as { default?: unknown }).default
    const needed = must && required.includes(key) && initial === undefined
    if ('properties' in inner) return variablesOf(vendor, inner, at, needed)
    const name = prefixOf(vendor) + at.map(upperSnake).join('_')
    return [{ name, path: at, required: needed, secret: SECRET.test(key), initial, schema: inner }]
  })
}

const SECRET = /(key|secret|passphrase|password|token)$/i
const upperSnake = (key: string) => key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()

/** Anything under the vendor's prefix counts: a half-configured vendor should be told of, not passed over. */
export const isConfigured = (vendor: VendorId, env: Environment): boolean =>
  Object.entries(env).some(([name, value]) => name.startsWith(prefixOf(vendor)) && isSet(value))

const isSet = (value: string | undefined): value is string => value !== undefined && value.trim() !== ''

/** The vendor's config out of the environment. Shown by `inspect` or as JSON, its secrets are stars. */
export function readSettings<S extends TObject>(vendor: VendorId, schema: S, env: Environment): Static<S> {
  const variables = variablesOf(vendor, schema)
  const given = variables.filter(({ name }) => isSet(env[name]))
  const settings = Value.Default(schema, collect(given, env))
  const problems = [...strays(vendor, variables, env), ...missing(variables, given), ...wrong(schema, settings, given)]
  if (problems.length > 0) throw new VendorSettingsError(problems.join('\n'))
  return redacted(settings as Static<S> & object, variables)
}

function collect(given: readonly Variable[], env: Environment): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const { name, path, schema } of given) {
    const text = env[name]?.trim() ?? ''
    put(settings, path, 'items' in schema ? text.split(',').map((item) => item.trim()) : Value.Convert(schema, text))
  }
  return settings
}

function put(settings: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    settings[key] = value
    return
  }
  settings[key] ??= {}
  put(settings[key] as Record<string, unknown>, rest, value)
}

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

function wrong(schema: TObject, settings: unknown, given: readonly Variable[]): string[] {
  const at = new Set([...Value.Errors(schema, settings)].map(({ instancePath }) => instancePath))
  return given
    .filter(({ path }) => [...at].some((pointer) => `${pointer}/`.startsWith(`/${path.join('/')}/`)))
    .map(({ name, schema: wanted }) => `${name} must be ${wordsFor(wanted)}.`)
}

/** What a value must look like, for a person. */
function wordsFor(schema: TSchema): string {
  const { enum: options, anyOf, items, type, minimum, maximum, pattern, minLength, maxLength } = schema as Shape
  const choices = options ?? anyOf?.map((one) => one.const)
  if (choices !== undefined) return `one of ${choices.join(', ')}`
  if (items !== undefined) return `a list, separated by commas, each ${wordsFor(items)}`
  if (type === 'integer') return `a whole number from ${minimum ?? 0} to ${maximum ?? 'any'}`
  if (pattern !== undefined) return `of the form ${pattern}`
  return `a text of ${minLength ?? 0} to ${maxLength ?? 'any number of'} characters`
}

type Shape = {
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly { readonly const?: unknown }[]
  readonly items?: TSchema
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
}

/** Not enumerable, so that the config is still compared, spread and checked as the plain object it is. */
function redacted<T extends object>(settings: T, variables: readonly Variable[]): T {
  const shown = structuredClone(settings) as Record<string, unknown>
  for (const { path, secret } of variables) {
    if (secret && valueAt(settings, path) !== undefined) put(shown, path, '***')
  }
  return Object.defineProperties(settings, {
    toJSON: { value: () => shown },
    [inspect.custom]: { value: () => shown },
  })
}

export function valueAt(settings: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], settings)
}
