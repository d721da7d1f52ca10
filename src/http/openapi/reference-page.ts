import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { createStaticFile, type StaticFile } from '../middleware/static-file.ts'

/** Scalar's browser bundle. Its server plugin would read a hundred files at every start. */
const SCALAR = new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'))

/** Turns off everything that would call Scalar's servers. */
const REFERENCE = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  authentication: { preferredSecurityScheme: 'bearer' },
  metaData: { title: 'Serai API' },
}

/** Has no inline script, which the security headers would block. The empty icon prevents a request for one. */
const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Serai API</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <p style="margin: 0; padding: 0.5rem 1rem; font: 14px system-ui, sans-serif"><a href="/docs/guides">Guides</a></p>
    <div id="app"></div>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`
const REFERENCE_START = `Scalar.createApiReference('#app', ${JSON.stringify(REFERENCE)})\n`
const SCRIPT = 'text/javascript; charset=utf-8'

/** Rendered in the browser from the OpenAPI document. */
export function addReferencePage(app: FastifyInstance): void {
  const html = docsFile('text/html; charset=utf-8', () => REFERENCE_PAGE)
  const start = docsFile(SCRIPT, () => REFERENCE_START)
  const scalar = docsFile(SCRIPT, () => readFile(SCALAR))
  addDocsFile(app, '/docs', html)
  addDocsFile(app, '/docs/start.js', start)
  addDocsFile(app, '/docs/scalar.js', scalar)
}

/** Options of documentation routes, which are hidden from the API description. */
export const DOCS_ROUTE = {
  config: { operation: 'docs.page', access: 'public', internal: true },
  compress: false,
  schema: { hide: true, response: { 200: {} } },
} as const

export const addDocsFile = (app: FastifyInstance, url: string, file: StaticFile) =>
  app.get(url, DOCS_ROUTE, (request, reply) => file.send(request, reply))

export const docsFile = (type: string, read: () => string | Promise<Buffer>): StaticFile =>
  createStaticFile(async () => Buffer.from(await read()), { type, cacheControl: 'public, max-age=3600' })
