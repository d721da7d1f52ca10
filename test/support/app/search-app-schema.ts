import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { expect } from 'vitest'

const validators = new WeakMap<TSchema, Validator>()

/** Compiled once, because tests validate hundreds of answers. */
function validatorFor(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  return validator
}

/** Validates an answer against its published schema and reports the first errors. */
export function expectToMatch(schema: TSchema, answer: unknown): void {
  const validator = validatorFor(schema)
  const errors = validator.Check(answer) ? [] : validator.Errors(answer).slice(0, 5)
  expect(errors.map(({ instancePath, message }) => `${instancePath} ${message}`)).toEqual([])
}
