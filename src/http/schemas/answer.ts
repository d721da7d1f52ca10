import { type TSchema, Type } from 'typebox'
import { ListMeta as ListMetaFields } from '../../lists/meta.ts'

const JSON_MEDIA = 'application/json'

/** A `response` entry of a route: what a status means, and the body that comes with it. */
export const answer = <Schema extends TSchema>(description: string, schema: Schema) => ({
  description,
  content: { [JSON_MEDIA]: { schema } },
})

export const FieldErrorSchema = Type.Object(
  {
    field: Type.String({ description: 'Where: a path such as `occupancies[0].adults`, a parameter or a header.' }),
    code: Type.String({ description: 'Stable and machine-readable.' }),
    message: Type.String({ description: 'What is wrong and the way out.' }),
  },
  { title: 'FieldError' },
)

/** The envelope of an answer that is one thing. */
export const dataOf = <Schema extends TSchema>(title: string, data: Schema) => Type.Object({ data }, { title })

/** Paging information of a list answer. */
export const ListMeta = Type.Object(
  {
    ...ListMetaFields.properties,
    errors: Type.Array(FieldErrorSchema, {
      description: 'What is wrong with the parameters; empty when nothing is.',
    }),
  },
  { title: 'ListMeta', description: 'Paging information; what does not apply to the paging type is null.' },
)

/** The envelope of a list answer, right or wrong: with errors, `data` is empty. */
export const listOf = <Item extends TSchema>(title: string, item: Item) =>
  Type.Object({ data: Type.Array(item), meta: ListMeta }, { title })

/** Both answers of a list operation. */
export const listAnswers = <Schema extends TSchema>(description: string, list: Schema) => ({
  200: answer(description, list),
  422: answer('A list parameter is wrong: `meta.errors` says which and why, `data` is empty.', list),
})
