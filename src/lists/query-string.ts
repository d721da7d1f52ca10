export type QueryValue = string | QueryValue[] | QueryMap
export type QueryMap = { [key: string]: QueryValue }

export const QUERY_LENGTH_MAX = 1_048_576
export const QUERY_DEPTH_MAX = 8

export type ParsedQuery =
  | { readonly ok: true; readonly params: QueryMap }
  | { readonly ok: false; readonly code: 'malformed_query' | 'query_too_long'; readonly message: string }

/**
 * Nested query strings: `a=1&a=2` keeps the last, `a[]=1&a[]=2` is a list, `a[k]=1` a map.
 * Where one name is used in two ways (`a=1&a[k]=2`), the last use wins.
 * Maps have no prototype, so `__proto__` or `constructor` are names like any other.
 */
export function parseQueryString(raw: string): ParsedQuery {
  if (raw.length > QUERY_LENGTH_MAX) {
    return { ok: false, code: 'query_too_long', message: `The query string is longer than ${QUERY_LENGTH_MAX} bytes.` }
  }
  const params: QueryMap = Object.create(null)
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodePart(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : decodePart(pair.slice(equals + 1))
    if (name === undefined || value === undefined) {
      return malformed('The query string is not valid percent-encoded UTF-8; write a literal % as %25.')
    }
    const path = pathOf(name)
    if (path.length > QUERY_DEPTH_MAX) {
      return malformed(`A parameter name may be nested at most ${QUERY_DEPTH_MAX} levels deep.`)
    }
    assign(params, path, value)
  }
  return { ok: true, params }
}

const malformed = (message: string): ParsedQuery => ({ ok: false, code: 'malformed_query', message })

function decodePart(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced.isWellFormed() ? spaced : undefined
  try {
    const decoded = decodeURIComponent(spaced)
    return decoded.isWellFormed() ? decoded : undefined
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** `a[b][]` → a, b, ''. A name that does not end in a bracket is one piece, brackets and all. */
function pathOf(name: string): string[] {
  const open = name.indexOf('[')
  if (open <= 0 || !name.endsWith(']')) return [name]
  return [name.slice(0, open), ...name.slice(open + 1, -1).split('][')]
}

function assign(map: QueryMap, path: readonly string[], value: string): void {
  const [key = '', ...rest] = path
  const here = map[key]
  if (rest.length === 0) {
    map[key] = value
  } else if (rest[0] === '') {
    const list = Array.isArray(here) ? here : []
    map[key] = list
    append(list, rest.slice(1), value)
  } else {
    const inner = isMap(here) ? here : emptyMap()
    map[key] = inner
    assign(inner, rest, value)
  }
}

/** What follows `[]` cannot say which entry it belongs to: all of it goes into one. */
function append(list: QueryValue[], path: readonly string[], value: string): void {
  const last = list.at(-1)
  if (path.length === 0) {
    list.push(value)
  } else if (path[0] === '') {
    const inner = Array.isArray(last) ? last : []
    if (inner !== last) list.push(inner)
    append(inner, path.slice(1), value)
  } else {
    const inner = isMap(last) ? last : emptyMap()
    if (inner !== last) list.push(inner)
    assign(inner, path, value)
  }
}

const emptyMap = (): QueryMap => Object.create(null)

function isMap(value: QueryValue | undefined): value is QueryMap {
  return typeof value === 'object' && !Array.isArray(value)
}
