import type { Document, Operation, Schema } from './schema.ts'

type CanaryKind = 'card' | 'name' | 'token' | 'secret'
export type Canary = { readonly kind: CanaryKind; readonly field: string; readonly value: string }

/** Unique values. Each records the field it was put into, so that a hit identifies the leak. */
export function createCanaries() {
  const canaries: Canary[] = []
  const add = (field: string, kind: CanaryKind = 'name'): string => {
    const value = VALUES[kind](canaries.length)
    canaries.push({ kind, field, value })
    return value
  }
  /** Canaries in a text, ignoring case. */
  const foundIn = (text: string): Canary[] => {
    const values = new Set(Array.from(text.matchAll(SHAPE), ([, value]) => value?.toLowerCase()))
    return canaries.filter(({ value }) => values.has(value.toLowerCase()))
  }
  return { add, foundIn }
}
type Canaries = ReturnType<typeof createCanaries>

const letters = (number: number) => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
const VALUES: Readonly<Record<CanaryKind, (number: number) => string>> = {
  card: (number) => withCheckDigit(`4${String(number).padStart(14, '7')}`),
  name: (number) => `Zwq${letters(number)}canary`,
  token: (number) => `srt_${letters(number).padStart(8, 'x')}CANARYCANARYCANARYCANARYCANARYCANAR`,
  // With a suffix, so that none is a prefix of another.
  secret: (number) => `hunter-canary-${letters(number)}-z`,
}

/**
 * Matches every canary, so that a long text is searched once, not once per canary. A lookahead, because matches can
 * overlap.
 */
const SHAPE = /(?=(4\d{15}|zwq[a-j]+canary|srt_[a-jx]{8}canarycanarycanarycanarycanarycanar|hunter-canary-[a-j]+-z))/gi

/** Appends the digit that makes it a valid card number. */
function withCheckDigit(digits: string): string {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return `${digits}${(10 - (sum % 10)) % 10}`
}

export type CanaryRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Headers that any client or proxy may send. */
const HEADERS = ['user-agent', 'referer', 'cookie', 'x-forwarded-for', 'x-api-key', 'traceparent', 'idempotency-key']
export const CANARY_KINDS: readonly CanaryKind[] = ['card', 'name', 'token', 'secret']
const SIMULATED = { 'x-simulate-return': 'success' }

/**
 * Every operation of the document, with a canary of each kind in each of its fields, parameters and headers in turn.
 */
export function* canaryRequests(
  document: Document,
  canaries: Canaries,
  nextOffer: () => object,
): Generator<CanaryRequest> {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (path === '/api/accounts/revoke_token') continue
      const verb = method.toUpperCase()
      const example = createExample(operation)
      for (const kind of CANARY_KINDS) {
        yield* throughHeaders(verb, path, example, kind, canaries)
        yield* throughParameters(verb, path, operation, example, kind, canaries)
        if (example !== undefined) yield* throughBody(verb, path, example, kind, canaries)
      }
    }
  }
  yield* throughBookings(canaries, nextOffer)
}

type Example = Readonly<Record<string, unknown>>
/** The document's own example, plus the string fields that it omits. */
const createExample = (operation: Operation): Example | undefined => {
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema as Schema | undefined
  if (schema === undefined) return undefined
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)
  const texts = properties.filter(([, { type }]) => type === 'string').map(([name]) => [name, 'x'] as const)
  return { ...Object.fromEntries(texts), ...(schema.examples as Example[] | undefined)?.[0] }
}
const plainUrl = (path: string) => path.replace(/\{\w+\}/g, 'x')
const request = (method: string, url: string, headers: Record<string, string>, body?: unknown): CanaryRequest => ({
  method,
  url,
  headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
  ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
})

function* throughHeaders(
  method: string,
  path: string,
  example: Example | undefined,
  kind: CanaryKind,
  canaries: Canaries,
) {
  const headers = Object.fromEntries(HEADERS.map((name) => [name, canaries.add(`header ${name}`, kind)]))
  yield request(method, plainUrl(path), { ...SIMULATED, ...headers }, example)
  yield request(
    method,
    plainUrl(path),
    { authorization: `bearer: ${canaries.add('header authorization', kind)}` },
    example,
  )
  yield request(
    method,
    plainUrl(path),
    { 'x-simulate-return': canaries.add('header x-simulate-return', kind) },
    example,
  )
  if (method === 'GET') return
  yield request(method, plainUrl(path), { 'content-type': canaries.add('header content-type', kind) }, example ?? '{}')
}

function* throughParameters(
  method: string,
  path: string,
  { parameters = [] }: Operation,
  example: Example | undefined,
  kind: CanaryKind,
  canaries: Canaries,
) {
  for (const { name, in: place } of parameters) {
    if (place === 'header') continue
    const value = encodeURIComponent(canaries.add(`${place} ${name}`, kind))
    const url = place === 'path' ? plainUrl(path.replace(`{${name}}`, value)) : `${plainUrl(path)}?${name}=${value}`
    yield request(method, url, SIMULATED, example)
    yield request(method, url, {}, example)
  }
}

/** Each string of the example in turn, then an unknown field, then a body that is not JSON. */
function* throughBody(method: string, path: string, example: Example, kind: CanaryKind, canaries: Canaries) {
  for (const leaf of listLeaves(example)) {
    const body = replaceLeaf(example, leaf, canaries.add(`body.${leaf}`, kind))
    yield request(method, plainUrl(path), SIMULATED, body)
    yield request(method, plainUrl(path), {}, body)
  }
  yield request(method, plainUrl(path), SIMULATED, {
    ...example,
    unknown_field: canaries.add('body.unknown_field', kind),
  })
  yield request(method, plainUrl(path), SIMULATED, `{"a": ${canaries.add('broken body', kind)}`)
  yield request(method, plainUrl(path), SIMULATED, `"${canaries.add('text body', kind)}"`)
}

/** Books real rooms with canaries. Those that are not card numbers are stored with the booking. */
function* throughBookings(canaries: Canaries, nextOffer: () => object): Generator<CanaryRequest> {
  for (const kind of CANARY_KINDS) {
    for (let times = 0; times < 4; times += 1) {
      const text = (field: string) => canaries.add(`body.${field}`, kind)
      const guest = {
        given_name: text('guests[0].given_name'),
        family_name: text('guests[0].family_name'),
        email: `${text('guests[0].email')}@example.com`,
        phone: '+41791234567',
      }
      const body = {
        ...nextOffer(),
        guests: [guest],
        contact: { email: `${text('contact.email')}@example.com` },
        special_requests: text('special_requests'),
        client_reference: text('client_reference'),
      }
      yield request(
        'POST',
        '/api/accommodation/book',
        { 'idempotency-key': canaries.add('header idempotency-key', kind) },
        body,
      )
    }
  }
}

function listLeaves(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) =>
    listLeaves(child, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
  )
}

function replaceLeaf(value: unknown, leaf: string, replacement: string, path = ''): unknown {
  if (path === leaf) return replacement
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, child]) => {
    const childPath = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    return [key, replaceLeaf(child, leaf, replacement, childPath)] as const
  })
  return Array.isArray(value) ? entries.map(([, child]) => child) : Object.fromEntries(entries)
}
