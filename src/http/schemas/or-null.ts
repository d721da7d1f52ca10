import { type Static, type TSchema, Type } from 'typebox'

/** Optional field of a request; null means the same as absent. */
export const optionalOrNull = <S extends TSchema & { readonly type: string }>(schema: S, description?: string) =>
  Type.Optional(
    Type.Unsafe<Static<S> | null>({
      ...schema,
      type: [schema.type, 'null'],
      ...(description === undefined ? {} : { description }),
    }),
  )

/** Field of a response that is always present. */
export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
