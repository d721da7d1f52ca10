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

/** What an answer may have no value for: it is always there, and null then. */
export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
