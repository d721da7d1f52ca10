import { readFile } from 'node:fs/promises'
import swagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { Type } from 'typebox'
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

function describe(schema: FastifySchema | undefined, { config, method }: RouteOptions): FastifySchema {
  const operation = config?.operation
  if (operation === undefined) return { ...schema, hide: true }
  return {
    ...schema,
    operationId: operation.replace(/[._](\w)/g, (_all, letter: string) => letter.toUpperCase()),
    response: { ...frameAnswers(config, [method].flat()), ...(schema?.response as object) },
  }
}

/** What the frame around an operation may answer, whatever the operation is. */
function frameAnswers(config: FastifyContextConfig = {}, methods: readonly string[]): Record<number, object> {
  return problems(
    'malformed_request',
    'unknown_simulation',
    ...(config.access === 'account' ? (['unauthenticated'] as const) : []),
    ...(methods.includes('GET') ? [] : (['body_too_large', 'unsupported_media_type'] as const)),
    ...(config.internal === true ? [] : (['rate_limited', 'overloaded'] as const)),
  )
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

/** Scalar's own program, as it comes in its package. Its server part would read a hundred files at every start. */
const SCALAR = new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'))

/** Its default fonts, telemetry, proxy and helpers would call home, so they are off. */
const REFERENCE = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  proxyUrl: '',
  agent: { disabled: true },
  metaData: { title: 'Serai API' },
}

/** No script stands in the page itself: the security headers would not let it run. */
const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Serai API</title>
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`
const REFERENCE_START = `Scalar.createApiReference('#app', ${JSON.stringify(REFERENCE)})\n`
const SCRIPT = 'text/javascript; charset=utf-8'

/** The reference for people, made in the browser from the document. */
export async function addReferencePage(app: FastifyInstance): Promise<void> {
  let program: Promise<Buffer> | undefined
  const add = (url: string, type: string, content: () => string | Promise<Buffer>) =>
    app.get(
      url,
      {
        config: { operation: 'docs.page', access: 'public', internal: true },
        schema: { hide: true, response: { 200: {} } },
      },
      async (_request, reply) => {
        reply.header('content-type', type).header('cache-control', 'public, max-age=3600')
        return reply.send(await content())
      },
    )
  add('/docs', 'text/html; charset=utf-8', () => REFERENCE_PAGE)
  add('/docs/start.js', SCRIPT, () => REFERENCE_START)
  add('/docs/scalar.js', SCRIPT, () => {
    program ??= readFile(SCALAR)
    return program
  })
}
