import type { TSchema } from 'typebox'

/** Levels of nested objects that are described; a model reads the rest from the answer itself. */
const DEPTH = 2

type Schema = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}
type Outline = { type?: string | string[]; [keyword: string]: unknown }

/** Keeps names and types of an output schema. The full one would fill three quarters of the tool list. */
export const outlineOutput = (schema: TSchema) => ({
  ...outline(schema as Schema, DEPTH),
  type: 'object' as const,
  required: (schema as Schema).required,
})

function outline(schema: Schema, depth: number): Outline {
  const { type, enum: values, anyOf, properties, items } = schema
  if (anyOf !== undefined) return outlineChoice(anyOf, depth)
  if (values !== undefined) return depth === DEPTH - 1 ? { enum: values } : { type: typeof values[0] }
  if (type === undefined) return {}
  if (depth > 0 && properties !== undefined) {
    const entries = Object.entries(properties).map(([name, property]) => [name, outline(property, depth - 1)])
    return { type, properties: Object.fromEntries(entries) }
  }
  return depth > 0 && items !== undefined ? { type, items: outline(items, depth) } : { type }
}

/** Describes a choice if it is one schema or null, or only of types. */
function outlineChoice(choices: readonly Schema[], depth: number): Outline {
  const outlines = choices.map((choice) => outline(choice, depth))
  const types = [...new Set(outlines.flatMap(({ type }) => type ?? []))]
  if (outlines.some(({ type }) => type === undefined)) return {}
  const [only, ...others] = outlines.filter(({ type }) => type !== 'null')
  return others.length === 0 ? { ...only, type: types } : { type: types }
}
