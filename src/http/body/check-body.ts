import type { Static, TSchema } from 'typebox'
import { invalidRequest } from '../../domain/errors.ts'
import { fieldErrorsOf } from './field-errors.ts'
import { compileSchema } from './validation.ts'

/** Checks input from a file, the command line or a tool with the schema of the API. Throws with every wrong field. */
export function checkBody<S extends TSchema>(schema: S, body: unknown): Static<S> {
  const check = compileSchema({ schema })
  if (check(body)) return body as Static<S>
  throw invalidRequest(fieldErrorsOf(check.errors ?? [], 'the file'))
}
