/** Items of an array that are described: others each time, so that rare members are seen sooner or later. */
const ITEMS_MAX = 10
const PATHS_MAX = 1_500
const DEPTH_MAX = 12
/** Names that are data: ids, dates, currencies. */
const DATA_NAME = /^\d|^[A-Z]{3}$|[^A-Za-z0-9_$@-]|^[0-9a-f-]{20,}$/
/** Maximum length of a match of `WORD`. */
const WORD_MAX = 25
const WORD = /^([A-Z][A-Z0-9_]{1,24}|[a-z][a-z_]{1,24})$/
/** Members of persons and free texts. Their words are not hashed. */
const PERSONAL =
  /name|holder|pax|guest|travell?er|passenger|contact|customer|e?mail|phone|remark|comment|note|token|key/i

/** Path of a response with the keys of its types and words, cached for later responses. */
type Path = {
  readonly text: string
  readonly isPersonal: boolean
  readonly types: Map<string, string>
  readonly words: Map<string, string>
  readonly members: Map<string, Path>
  items: Path | undefined
}

/** Size at which the cache is emptied. */
const PATHS_KEPT = 20_000
const WORDS_MAX = 50

let paths = 0
let root = createPath('')

function createPath(text: string): Path {
  paths += 1
  const isPersonal = PERSONAL.test(text)
  return { text, isPersonal, types: new Map(), words: new Map(), members: new Map(), items: undefined }
}

/**
 * Paths of a response with their types, such as `hotels[].code:number`, and hashes of single words, such as
 * `hotels[].status=1a2b`: they may be enumerations. `=*` marks a text that is not a word. Contains no values.
 */
export function describeShape(body: unknown, random: () => number = Math.random): string[] {
  if (paths > PATHS_KEPT) {
    paths = 0
    root = createPath('')
  }
  const found = new Set<string>()
  walk(body, root, 0, { found, random })
  return [...found]
}

type Walk = { readonly found: Set<string>; random(): number }

function walk(value: unknown, path: Path, depth: number, context: Walk): void {
  const { found, random } = context
  if (value === null || value === undefined || depth > DEPTH_MAX || found.size >= PATHS_MAX) return
  if (Array.isArray(value)) {
    found.add(typeKey(path, 'array'))
    path.items ??= createPath(`${path.text}[]`)
    const step = Math.max(1, value.length / ITEMS_MAX)
    for (let index = value.length > ITEMS_MAX ? random() * step : 0; index < value.length; index += step)
      walk(value[Math.floor(index)], path.items, depth + 1, context)
    return
  }
  found.add(typeKey(path, typeof value))
  if (typeof value === 'string' && !path.isPersonal) found.add(wordKey(path, value))
  if (typeof value !== 'object') return
  for (const [name, member] of Object.entries(value)) {
    if (found.size >= PATHS_MAX) return
    if (member !== null) walk(member, memberOf(path, name), depth + 1, context)
  }
}

function memberOf({ text, members }: Path, name: string): Path {
  const known = members.get(name)
  if (known !== undefined) return known
  const shown = DATA_NAME.test(name) ? '*' : name
  const member = members.get(shown) ?? createPath(`${text}.${shown}`)
  members.set(shown, member)
  return member
}

function typeKey({ text, types }: Path, type: string): string {
  const key = types.get(type) ?? `${text}:${type}`
  types.set(type, key)
  return key
}

function wordKey({ text, words }: Path, value: string): string {
  const word = value.length <= WORD_MAX && WORD.test(value) ? value : ''
  const key = words.get(word) ?? `${text}=${word === '' ? '*' : hash(word)}`
  if (words.size < WORDS_MAX) words.set(word, key)
  return key
}

/** FNV-1a. */
function hash(text: string): string {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return (sum >>> 0).toString(36)
}
