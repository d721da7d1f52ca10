import fc, { type Arbitrary } from 'fast-check'
import { anyJson, type Document, NASTY_TEXTS, type Operation, type Schema, valuesMatching } from './schema.ts'

export type FuzzedRequest = {
  readonly method: string
  /** Path template of the document that describes the answer. */
  readonly path: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Existing values, so that requests get further than the first lookup. */
export type KnownValues = {
  readonly token: string
  /** By name of the parameter or field. */
  readonly values: Readonly<Record<string, readonly unknown[]>>
  /** Valid bodies by path. */
  readonly bodies: Readonly<Record<string, readonly object[]>>
  /** Valid arguments by tool of the agents. */
  readonly tools: Readonly<Record<string, readonly object[]>>
  /** Of an agent of an earlier revision that cannot ask its user. */
  readonly session: string
}

/** Requests to every operation of the document: valid, nearly valid, and nonsense. */
export function anyRequest(document: Document, known: KnownValues): Arbitrary<FuzzedRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => createRequest(document, known, path, method, operation)),
  )
  return fc.oneof(...operations)
}

function createRequest(
  document: Document,
  known: KnownValues,
  path: string,
  method: string,
  operation: Operation,
): Arbitrary<FuzzedRequest> {
  // The simulation is chosen with the other headers, because one of its values hangs on purpose.
  const parameters = (operation.parameters ?? []).filter(({ name }) => name !== 'x-simulate-return')
  const createValue = ({ name, schema }: (typeof parameters)[number]) =>
    fc.oneof(
      ...(known.values[name] ?? []).flatMap((value) => Array(2).fill(fc.constant(value)) as Arbitrary<unknown>[]),
      { weight: 3, arbitrary: valuesMatching(document, schema) },
      anyJson,
    )
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const record = (place: string, requiredKeys: string[]) =>
    fc.record(Object.fromEntries(inPlace(place).map((entry) => [entry.name, createValue(entry)])), { requiredKeys })
  return fc
    .record({
      variables: record(
        'path',
        inPlace('path').map(({ name }) => name),
      ),
      query: fc.tuple(record('query', []), strayQuery),
      sent: record('header', []),
      headers: anyHeaders(known),
      body:
        operation.requestBody === undefined
          ? rarely(anyBody(document, undefined, []))
          : createBody(document, known, path, operation),
    })
    .map(({ variables, query: [query, stray], sent, headers, body }) => ({
      method: method.toUpperCase(),
      path,
      url: createUrl(path, variables, query, stray),
      headers: {
        ...headers,
        ...Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, headerText(value)])),
        ...(body === undefined ? {} : { 'content-type': body.type }),
      },
      body: body?.text,
    }))
}

type Body = { readonly type: string; readonly text: string }
const rarely = <T>(arbitrary: Arbitrary<T>) => fc.option(arbitrary, { freq: 1, nil: undefined })

function createBody(
  document: Document,
  known: KnownValues,
  path: string,
  operation: Operation,
): Arbitrary<Body | undefined> {
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  return fc.option(anyBody(document, schema, known.bodies[path] ?? []), { freq: 30, nil: undefined })
}

/** JSON that matches a schema or is one of `good`, or almost; and sometimes something else. */
export function nearlyValid(
  document: Document,
  schema: Schema | undefined,
  good: readonly object[],
): Arbitrary<unknown> {
  const fits = valuesMatching(document, schema)
  const right = good.length === 0 ? fits : fc.oneof(fits, { weight: 2, arbitrary: fc.constantFrom(...good) })
  return fc.oneof(
    { weight: 5, arbitrary: right },
    {
      weight: 5,
      arbitrary: fc.tuple(right, fc.nat(), mutation).map(([value, index, change]) => mutate(value, index, change)),
    },
    { weight: 1, arbitrary: anyJson },
    { weight: 1, arbitrary: huge },
  )
}

function anyBody(document: Document, schema: Schema | undefined, good: readonly object[]): Arbitrary<Body> {
  const json = nearlyValid(document, schema, good)
  const type = fc.oneof(
    { weight: 40, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('text/plain', 'application/xml', 'application/json; charset=x', 'a/b', ''),
    },
  )
  const text = fc.oneof(
    { weight: 20, arbitrary: json.map((value) => JSON.stringify(value) ?? '') },
    {
      weight: 2,
      arbitrary: fc.tuple(json, fc.nat()).map(([value, index]) => poison(JSON.stringify(value) ?? '', index)),
    },
    { weight: 1, arbitrary: brokenBody },
  )
  return fc.record({ type, text })
}

export const brokenBody = fc.constantFrom(
  '',
  ' ',
  '{',
  '{"a":}',
  '[1,]',
  '\ufeff{}',
  '{"a":1}{"a":1}',
  '{"user":{"email":"a@b.cd","email":"c@d.ef","password":"x"}}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"\\u005f_proto__":1}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `{"a":${'{"a":'.repeat(50)}1${'}'.repeat(50)}}`,
  `{${Array.from({ length: 3_000 }, (_, index) => `"k${index}":0`).join(',')}}`,
  `"${'x'.repeat(70_000)}"`,
  '1e9999',
  '-',
  'nul',
)

const mutation = fc.oneof(anyJson, fc.constant(undefined), fc.constantFrom(...NASTY_TEXTS))
const huge = fc.constantFrom<unknown>(
  'x'.repeat(20_000),
  Array.from({ length: 5_000 }, () => 0),
  Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, index])),
  { guests: Array.from({ length: 500 }, () => ({ given_name: 'A', family_name: 'B' })) },
  { occupancies: Array.from({ length: 900 }, () => ({ adults: 1e6 })) },
)

/** Replaces one value somewhere in a tree, or removes it if the change is undefined. */
function mutate(value: unknown, index: number, change: unknown): unknown {
  if (typeof value !== 'object' || value === null) return change ?? null
  const keys = Object.keys(value)
  if (keys.length === 0) return change ?? null
  const key = keys[index % keys.length] ?? ''
  const child = (value as Record<string, unknown>)[key]
  const goDeeper = typeof child === 'object' && child !== null && index % 3 !== 0
  const changed = goDeeper ? mutate(child, index >> 2, change) : change
  if (Array.isArray(value)) return value.map((entry, index) => (String(index) === key ? changed : entry))
  const copy = Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, name === key ? changed : entry]))
  return copy
}

/** Adds a duplicate key, or one that targets the prototype, to a valid object. */
function poison(text: string, index: number): string {
  if (!text.startsWith('{') || text.length < 3) return text
  const extra = ['"__proto__":{"x":1}', '"constructor":1', text.slice(1, -1).split(',')[0] ?? ''][index % 3]
  return `{${extra},${text.slice(1)}`
}

const strayQuery = fc.oneof(
  { weight: 12, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'filters[0][field]=type&filters[0][op]===&filters[0][value]=city',
      'filters[]=status:==<confirmed',
      'filters[0][field]=client_reference&filters[0][op]===&filters[0][value]=%00',
      'filters[0][field]=property_name&filters[0][op]=like&filters[0][value]=%25%00',
      'order_by[]=created_at&order_directions[]=sideways',
      'page=1e9&page_size=-1',
      'first=5&after=%00',
      'limit=5&offset=99999999999999999999',
      'a[b][c][d][e][f][g][h]=1',
      '__proto__[x]=1&constructor[prototype][x]=1',
      '%zz=%ff%fe&=&&==&a=1&a=2&a[]=3',
      `q=${'x'.repeat(5_000)}`,
    ),
  },
)

export function anyHeaders({ token }: KnownValues): Arbitrary<Record<string, string>> {
  const optional = (name: string, ...values: string[]) =>
    fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, fc.constantFrom(...values.map((value) => ({ [name]: value }))))
  return fc
    .tuple(
      fc.oneof(
        { weight: 12, arbitrary: fc.constant({ authorization: `bearer: ${token}` }) },
        {
          weight: 1,
          arbitrary: fc.constantFrom({}, { authorization: 'bearer: srt_x' }, { authorization: `Basic ${token}` }),
        },
      ),
      fc.oneof(
        { weight: 8, arbitrary: fc.constant({ 'x-simulate-return': 'success' }) },
        {
          weight: 2,
          arbitrary: fc
            .constantFrom(
              'price_changed',
              'terms_changed',
              'sold_out',
              'offer_expired',
              'vendor_error',
              'partial',
              'empty',
              'rate_limited',
              'x',
              '',
            )
            .map((value) => ({ 'x-simulate-return': value })),
        },
        { weight: 1, arbitrary: fc.constant({}) },
      ),
      optional('x-request-id', 'abc', '<x>', 'x'.repeat(200)),
      optional('accept', 'text/html', 'text/event-stream', '*/*;q=x'),
      optional('accept-encoding', 'gzip', 'br', 'zstd, x;q=9'),
      optional('content-length', '5', '-1', 'x'),
      optional('x-forwarded-for', '1.2.3.4, 5.6.7.8', 'x'.repeat(3_000)),
    )
    .map((parts) => Object.assign({}, ...parts) as Record<string, string>)
}

function createUrl(
  path: string,
  variables: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
  stray: string,
): string {
  // The router rejects longer values itself, and dots would lead to another path.
  const variable = (name: string) => encode(asText(variables[name]).slice(0, 20)).replace(/^\.*$/, 'x')
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => variable(name))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((entry) => `${encode(name)}=${encode(asText(entry))}`),
  )
  const search = [...pairs, ...(stray === '' ? [] : [stray])].join('&')
  return search === '' ? filled : `${filled}?${search}`
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
const encode = (text: string) => encodeURIComponent(text.toWellFormed())
/** Replaces characters that a header cannot contain and any client would reject. */
const headerText = (value: unknown) =>
  asText(value)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 2_000)
