import { Ajv, type ErrorObject } from 'ajv'
import type { TSchema } from 'typebox'

/** TypeBox's own `Value` would load 300 more modules and 10 MB; Ajv is loaded for requests anyway. */
const ajv = new Ajv({
  allErrors: true,
  coerceTypes: true,
  useDefaults: true,
  removeAdditional: 'all',
  strict: false,
  meta: false,
  validateSchema: false,
})

/** Coerces `values` in place to the schema, adds defaults and removes unknown properties. Returns the errors. */
export function readBySchema(schema: TSchema, values: object): readonly ErrorObject[] {
  const check = ajv.compile(schema)
  return check(values) ? [] : (check.errors ?? [])
}
