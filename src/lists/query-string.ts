type QueryValue = string | QueryValue[] | QueryMap
type QueryMap = { [key: string]: QueryValue }

export const QUERY_LENGTH_MAX = 1_048_576
const QUERY_DEPTH_MAX = 8

type ParsedQuery =
  | { readonly ok: true; readonly params: QueryMap }
  | { readonly ok: false; readonly code: 'malformed_query' | 'query_too_long'; readonly message: string }

/**
 * Parses nested query strings: `a=1&a=2` keeps the last, `a[]=1&a[]=2` is a list, `a[k]=1` a map; of `a=1&a[k]=2` the last wins.
 * Maps have no prototype, so `__proto__` and `constructor` are ordinary names.
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
    const path = parsePath(name)
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

/** `a[b][]` → a, b, ''. A name that does not end in a bracket stays whole. */
function parsePath(name: string): string[] {
  const open = name.indexOf('[')
  if (open <= 0 || !name.endsWith(']')) return [name]
  return [name.slice(0, open), ...name.slice(open + 1, -1).split('][')]
}

/** Puts the value at the path, merging into an existing value of the same kind. Returns the new value. */
function put(existing: QueryValue | undefined, path: readonly string[], value: string): QueryValue {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (key !== '') {
    const map = isMap(existing) ? existing : emptyMap()
    map[key] = put(map[key], rest, value)
    return map
  }
  const list = Array.isArray(existing) ? existing : []
  const last = list.at(-1)
  // A key after `[]` does not say which entry it belongs to, so all of them go into one.
  const goesIntoLast = rest.length > 0 && (rest[0] === '' ? Array.isArray(last) : isMap(last))
  if (goesIntoLast) put(last, rest, value)
  else list.push(put(undefined, rest, value))
  return list
}

const emptyMap = (): QueryMap => Object.create(null)

function isMap(value: QueryValue | undefined): value is QueryMap {
  return typeof value === 'object' && !Array.isArray(value)
}
