import swagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { type TProperties, Type } from 'typebox'
import type { Access } from '../../domain/access.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { VERSION } from '../../lib/version.ts'
import { firstPageQuerySchema, listQuerySchema } from '../../lists/query-schema.ts'
import { isForGuests } from '../limits/guests.ts'
import { IDEMPOTENCY_HEADER, IDEMPOTENCY_KEY, takesKey } from '../middleware/idempotency.ts'
import { PAGE_HEADER, PLAIN_NAME } from '../middleware/page-callers.ts'
import { SIMULATIONS } from '../middleware/request-context.ts'
import { createStaticFile } from '../middleware/static-file.ts'
import { operation, TAGS } from '../operation.ts'
import { PROBLEM_MEDIA, type ProblemEntry, problems } from '../problem.ts'
import { jsonResponse } from '../schemas/answer.ts'
import { problemSchema } from '../schemas/problem.ts'
import { errorsPage } from './error-help.ts'
import { type Json, nameSchemas } from './openapi-components.ts'
import { withExamples } from './openapi-examples.ts'

const INTRO = `One API over many hotel vendors: get a token, find a location, search, open a property, book a room.

Every error is an RFC 9457 problem with a stable \`code\`; [/docs/errors](/docs/errors) explains the codes. Its \`effect\`
says whether the request may be repeated: \`none\` (nothing was done) or \`unknown\` (something may have been done).
All lists have the same rules for ordering, filtering and paging. The header \`x-simulate-return\` selects a built-in
vendor instead of the real ones, with one of these outcomes (${SIMULATIONS.map((value) => `\`${value}\``).join(', ')}).`

const OpenApiDocument = Type.Object({}, { title: 'OpenApiDocument', additionalProperties: true })

export type FeatureSchemas = { readonly problemMembers: TProperties; readonly webhooks: Json }

/** Generates the document from the schemas that the routes use. */
export async function addOpenApi(app: FastifyInstance, publicUrl: string, features: FeatureSchemas): Promise<void> {
  app.addSchema(problemSchema(features.problemMembers))
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Serai',
        version: VERSION,
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
              'Token from `POST /api/accounts/get_token`, or an API key, as `Authorization: Bearer TOKEN`; `Authorization: bearer: TOKEN` works too. `x-access` of an operation is the required scope or role.',
          },
          page: {
            type: 'apiKey',
            in: 'cookie',
            name: PLAIN_NAME,
            description: `Session of the page, set by \`POST /api/session\`. The cookie is HttpOnly and SameSite=Strict (over TLS its name has the prefix \`__Host-\`) and only accepted from the page’s own origin. Calls that change something need a JSON body or the header \`${PAGE_HEADER}\`.`,
          },
        },
      },
    },
    convertConstToEnum: false,
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `def-${index}`) },
    transform: ({ schema, url, route }) => ({ schema: describe(schema, route), url }),
    transformObject: (generated) =>
      'openapiObject' in generated ? complete(generated.openapiObject, features.webhooks) : generated.swaggerObject,
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
      description: 'The API description in OpenAPI 3.1. `/docs` shows it as a page.',
      answers: { 200: jsonResponse('The OpenAPI 3.1 document.', OpenApiDocument) },
      compress: false,
    }),
    (request, reply) => document.send(request, reply),
  )
}

function complete<Document extends object>(generated: Document, events: Json): Document {
  const { paths, components, ...document } = Object(generated)
  const { schemas, ...others } = Object(components)
  const named = nameSchemas({ paths: Object(paths), webhooks: events }, Object(schemas))
  const { paths: described, webhooks } = withExamples(named.paths)
  return { ...document, paths: described, webhooks, components: { ...others, schemas: named.schemas } }
}

function describe(schema: FastifySchema | undefined, { config, method, url }: RouteOptions): FastifySchema {
  const operation = config?.operation
  if (operation === undefined) return { ...schema, hide: true }
  const isApi = url.startsWith('/api/')
  const requirement = describeAccess(config?.access)
  const answers = withProblems(withUnchanged(schema?.response, config), middlewareProblems(config, [method].flat()))
  return {
    ...schema,
    ...(requirement === undefined
      ? {}
      : { description: `${schema?.description ?? ''} ${requirement}`, 'x-access': config?.access }),
    ...(config?.access === 'public' ? { security: [] } : {}),
    ...(config?.safe === undefined ? {} : { 'x-safe': config.safe }),
    ...(isApi ? { headers: withOwnHeaders(schema?.headers, config, [method].flat()) } : {}),
    ...withListParameters(schema?.querystring, config),
    operationId: operation.replace(/[._](\w)/g, (_all, letter: string) => letter.toUpperCase()),
    response: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        { ...answer, headers: describeHeaders(status, config, [method].flat()) },
      ]),
    ),
  }
}

type Answers = Readonly<Record<string, { readonly description?: string; readonly content?: ProblemEntry['content'] }>>

function middlewareProblems(config: FastifyContextConfig = {}, methods: readonly string[]): ErrorCode[] {
  return [
    'malformed_request',
    'unknown_simulation',
    ...(config.access === 'public' ? [] : (['unauthenticated'] as const)),
    ...(describeAccess(config.access) ? (['insufficient_scope'] as const) : []),
    ...(config.access === 'public' || isForGuests(config.operation) ? [] : (['sign_in_needed'] as const)),
    ...(methods.includes('GET') ? [] : (['body_too_large', 'unsupported_media_type'] as const)),
    ...(config.internal === true ? [] : (['rate_limited', 'overloaded'] as const)),
    ...(methods.includes('GET') || config.safe === 'always' ? [] : (['store_unavailable'] as const)),
    ...(takesKey(config, String(methods[0])) ? (['request_in_progress', 'idempotency_mismatch'] as const) : []),
    ...(config.ifMatch ? (['precondition_failed'] as const) : []),
  ]
}

/** Undefined if authentication is sufficient. */
function describeAccess(access: Access | undefined): string | undefined {
  if (access === undefined || access === 'public' || access === 'account') return undefined
  if (access === 'person') return 'Requires the token of a person; API keys are rejected.'
  if (access === 'operator_person')
    return 'Requires the role `operator` and the token of a person; API keys are rejected.'
  if (access === 'operator') return 'Requires the role `operator`; an API key also needs the scope `admin`.'
  return `Requires the scope \`${access}\`.`
}

/** Merges problems of the middleware and the operation that share a status. */
function withProblems(answers: Answers, codes: readonly ErrorCode[]): Answers {
  const all = { ...answers }
  for (const [status, added] of codes.flatMap((code) => Object.entries(problems(code)))) {
    const own = all[status]
    if (own === undefined) all[status] = added
    else if (own.description?.includes(added.description) !== true)
      all[status] = { description: `${own.description} ${added.description}`, content: joinContent(own.content, added) }
  }
  return all
}

function joinContent(own: ProblemEntry['content'] | undefined, { content }: ProblemEntry): ProblemEntry['content'] {
  const [before, added] = [own?.[PROBLEM_MEDIA], content[PROBLEM_MEDIA]]
  if (added === undefined || before !== undefined) return own ?? {}
  return { ...own, [PROBLEM_MEDIA]: added }
}

function withOwnHeaders(headers: unknown, config: FastifyContextConfig = {}, methods: readonly string[]): object {
  const { properties = {} } = Object(headers)
  return {
    type: 'object',
    properties: {
      ...properties,
      ...(takesKey(config, String(methods[0])) && { [IDEMPOTENCY_HEADER]: KEPT_KEY }),
      ...(hasTag(config) && { 'if-none-match': IF_NONE_MATCH }),
      ...(config.ifMatch && { 'if-match': IF_MATCH }),
      'x-simulate-return': SIMULATE,
    },
  }
}

const SIMULATE = {
  type: 'string',
  enum: [...SIMULATIONS],
  description: 'Uses a built-in vendor with this outcome. No real vendor is called.',
}
const KEPT_KEY = {
  ...IDEMPOTENCY_KEY,
  description:
    '1 to 255 characters, scoped to the account and operation. For 24 hours, a repeated request with the same path and body gets the first response, byte for byte, including secrets.',
}
const IF_NONE_MATCH = { type: 'string', description: 'An `etag` that you have. If it is current, the response is 304.' }
const IF_MATCH = {
  type: 'string',
  description: 'The `etag` that you have read. If the object has changed since, nothing is done (412).',
}

const hasTag = ({ list, etag }: FastifyContextConfig): boolean => list !== undefined || etag !== undefined

const withUnchanged = (answers: unknown, config: FastifyContextConfig = {}): Answers =>
  hasTag(config)
    ? { ...Object(answers), 304: { type: 'null', description: 'Not modified since `if-none-match`.' } }
    : Object(answers)

function withListParameters(own: unknown, config: FastifyContextConfig = {}): { querystring?: object } {
  const { list, ordered } = config
  const parameters = list ? listQuerySchema(list) : ordered ? firstPageQuerySchema(ordered) : undefined
  if (parameters === undefined) return {}
  const { properties, ...rest } = Object(own)
  const view = config.views && { view: describeView(config.views) }
  const listed = Object.entries(Object(parameters.properties)).map(([name, schema]) => [name, withoutDefault(schema)])
  return {
    querystring: { ...parameters, ...rest, properties: { ...properties, ...view, ...Object.fromEntries(listed) } },
  }
}

const describeView = (views: readonly string[]) => ({
  type: 'string',
  enum: views,
  description: '`card` returns each property as a PropertyCard: the members that a list of cards needs.',
})

/** Clients that send every default would combine ways of paging that exclude each other. */
function withoutDefault(parameter: unknown): object {
  const { default: usual, description, ...schema } = Object(parameter)
  return { ...schema, description: usual === undefined ? description : `${description} Default: ${usual}.` }
}

const text = (description: string) => ({ type: 'string', description })

function describeHeaders(
  status: string,
  config: FastifyContextConfig = {},
  methods: readonly string[] = [],
): Record<string, object> {
  const etag = hasTag(config) && { etag: text('Version of the response, for `if-none-match`.') }
  // Nothing else is sent, because clients that poll get many.
  if (status === '304') return { ...etag }
  const isKeyed = takesKey(config, String(methods[0])) || config.idempotency === 'own'
  return {
    'x-request-id': text('Your `x-request-id`, or a generated one. Contained in every log line of the request.'),
    ...(config.internal === true
      ? {}
      : {
          ratelimit: text('Remaining units (`r`) and seconds until the window restarts (`t`).'),
          'ratelimit-policy': text('Units per window (`q`) and length of the window in seconds (`w`).'),
        }),
    ...(status === '401' ? { 'www-authenticate': text('Authentication challenge.') } : {}),
    ...(hasRetryAfter(status, config, isKeyed) ? { 'retry-after': RETRY_AFTER } : {}),
    ...(config.operation === 'booking.create' && /20[12]/.test(status)
      ? { location: text('URL of the booking.') }
      : {}),
    ...(isKeyed && status.startsWith('2')
      ? { 'idempotent-replayed': text('`true` if this repeats the first response.') }
      : {}),
    ...(status === '200' && etag),
    ...(config.list && status === '200'
      ? { link: text('The pages `rel="next"` and `rel="prev"`, if any (RFC 8288).') }
      : {}),
  }
}

const RETRY_AFTER = { type: 'integer', minimum: 1, description: 'Seconds to wait before trying again.' }

/** A `409` has it with `request_in_progress`. */
const hasRetryAfter = (status: string, { internal }: FastifyContextConfig, isKeyed: boolean) =>
  status === '429' || (status === '503' && internal !== true) || (status === '409' && isKeyed)

/** The `type` of every problem links to this page. */
export function addErrorsPage(app: FastifyInstance): void {
  const page = createStaticFile(() => Buffer.from(errorsPage()), {
    type: 'text/html; charset=utf-8',
    cacheControl: 'public, max-age=3600',
  })
  app.get(
    '/docs/errors',
    operation('docs.errors', {
      access: 'public',
      summary: 'Explain the error codes',
      description: 'The `type` of every problem links to this page.',
      answers: { 200: { description: 'HTML page.', content: { 'text/html': { schema: Type.String() } } } },
      compress: false,
    }),
    (request, reply) => page.send(request, reply),
  )
}
