import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { invalidRequest } from '../domain/app-error.ts'

const ERRORS_SHOWN = 20

/** What a file or the arguments say, held against the schema that the API has for the same. Throws with every wrong field. */
export function checkBody<S extends TSchema>(schema: S, body: unknown): Static<S> {
  if (Value.Check(schema, body)) return body
  throw invalidRequest(
    Value.Errors(schema, body)
      .slice(0, ERRORS_SHOWN)
      .map(({ instancePath, message, params }) => {
        const field = instancePath.slice(1).replaceAll('/', '.') || 'the file'
        return { field, code: 'invalid', message: `${field} ${message}${namesIn(params)}.` }
      }),
  )
}

/** The fields that are missing or unknown, where the message does not name them. */
function namesIn(params: object): string {
  const names = Object.values(params).filter((value) => Array.isArray(value))
  return names.length === 0 ? '' : ` (${names.flat().join(', ')})`
}
