type QueryValue = string | QueryValue[] | QueryMap
type QueryMap = { [key: string]: QueryValue }

export const QUERY_LENGTH_MAX = 1_048_576
const QUERY_DEPTH_MAX = 8

type ParsedQuery =
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
  const params = emptyMap()
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
    const [first = '', ...rest] = path
    params[first] = put(params[first], rest, value)
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

/** Puts the value where the path says, into what is there already if that is of the same kind; returns what is there now. */
function put(here: QueryValue | undefined, path: readonly string[], value: string): QueryValue {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (key !== '') {
    const map = isMap(here) ? here : emptyMap()
    map[key] = put(map[key], rest, value)
    return map
  }
  const list = Array.isArray(here) ? here : []
  const last = list.at(-1)
  // What follows `[]` cannot say which entry it belongs to: all of it goes into one.
  const goesIntoLast = rest.length > 0 && (rest[0] === '' ? Array.isArray(last) : isMap(last))
  if (goesIntoLast) put(last, rest, value)
  else list.push(put(undefined, rest, value))
  return list
}

const emptyMap = (): QueryMap => Object.create(null)

function isMap(value: QueryValue | undefined): value is QueryMap {
  return typeof value === 'object' && !Array.isArray(value)
}
