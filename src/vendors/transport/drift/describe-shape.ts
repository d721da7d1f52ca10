/** Items of an array that are described: others each time, so that rare members are seen sooner or later. */
const ITEMS_MAX = 10
const PATHS_MAX = 1_500
const DEPTH_MAX = 12
/** Names that are data: ids, dates, currencies. */
const DATA_NAME = /^\d|^[A-Z]{3}$|[^A-Za-z0-9_$@-]|^[0-9a-f-]{20,}$/
const WORD = /^([A-Z][A-Z0-9_]{1,24}|[a-z][a-z_]{1,24})$/
/** Members of persons and free texts. Their words are not hashed. */
const PERSONAL =
  /name|holder|pax|guest|travell?er|passenger|contact|customer|e?mail|phone|remark|comment|note|token|key/i

/**
 * Paths of a response with their types, such as `hotels[].code:number`, and hashes of single words, such as
 * `hotels[].status=1a2b`: they may be enumerations. `=*` marks a text that is not a word. Contains no values.
 */
export function describeShape(body: unknown, random: () => number = Math.random): string[] {
  const found = new Set<string>()
  walk(body, '', 0, { found, random })
  return [...found]
}

type Walk = { readonly found: Set<string>; random(): number }

function walk(value: unknown, path: string, depth: number, context: Walk): void {
  const { found, random } = context
  if (value === null || value === undefined || depth > DEPTH_MAX || found.size >= PATHS_MAX) return
  if (Array.isArray(value)) {
    found.add(`${path}:array`)
    const step = Math.max(1, value.length / ITEMS_MAX)
    for (let index = value.length > ITEMS_MAX ? random() * step : 0; index < value.length; index += step)
      walk(value[Math.floor(index)], `${path}[]`, depth + 1, context)
    return
  }
  found.add(`${path}:${typeof value}`)
  if (typeof value === 'string' && !PERSONAL.test(path)) found.add(`${path}=${WORD.test(value) ? hash(value) : '*'}`)
  if (typeof value !== 'object') return
  for (const [name, member] of Object.entries(value))
    walk(member, `${path}.${DATA_NAME.test(name) ? '*' : name}`, depth + 1, context)
}

/** FNV-1a. */
function hash(text: string): string {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return (sum >>> 0).toString(36)
}
