import { Type } from 'typebox'

/** A query parameter that is true or false; in a query both are texts. */
export const flag = (name: string, description: string) =>
  Type.Optional(
    Type.Enum(['true', 'false'], {
      description,
      'x-errors': { '*': { code: 'not_allowed', message: `${name} must be true or false.` } },
    }),
  )
