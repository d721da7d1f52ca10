export type Json = Readonly<Record<string, unknown>>

const REF = '#/components/schemas/'

/**
 * Replaces every schema with a title by a reference to a component, so that generated clients have one type for each. Throws if
 * two different schemas have the same title.
 */
export function nameSchemas(paths: Json, schemas: Json): { paths: Json; schemas: Json } {
  const named = new Map<string, Json>()

  const visit = (schema: Json): Json => {
    const { title, ...body } = visitInside(withoutOwnKeywords(schema), visit)
    if (title === undefined) return body
    const types = [body.type].flat()
    const isNullable = types.includes('null')
    const component = isNullable ? { ...body, type: types.find((type) => type !== 'null') } : body
    keep(named, String(title), component)
    const ref = { $ref: `${REF}${title}` }
    return isNullable ? { anyOf: [ref, { type: 'null' }] } : ref
  }

  const own = Object.entries(schemas).map(([name, schema]) => [name, visit(withoutTitle(schema))] as const)
  const renamed: Json = Object(visitSchemas(paths, visit))
  const all = [...own, ...named].sort(([a], [b]) => (a < b ? -1 : 1))
  return { paths: renamed, schemas: Object.fromEntries(all) }
}

function keep(named: Map<string, Json>, title: string, component: Json): void {
  const known = named.get(title)
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component))
    throw new Error(`two different schemas are called ${title}`)
  named.set(title, component)
}

const withoutTitle = (schema: unknown): Json => {
  const { title: _title, ...rest } = Object(schema)
  return rest
}

/** Replaces our own keywords and formats by standard ones. */
function withoutOwnKeywords({ 'x-errors': _errors, $id: _id, ...schema }: Json): Json {
  const { format, ...rest } = schema
  // OpenAPI has no format for both kinds of IP address, and generators of clients fail on a choice of two.
  if (format === 'currency' || format === 'ip') return rest
  if (format === 'country-code') return { ...rest, pattern: '^[A-Z]{2}$' }
  return schema
}

const SCHEMA_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const SCHEMA_MEMBERS = ['items', 'additionalProperties', 'not', 'contentSchema']
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces every schema inside a schema. */
function visitInside(schema: Json, visit: (schema: Json) => Json): Json {
  const entries = Object.entries(withPlainRecords(schema)).map(([keyword, value]) => {
    if (keyword === 'properties') return [keyword, mapValues(value, visit)]
    if (SCHEMA_LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(visit)]
    if (SCHEMA_MEMBERS.includes(keyword) && isObject(value)) return [keyword, visit(value)]
    return [keyword, value]
  })
  return Object.fromEntries(entries)
}

/** Client generators support `additionalProperties`, but not `patternProperties`. */
function withPlainRecords({ patternProperties, ...schema }: Json): Json {
  if (patternProperties === undefined) return schema
  return { ...schema, additionalProperties: Object.values(Object(patternProperties))[0] }
}

const mapValues = (members: unknown, map: (schema: Json) => Json) =>
  Object.fromEntries(Object.entries(Object(members)).map(([name, value]) => [name, map(Object(value))]))

/** Replaces the schemas of the paths, which are under the key `schema`. */
function visitSchemas(value: unknown, visit: (schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((entry) => visitSchemas(entry, visit))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    if (key === 'example' || key === 'examples') return [key, inner]
    return [key, key === 'schema' && isObject(inner) ? visit(inner) : visitSchemas(inner, visit)]
  })
  return Object.fromEntries(entries)
}
