import { type Static, type TSchema, Type } from 'typebox'

const integerOrNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })
const stringOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const ListFieldError = Type.Object({
  field: Type.String({ description: 'The parameter, e.g. `limit` or `filters[1][value]`.' }),
  code: Type.String({ description: 'Stable and machine-readable.' }),
  message: Type.String({ description: 'What is wrong, what is allowed, and the way out.' }),
})
export type ListFieldError = Static<typeof ListFieldError>

/** Paging information of a list answer. */
export const ListMeta = Type.Object({
  current_offset: integerOrNull('Offset used, or derived from the page; null when paging by cursor.'),
  current_page: integerOrNull('Page used, or derived from the offset (rounded up between pages); null by cursor.'),
  previous_offset: integerOrNull('Offset of the previous page, null when there is none.'),
  next_offset: integerOrNull('Offset of the next page, null when there is none.'),
  previous_page: integerOrNull('Number of the previous page, null when there is none.'),
  next_page: integerOrNull('Number of the next page, null when there is none.'),
  start_cursor: stringOrNull('Cursor of the first record; only when paging by cursor.'),
  end_cursor: stringOrNull('Cursor of the last record; only when paging by cursor.'),
  'has_previous_page?': Type.Boolean({ description: 'By cursor: always true when `first` and `after` are used.' }),
  'has_next_page?': Type.Boolean({ description: 'By cursor: always true when `last` and `before` are used.' }),
  page_size: integerOrNull('Size asked for (`limit`, `page_size`, `first` or `last`), or the default.'),
  params: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The parameters as they were sent; only when there are errors.',
  }),
  errors: Type.Array(ListFieldError, { description: 'What is wrong with the parameters; empty when nothing is.' }),
  total_count: integerOrNull('Records that match, on all pages; null when paging by cursor.'),
  total_pages: integerOrNull('Pages in all; null when paging by cursor.'),
})
export type ListMeta = Static<typeof ListMeta>

/** The envelope of a list answer, right or wrong: with errors, `data` is empty. */
export function listEnvelope<Item extends TSchema>(item: Item) {
  return Type.Object({ data: Type.Array(item), meta: ListMeta })
}
