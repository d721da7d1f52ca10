import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { expect } from 'vitest'

const validators = new WeakMap<TSchema, Validator>()

/** Compiles a schema once: tests compare hundreds of answers with it. */
function validatorFor(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  return validator
}

/** Compares a whole answer with its published schema, and names the first differences. */
export function expectToMatch(schema: TSchema, answer: unknown): void {
  const validator = validatorFor(schema)
  const errors = validator.Check(answer) ? [] : validator.Errors(answer).slice(0, 5)
  expect(errors.map(({ instancePath, message }) => `${instancePath} ${message}`)).toEqual([])
}
