import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SIMULATIONS } from '../../src/http/request-context.ts'
import { type TestApp, testApp } from '../support/app.ts'

type Operation = {
  operationId?: string
  summary?: string
  tags?: string[]
  security?: object[]
  requestBody?: { content: Record<string, { schema: { examples?: unknown[]; $ref?: string } }> }
  parameters?: { name: string; in: string; schema: { enum?: string[] } }[]
  responses: Record<
    string,
    {
      headers?: Record<string, object>
      description?: string
      content?: Record<string, { schema?: { examples?: unknown[] }; example?: unknown }>
    }
  >
}

let app: TestApp
let document: { paths: Record<string, Record<string, Operation>>; openapi: string }
beforeAll(async () => {
  app = await testApp()
  document = (await app.call({ url: '/openapi.json' })).json()
})
afterAll(() => app.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at: `${method} ${path}`, operation })),
  )

test('the document is valid OpenAPI 3.1', async () => {
  expect(document.openapi).toMatch(/^3\.1\./)
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

test('every operation has an id of its own, a summary, a known tag and described answers', () => {
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const poor = operations().filter(
    ({ operation }) =>
      !operation.operationId ||
      !operation.summary ||
      !operation.tags?.length ||
      Object.values(operation.responses).some((r) => !r.description),
  )
  expect(poor.map(({ at }) => at)).toEqual([])
})

test('every body that is sent or answered with 2xx has an example', () => {
  const bare = operations().flatMap(({ at, operation }) => {
    const sent = Object.values(operation.requestBody?.content ?? {})
    const answered = Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, response]) => Object.entries(response.content ?? {}))
      .filter(([media]) => media === 'application/json')
      .map(([, content]) => content)
    return [...sent, ...answered].some(
      (c) => !('examples' in (c.schema ?? {})) && !('example' in c) && !('examples' in c),
    )
      ? [at]
      : []
  })
  expect(bare.filter((at) => !at.endsWith('/openapi.json'))).toEqual([])
})

test('what a request may leave out may also be null, and the document says so', () => {
  const refusing = operations().flatMap(({ at, operation }) =>
    Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
      optionalFields(schema as BodySchema)
        .filter(([, field]) => ![field.type].flat().includes('null'))
        .map(([name]) => `${at} ${name}`),
    ),
  )
  expect(refusing).toEqual([])
})

type BodySchema = {
  type?: string | string[]
  properties?: Record<string, BodySchema>
  required?: string[]
  items?: BodySchema
}

/** With those of the objects inside, by their paths. */
function optionalFields({ properties = {}, required = [], items }: BodySchema): [string, BodySchema][] {
  const own = Object.entries(properties)
  const inner = [...own, ...(items === undefined ? [] : [['[]', items] as [string, BodySchema]])]
  return [
    ...own.filter(([name]) => !required.includes(name)),
    ...inner.flatMap(([name, field]) =>
      optionalFields(field).map(([path, deep]): [string, BodySchema] => [`${name}.${path}`, deep]),
    ),
  ]
}

test('every operation below /api takes the simulation header, and says what its misspelling and its request id are', () => {
  const silent = operations().filter(({ at, operation: { parameters = [], responses } }) => {
    if (!at.includes(' /api/')) return false
    const simulate = parameters.find(({ name }) => name === 'x-simulate-return')
    return (
      simulate?.schema.enum?.length !== SIMULATIONS.length ||
      !responses['400']?.description?.includes('unknown_simulation') ||
      Object.values(responses).some(({ headers }) => headers?.['x-request-id'] === undefined)
    )
  })
  expect(silent.map(({ at }) => at)).toEqual([])
})

test('every operation below /api documents 401 unless it is the one that gives tokens', () => {
  const silent = operations().filter(
    ({ at, operation }) => at.includes(' /api/') && operation.responses['401'] === undefined,
  )
  expect(silent.map(({ at }) => at)).toEqual([])
})
