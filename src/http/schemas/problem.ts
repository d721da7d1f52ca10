import { type TProperties, Type } from 'typebox'
import { ERROR_CODES } from '../../domain/errors.ts'
import { FieldErrorSchema } from './answer.ts'

const ErrorCodeSchema = Type.Enum([...ERROR_CODES], { title: 'ErrorCode', description: 'See /docs/errors.' })

/** Name of the schema, for references to it. */
export const PROBLEM_ID = 'Problem'

/** `members` come from the features; the description of each names the codes that carry it. */
export const problemSchema = (members: TProperties) =>
  Type.Object(
    {
      type: Type.String({ format: 'uri-reference' }),
      title: Type.String(),
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      detail: Type.String(),
      instance: Type.String({ description: 'The request id, as in `x-request-id`.' }),
      code: ErrorCodeSchema,
      errors: Type.Optional(
        Type.Array(FieldErrorSchema, { description: 'With `invalid_request`: every field that is wrong.' }),
      ),
      ...members,
    },
    { $id: PROBLEM_ID, description: 'RFC 9457 problem details.', additionalProperties: true },
  )
