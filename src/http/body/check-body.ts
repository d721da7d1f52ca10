import type { Static, TSchema } from 'typebox'
import { invalidRequest } from '../../domain/errors.ts'
import { toFieldErrors } from './field-errors.ts'
import { compileSchema } from './validation.ts'

/** Validates input from a file, the command line or a tool against a schema of the API. */
export function checkBody<S extends TSchema>(schema: S, body: unknown): Static<S> {
  const check = compileSchema({ schema })
  if (check(body)) return body as Static<S>
  throw invalidRequest(toFieldErrors(check.errors ?? [], 'the file'))
}
