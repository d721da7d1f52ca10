import { type TProperties, Type } from 'typebox'
import { EFFECTS } from '../../domain/error-table.ts'
import { ERROR_CODES } from '../../domain/errors.ts'
import { FieldErrorSchema } from './answer.ts'

const ErrorCodeSchema = Type.Enum([...ERROR_CODES], { title: 'ErrorCode', description: 'See /docs/errors.' })

const EffectSchema = Type.Enum([...EFFECTS], {
  title: 'Effect',
  description:
    '`none`: nothing was done; the request may be repeated. `unknown`: something may have been done; repeat the request only with the same idempotency key, or read the state first.',
})

export const PROBLEM_ID = 'Problem'

/** `members` come from the features. */
export const problemSchema = (members: TProperties) =>
  Type.Object(
    {
      type: Type.String({ format: 'uri-reference' }),
      title: Type.String(),
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      detail: Type.String(),
      instance: Type.String({ description: 'Request id, as in `x-request-id`.' }),
      code: ErrorCodeSchema,
      effect: EffectSchema,
      errors: Type.Optional(
        Type.Array(FieldErrorSchema, { description: 'With `invalid_request`: all invalid fields.' }),
      ),
      ...members,
    },
    { $id: PROBLEM_ID, description: 'RFC 9457 problem details.', additionalProperties: true },
  )
