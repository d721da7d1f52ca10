import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { expect } from 'vitest'

/** Holds a whole answer against the schema the service publishes for it, and names the first places that differ. */
export function expectToMatch(schema: TSchema, answer: unknown): void {
  const errors = Value.Errors(schema, answer).slice(0, 5)
  expect(errors.map(({ instancePath, message }) => `${instancePath} ${message}`)).toEqual([])
}
