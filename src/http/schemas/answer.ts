import { type TSchema, Type } from 'typebox'
import { ListMeta as ListMetaFields } from '../../lists/meta.ts'

const JSON_MEDIA = 'application/json'

/** `response` entry of a route. */
export const jsonResponse = <Schema extends TSchema>(description: string, schema: Schema) => ({
  description,
  content: { [JSON_MEDIA]: { schema } },
})

export const FieldErrorSchema = Type.Object(
  {
    field: Type.String({ description: 'Path such as `occupancies[0].adults`, or the name of a parameter or header.' }),
    code: Type.String({ description: 'Stable and machine-readable.' }),
    message: Type.String({ description: 'Explains the error and how to correct it.' }),
  },
  { title: 'FieldError' },
)

export const dataEnvelope = <Schema extends TSchema>(title: string, data: Schema) => Type.Object({ data }, { title })

export const ListMetaSchema = Type.Object(
  {
    ...ListMetaFields.properties,
    errors: Type.Array(FieldErrorSchema, {
      description: 'Errors in the parameters; empty if there are none.',
    }),
  },
  { title: 'ListMeta', description: 'Paging information; fields that do not apply to the paging type are null.' },
)

/** If there are errors, `data` is empty. */
export const listEnvelope = <Item extends TSchema>(title: string, item: Item) =>
  Type.Object({ data: Type.Array(item), meta: ListMetaSchema }, { title })

export const listResponses = <Schema extends TSchema>(description: string, list: Schema) => ({
  200: jsonResponse(description, list),
  422: jsonResponse('A list parameter is not valid: see `meta.errors`. `data` is empty.', list),
})
