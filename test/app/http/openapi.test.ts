import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TEST_EVENT, WEBHOOK_EVENTS } from '../../../src/domain/webhook.ts'
import { SIMULATIONS } from '../../../src/http/middleware/request-context.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly default?: unknown
  readonly enum?: readonly string[]
}
type Content = Readonly<Record<string, Media>>
type Media = {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Record<string, { value?: unknown }>
}
type Operation = {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly object[]
  readonly requestBody?: { readonly content: Content }
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: Record<string, { schema: Schema }>
        readonly description?: string
        readonly content?: Content
      }
    >
  >
}
type Document = {
  readonly openapi: string
  readonly paths: Record<string, Record<string, Operation>>
  readonly webhooks: Record<string, Record<string, Operation>>
  readonly security: readonly object[]
  readonly components: { readonly schemas: Record<string, Schema>; readonly securitySchemes: Record<string, object> }
}

let app: TestApp
let document: Document
beforeAll(async () => {
  app = await testApp()
  document = (await app.call({ url: '/openapi.json' })).json()
})
afterAll(() => app.close())

const operations = (group = document.paths) =>
  Object.entries(group).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ location: `${method} ${path}`, operation })),
  )

test('the document declares OpenAPI 3.1; openapi-lint.test.ts validates it', () => {
  expect(document.openapi).toMatch(/^3\.1\./)
})

test('every operation has a unique id, a summary, a known tag and described responses', () => {
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const poor = operations().filter(
    ({ operation }) =>
      !operation.operationId ||
      !operation.summary ||
      !operation.description ||
      !operation.tags?.length ||
      Object.values(operation.responses).some((r) => !r.description),
  )
  expect(poor.map(({ location }) => location)).toEqual([])
})

/** Bodies of the document with their path and media type. */
const bodies = () =>
  [...operations(), ...operations(document.webhooks)].flatMap(({ location, operation }) => [
    ...listContents(`${location} request`, operation.requestBody?.content),
    ...Object.entries(operation.responses).flatMap(([status, { content }]) =>
      listContents(`${location} ${status}`, content),
    ),
  ])
const listContents = (location: string, content: Content = {}) =>
  Object.entries(content).map(([media, entry]) => ({ location: `${location} ${media}`, ...entry }))

/** Events that the simulator cannot produce. */
const WITHOUT_EXAMPLE = [
  'booking.rejected',
  'booking.needs_review',
  'booking.discrepancy',
  'booking.confirmation_number',
]

test('every request and response body has an example, and so has every problem of an operation', () => {
  const withoutExample = bodies().filter(({ location, example, examples = {} }) =>
    /problem/.test(location)
      ? Object.values(examples).some(({ value }) => value === undefined)
      : /json|event-stream/.test(location) && example === undefined,
  )
  const shown = bodies().flatMap(({ examples = {} }) => Object.keys(examples))
  expect(shown).toEqual(expect.arrayContaining(['price_changed', 'sold_out', 'offer_expired', 'invalid_request']))
  const known = (location: string) =>
    location.includes('/openapi.json 200') || /readyz 503 application.json/.test(location)
  expect(
    withoutExample
      .map(({ location }) => location)
      .filter((location) => !known(location) && !WITHOUT_EXAMPLE.some((event) => location.includes(event))),
  ).toEqual([])
})

test('every example matches its schema', () => {
  // Optimizing the code of a validator takes longer than its few calls.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: 'document' })
  const rooted = (schema: Schema) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  const fits = (schema: Schema, value: unknown) => {
    const key = JSON.stringify(schema)
    const validate = compiled.get(key) ?? ajv.compile(rooted(schema))
    compiled.set(key, validate)
    return validate(value) || ajv.errorsText(validate.errors)
  }
  const wrong = bodies().flatMap(({ location, schema, example, examples = {} }) =>
    [example, ...Object.values(examples).map(({ value }) => value)]
      .filter((value) => value !== undefined)
      .map((value) => fits(schema, value))
      .filter((verdict) => verdict !== true)
      .map((verdict) => `${location}: ${verdict}`),
  )
  expect(wrong).toEqual([])
  expect(JSON.stringify(bodies().map(({ example }) => example))).toMatch(/"properties":[1-9]/)
})

test('every object schema is a named component and none is inline', () => {
  const inline = (schema: unknown, location: string): string[] => {
    if (Array.isArray(schema)) return schema.flatMap((item, index) => inline(item, `${location}/${index}`))
    if (typeof schema !== 'object' || schema === null) return []
    const own = 'properties' in schema && 'type' in schema ? [location] : []
    return [...own, ...Object.entries(schema).flatMap(([key, inner]) => inline(inner, `${location}/${key}`))]
  }
  const { schemas } = document.components
  expect(Object.keys(schemas).length).toBeGreaterThan(80)
  expect(bodies().flatMap(({ location, schema }) => inline(schema, location))).toEqual([])
  const members = Object.entries(schemas).flatMap(([name, { properties, ...rest }]) => [
    ...Object.entries(properties ?? {}).flatMap(([key, schema]) => inline(schema, `${name}/${key}`)),
    ...Object.entries(rest).flatMap(([key, value]) => inline(value, `${name}/${key}`)),
  ])
  expect(members).toEqual([])
})

test('the token is sent as a bearer token, and only operations that need none say so', () => {
  expect(document.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(document.components.securitySchemes.page).toMatchObject({ type: 'apiKey', in: 'cookie' })
  expect(document.security).toEqual([{ bearer: [] }, { page: [] }])
  const open = operations().filter(({ operation }) => operation.security?.length === 0)
  expect(open.map(({ operation }) => operation.operationId).sort()).toEqual([
    'accountsGetToken',
    'docsErrors',
    'docsOpenapi',
    'healthLive',
    'healthMetrics',
    'healthReady',
    'paymentsNotify',
    'sessionCloseBooking',
    'sessionOpenBooking',
    'sessionSendBookingLink',
    'sessionSignIn',
    'sessionStartGuest',
    'vendorNotify',
  ])
})

test('paging parameters exclude each other, so none has a default', () => {
  const parameters = operations().flatMap(({ operation }) => operation.parameters ?? [])
  expect(parameters.filter(({ name }) => name === 'limit').length).toBeGreaterThan(4)
  expect(parameters.filter(({ schema }) => schema.default !== undefined)).toEqual([])
})

test('every response that asks to wait has a retry-after header', () => {
  const undocumented = operations().flatMap(({ location, operation }) =>
    Object.entries(operation.responses)
      .filter(([status]) => status === '429' || (status === '503' && !location.includes('readyz')))
      .filter(([, { headers }]) => headers?.['retry-after']?.schema.type !== 'integer')
      .map(([status]) => `${location} ${status}`),
  )
  expect(undocumented).toEqual([])
  expect(document.paths['/api/accommodation/book']?.post?.responses['409']?.headers).toHaveProperty('retry-after')
})

test('the members of problems, streams and webhooks are described', () => {
  const { Problem } = document.components.schemas
  expect(Object.keys(Problem?.properties ?? {})).toEqual(
    expect.arrayContaining(['room', 'old_total', 'new_total', 'changes', 'alternatives', 'vendors', 'choose_instead']),
  )
  expect(document.components.schemas.CancellationFeeChange?.required).toEqual(['what', 'shown', 'now'])
  expect(Object.keys(document.webhooks).sort()).toEqual([...WEBHOOK_EVENTS, TEST_EVENT].sort())
  const stream = document.paths['/api/accommodation_searches/search']?.post?.responses['200']?.content
  for (const name of ['Vendor', 'Properties', 'Done', 'Problem'])
    expect(JSON.stringify(stream?.['text/event-stream'])).toContain(`${name}SearchEvent`)
})

test('every optional field of a request may also be null, and the document says so', () => {
  const refusing = operations().flatMap(({ location, operation }) =>
    Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
      optionalFields(schema)
        .filter(([, field]) => ![field, ...(field.anyOf ?? [])].some(({ type }) => [type].flat().includes('null')))
        .map(([name]) => `${location} ${name}`),
    ),
  )
  expect(refusing).toEqual([])
})

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})

/** Includes the fields of nested objects, by their paths. */
function optionalFields(schema: Schema): [string, Schema][] {
  const { properties = {}, required = [], items, anyOf = [] } = resolved(schema)
  const own = Object.entries(properties)
  const inner = [...own, ...(items === undefined ? [] : [['[]', items] as [string, Schema]])]
  return [
    ...own.filter(([name]) => !required.includes(name)),
    ...anyOf.flatMap(optionalFields),
    ...inner.flatMap(([name, field]) =>
      optionalFields(field).map(([path, deep]): [string, Schema] => [`${name}.${path}`, deep]),
    ),
  ]
}

test('every operation below /api documents the simulation header, its misspelling and the request id', () => {
  const undocumented = operations().filter(({ location, operation: { parameters = [], responses } }) => {
    if (!location.includes(' /api/')) return false
    const simulate = parameters.find(({ name }) => name === 'x-simulate-return')
    return (
      simulate?.schema.enum?.length !== SIMULATIONS.length ||
      !responses['400']?.description?.includes('unknown_simulation') ||
      Object.entries(responses).some(
        ([status, { headers }]) => status !== '304' && headers?.['x-request-id'] === undefined,
      )
    )
  })
  expect(undocumented.map(({ location }) => location)).toEqual([])
})

test('every operation below /api documents 401', () => {
  const undocumented = operations().filter(
    ({ location, operation }) => location.includes(' /api/') && operation.responses['401'] === undefined,
  )
  expect(undocumented.map(({ location }) => location)).toEqual([])
})

test('lists of distinct entries name the simple type of these; the validator compares all others in pairs', () => {
  const types: unknown[] = []
  JSON.parse(JSON.stringify(document), (_name, value: { uniqueItems?: boolean; items?: Schema } | null) => {
    if (value?.uniqueItems === true) {
      const name = value.items?.$ref?.split('/').at(-1)
      types.push((name === undefined ? value.items : document.components.schemas[name])?.type)
    }
    return value
  })
  expect(new Set(types)).toEqual(new Set(['string']))
})
