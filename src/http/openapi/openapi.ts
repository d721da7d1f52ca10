import swagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { type TProperties, Type } from 'typebox'
import type { Access } from '../../domain/access.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { listQuerySchema, orderQuerySchema } from '../../lists/query-schema.ts'
import { isForGuests } from '../limits/guests.ts'
import { PAGE_HEADER, PLAIN_NAME } from '../middleware/page-callers.ts'
import { SIMULATIONS } from '../middleware/request-context.ts'
import { createStaticFile } from '../middleware/static-file.ts'
import { operation, TAGS } from '../operation.ts'
import { PROBLEM_MEDIA, type ProblemEntry, problems } from '../problem.ts'
import { answer } from '../schemas/answer.ts'
import { problemSchema } from '../schemas/problem.ts'
import { errorsPage } from './error-help.ts'
import { type Json, nameSchemas } from './openapi-components.ts'
import { withExamples } from './openapi-examples.ts'

const INTRO = `One API over many hotel vendors: get a token, find a location, search, open a property, book a room.

Every error is an RFC 9457 problem with a stable \`code\`; the codes are explained at [/docs/errors](/docs/errors). Its \`effect\`
says whether the request may be repeated: \`none\` (nothing was done) or \`unknown\` (something may have been done).
Lists follow one set of rules for ordering, filtering and paging. The header \`x-simulate-return\` answers from a
built-in vendor instead of the real ones (${SIMULATIONS.map((value) => `\`${value}\``).join(', ')}).`

const OpenApiDocument = Type.Object({}, { title: 'OpenApiDocument', additionalProperties: true })

/** Contributions of the features: extra members of their problem documents, and the events that webhooks deliver. */
export type FeatureSchemas = { readonly problemMembers: TProperties; readonly webhooks: Json }

/** The document is made from the routes' own schemas, so it cannot say anything the service does not do. */
export async function addOpenApi(app: FastifyInstance, publicUrl: string, features: FeatureSchemas): Promise<void> {
  app.addSchema(problemSchema(features.problemMembers))
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Serai',
        version: '1',
        description: INTRO,
        contact: { name: 'The operator of this service', url: publicUrl },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: publicUrl }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      security: [{ bearer: [] }, { page: [] }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description:
              'The token of `POST /api/accounts/get_token` or an API key, as `authorization: Bearer <token>`; `authorization: bearer: <token>` works too. `x-access` of each operation says which scope of a key or role of the account it needs.',
          },
          page: {
            type: 'apiKey',
            in: 'cookie',
            name: PLAIN_NAME,
            description: `The session of the page, for the page alone: \`POST /api/session\` sets it. It is HttpOnly and SameSite=Strict (over TLS its name begins with \`__Host-\`), is accepted only from the page’s own origin, and calls that change something need a JSON body or the header \`${PAGE_HEADER}\`.`,
          },
        },
      },
    },
    convertConstToEnum: false,
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `def-${index}`) },
    transform: ({ schema, url, route }) => ({ schema: describe(schema, route), url }),
    transformObject: (made) =>
      'openapiObject' in made ? complete(made.openapiObject, features.webhooks) : made.swaggerObject,
  })

  const document = createStaticFile(() => Buffer.from(JSON.stringify(app.swagger())), {
    type: 'application/json; charset=utf-8',
    cacheControl: 'public, no-cache',
  })
  app.get(
    '/openapi.json',
    operation('docs.openapi', {
      access: 'public',
      summary: 'This document',
      description: 'The API in OpenAPI 3.1. `/docs` shows it to people.',
      answers: { 200: answer('OpenAPI 3.1.', OpenApiDocument) },
      compress: false,
    }),
    (request, reply) => document.send(request, reply),
  )
}

function complete<Document extends object>(made: Document, events: Json): Document {
  const { paths, components, ...document } = Object(made)
  const { schemas, ...others } = Object(components)
  const named = nameSchemas({ paths: Object(paths), webhooks: events }, Object(schemas))
  const { paths: described, webhooks } = withExamples(named.paths)
  return { ...document, paths: described, webhooks, components: { ...others, schemas: named.schemas } }
}

function describe(schema: FastifySchema | undefined, { config, method, url }: RouteOptions): FastifySchema {
  const operation = config?.operation
  if (operation === undefined) return { ...schema, hide: true }
  const isApi = url.startsWith('/api/')
  const needs = needOf(config?.access)
  const answers = withRefusals(Object(schema?.response), frameRefusals(config, [method].flat()))
  return {
    ...schema,
    ...(needs === undefined
      ? {}
      : { description: `${schema?.description ?? ''} ${needs}`, 'x-access': config?.access }),
    ...(config?.access === 'public' ? { security: [] } : {}),
    ...(config?.safe === undefined ? {} : { 'x-safe': config.safe }),
    ...(isApi ? { headers: withSimulation(schema?.headers) } : {}),
    ...withListParameters(schema?.querystring, config),
    operationId: operation.replace(/[._](\w)/g, (_all, letter: string) => letter.toUpperCase()),
    response: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, { ...answer, headers: headersOf(status, config) }]),
    ),
  }
}

type Answers = Readonly<Record<string, { readonly description?: string; readonly content?: ProblemEntry['content'] }>>

/** Codes of the middleware, which any operation may fail with. */
function frameRefusals(config: FastifyContextConfig = {}, methods: readonly string[]): ErrorCode[] {
  return [
    'malformed_request',
    'unknown_simulation',
    ...(config.access === 'public' ? [] : (['unauthenticated'] as const)),
    ...(needOf(config.access) ? (['insufficient_scope'] as const) : []),
    ...(config.access === 'public' || isForGuests(config.operation) ? [] : (['sign_in_needed'] as const)),
    ...(methods.includes('GET') ? [] : (['body_too_large', 'unsupported_media_type'] as const)),
    ...(config.internal === true ? [] : (['rate_limited', 'overloaded'] as const)),
    ...(methods.includes('GET') || config.safe === 'always' ? [] : (['store_unavailable'] as const)),
  ]
}

/** What a caller needs beside being identified, as a sentence; undefined where that is enough. */
function needOf(access: Access | undefined): string | undefined {
  if (access === undefined || access === 'public' || access === 'account') return undefined
  if (access === 'person') return 'Needs the token of a person; an API key cannot do it.'
  if (access === 'operator_person')
    return 'Needs the role `operator` and the token of a person; an API key cannot do it.'
  if (access === 'operator') return 'Needs the role `operator`; an API key also needs the scope `admin`.'
  return `Needs the scope \`${access}\`.`
}

/** Merges the codes of middleware and operation that share a status. */
function withRefusals(answers: Answers, codes: readonly ErrorCode[]): Answers {
  const all = { ...answers }
  for (const [status, refusal] of codes.flatMap((code) => Object.entries(problems(code)))) {
    const own = all[status]
    if (own === undefined) all[status] = refusal
    else if (own.description?.includes(refusal.description) !== true)
      all[status] = { description: `${own.description} ${refusal.description}`, content: joined(own.content, refusal) }
  }
  return all
}

function joined(own: ProblemEntry['content'] | undefined, { content }: ProblemEntry): ProblemEntry['content'] {
  const [before, added] = [own?.[PROBLEM_MEDIA], content[PROBLEM_MEDIA]]
  if (added === undefined || before !== undefined) return own ?? {}
  return { ...own, [PROBLEM_MEDIA]: added }
}

function withSimulation(headers: unknown): object {
  const { properties = {} } = Object(headers)
  const simulate = {
    type: 'string',
    enum: [...SIMULATIONS],
    description: 'Answers from the built-in vendor, as the value says; nothing leaves the process.',
  }
  return { type: 'object', properties: { ...properties, 'x-simulate-return': simulate } }
}

/** An operation's own parameters, and those of the list it answers. */
function withListParameters(own: unknown, { list, ordered }: FastifyContextConfig = {}): { querystring?: object } {
  const parameters = list ? listQuerySchema(list) : ordered ? orderQuerySchema(ordered) : undefined
  if (parameters === undefined) return {}
  const { properties, ...rest } = Object(own)
  const listed = Object.entries(Object(parameters.properties)).map(([name, schema]) => [name, withoutDefault(schema)])
  return { querystring: { ...parameters, ...rest, properties: { ...properties, ...Object.fromEntries(listed) } } }
}

/** The ways of paging exclude each other, and clients that send every default would send all of them. */
function withoutDefault(parameter: unknown): object {
  const { default: usual, description, ...schema } = Object(parameter)
  return { ...schema, description: usual === undefined ? description : `${description} ${usual} when absent.` }
}

const text = (description: string) => ({ type: 'string', description })

function headersOf(status: string, config: FastifyContextConfig = {}): Record<string, object> {
  return {
    'x-request-id': text('The one you sent, or ours; every line of the log has it.'),
    ...(config.internal === true
      ? {}
      : {
          ratelimit: text('What is left of the allowance (`r`) and when it starts again (`t`, seconds).'),
          'ratelimit-policy': text('The allowance (`q`) and its window (`w`, seconds).'),
        }),
    ...(status === '401' ? { 'www-authenticate': text('The challenge.') } : {}),
    ...(mayAskToWait(status, config) ? { 'retry-after': RETRY_AFTER } : {}),
    ...(config.operation === 'booking.create' && (status === '201' || status === '202')
      ? {
          location: text('Where the booking can be read.'),
          'idempotent-replayed': text('`true` when this is the first answer again.'),
        }
      : {}),
  }
}

const RETRY_AFTER = { type: 'integer', minimum: 1, description: 'Seconds to wait before trying again.' }

/** `409` of a booking has it with `request_in_progress`. */
const mayAskToWait = (status: string, { operation, internal }: FastifyContextConfig) =>
  status === '429' || (status === '503' && internal !== true) || (status === '409' && operation === 'booking.create')

/** What each error code means, for people; problem bodies link here. */
export function addErrorsPage(app: FastifyInstance): void {
  const page = createStaticFile(() => Buffer.from(errorsPage()), {
    type: 'text/html; charset=utf-8',
    cacheControl: 'public, max-age=3600',
  })
  app.get(
    '/docs/errors',
    operation('docs.errors', {
      access: 'public',
      summary: 'What each error code means',
      description: 'A page for people; the `type` of every problem links to it.',
      answers: { 200: { description: 'A page.', content: { 'text/html': { schema: Type.String() } } } },
      compress: false,
    }),
    (request, reply) => page.send(request, reply),
  )
}
