import swagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import type { ErrorCode } from '../../domain/app-error.ts'
import { errorsPage } from '../error-help.ts'
import { Problem, problems } from '../problem.ts'
import { SIMULATIONS } from '../request-context.ts'

const INTRO = `One API over many hotel vendors: get a token, find a location, search, open a property, book a room.

Every error is an RFC 9457 problem with a stable \`code\`; the codes are explained at [/docs/errors](/docs/errors).
Lists follow one set of rules for ordering, filtering and paging. The header \`x-simulate-return\` answers from a
built-in vendor instead of the real ones (${SIMULATIONS.map((value) => `\`${value}\``).join(', ')}).`

/** The document is made from the routes' own schemas, so it cannot say anything the service does not do. */
export async function addOpenApi(app: FastifyInstance, publicUrl: string): Promise<void> {
  app.addSchema(Problem)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Serai',
        version: '1',
        description: INTRO,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: publicUrl }],
      tags: [
        { name: 'Accounts' },
        { name: 'Locations' },
        { name: 'Search' },
        { name: 'Booking' },
        { name: 'Webhooks' },
        { name: 'Operation' },
      ],
      components: {
        securitySchemes: {
          bearer: {
            type: 'apiKey',
            in: 'header',
            name: 'authorization',
            description: '`bearer: <token>`, with the token of `POST /api/accounts/get_token`.',
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? json.title ?? `def-${index}`),
    },
    transform: ({ schema, url, route }) => ({
      schema: describe(schema, route),
      url,
    }),
  })

  app.get(
    '/openapi.json',
    {
      config: { operation: 'docs.openapi', access: 'public' },
      schema: {
        tags: ['Operation'],
        summary: 'This document',
        response: { 200: Type.Object({}, { additionalProperties: true, description: 'OpenAPI 3.1.' }) },
      },
    },
    async (_request, reply) =>
      reply
        .header('content-type', 'application/json; charset=utf-8')
        .serializer((value: unknown) => JSON.stringify(value))
        .send(app.swagger()),
  )
}

function describe(schema: FastifySchema | undefined, { config, method, url }: RouteOptions): FastifySchema {
  const operation = config?.operation
  if (operation === undefined) return { ...schema, hide: true }
  const isApi = url.startsWith('/api/')
  const answers = withRefusals(schema?.response as Answers, frameRefusals(config, [method].flat()))
  return {
    ...schema,
    ...(isApi ? { headers: withSimulation(schema?.headers) } : {}),
    operationId: operation.replace(/[._](\w)/g, (_all, letter: string) => letter.toUpperCase()),
    response: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, { ...answer, headers: headersOf(status, config) }]),
    ),
  }
}

type Answers = Record<string, { description?: string }>

/** What the frame around an operation may answer, whatever the operation is. */
function frameRefusals(config: FastifyContextConfig = {}, methods: readonly string[]): ErrorCode[] {
  return [
    'malformed_request',
    'unknown_simulation',
    ...(config.access === 'account' ? (['unauthenticated'] as const) : []),
    ...(methods.includes('GET') ? [] : (['body_too_large', 'unsupported_media_type'] as const)),
    ...(config.internal === true ? [] : (['rate_limited', 'overloaded'] as const)),
  ]
}

/** A status that both the frame and the operation answer tells of both reasons. */
function withRefusals(answers: Answers, codes: readonly ErrorCode[]): Answers {
  const all = { ...answers }
  for (const [status, refusal] of codes.flatMap((code) => Object.entries(problems(code) as Answers))) {
    const own = all[status]
    const words = refusal.description ?? ''
    if (own === undefined) all[status] = refusal
    else if (own.description?.includes(words) !== true)
      all[status] = { ...own, description: `${own.description} ${words}` }
  }
  return all
}

function withSimulation(headers: unknown): object {
  const { properties = {} } = (headers ?? {}) as { properties?: object }
  const simulate = {
    type: 'string',
    enum: [...SIMULATIONS],
    description: 'Answers from the built-in vendor, as the value says; nothing leaves the process.',
  }
  return { type: 'object', properties: { ...properties, 'x-simulate-return': simulate } }
}

const text = (description: string) => ({ type: 'string', description })

function headersOf(status: string, config: FastifyContextConfig = {}): Record<string, object> {
  return {
    'x-request-id': text('The one you sent, or ours; every line of the log has it.'),
    ...(config.internal === true
      ? {}
      : {
          ratelimit: text('What is left of the allowance (`r`) and when it starts anew (`t`, seconds).'),
          'ratelimit-policy': text('The allowance (`q`) and its window (`w`, seconds).'),
        }),
    ...(status === '401' ? { 'www-authenticate': text('The challenge.') } : {}),
    ...(status === '429' || status === '503' ? { 'retry-after': text('Seconds to wait.') } : {}),
    ...(config.operation === 'booking.create' && (status === '201' || status === '202')
      ? {
          location: text('Where the booking can be read.'),
          'idempotent-replayed': text('`true` when this is the first answer again.'),
        }
      : {}),
  }
}

/** What each error code means, for people; problem bodies link here. */
export function addErrorsPage(app: FastifyInstance): void {
  const page = errorsPage()
  app.get(
    '/docs/errors',
    {
      config: { operation: 'docs.errors', access: 'public' },
      schema: {
        tags: ['Operation'],
        summary: 'What each error code means',
        response: { 200: { description: 'A page.', content: { 'text/html': { schema: Type.String() } } } },
      },
    },
    async (_request, reply) => reply.header('content-type', 'text/html; charset=utf-8').send(page),
  )
}
