import { Type } from 'typebox'

/** Boolean query parameter; queries contain strings only. */
export const booleanParameter = (name: string, description: string) =>
  Type.Optional(
    Type.Enum(['true', 'false'], {
      description,
      'x-errors': { '*': { code: 'not_allowed', message: `${name} must be true or false.` } },
    }),
  )
