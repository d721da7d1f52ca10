import { type Static, type TSchema, Type } from 'typebox'

/** What may be left out of a request may also be null; it means the same. */
export const orNull = <S extends TSchema & { readonly type: string }>(schema: S, description?: string) =>
  Type.Optional(
    Type.Unsafe<Static<S> | null>({
      ...schema,
      type: [schema.type, 'null'],
      ...(description === undefined ? {} : { description }),
    }),
  )
