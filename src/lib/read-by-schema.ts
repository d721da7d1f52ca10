import { Ajv, type ErrorObject } from 'ajv'
import type { TSchema } from 'typebox'

/**
 * Ajv, which is loaded for requests anyway, and not TypeBox's own `Value`: that is 300 more modules and 10 MB. Our schemas
 * are checked by their types, not against the schema of schemas.
 */
const ajv = new Ajv({
  allErrors: true,
  coerceTypes: true,
  useDefaults: true,
  removeAdditional: 'all',
  strict: false,
  meta: false,
  validateSchema: false,
})

/**
 * Turns the texts in `values` into what the schema says, adds defaults, and removes what the schema does not name. Changes
 * `values`; returns what is wrong.
 */
export function readBySchema(schema: TSchema, values: object): readonly ErrorObject[] {
  const check = ajv.compile(schema)
  return check(values) ? [] : (check.errors ?? [])
}
