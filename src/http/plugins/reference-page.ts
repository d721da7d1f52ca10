import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'

/** Scalar's own program, as it comes in its package. Its server part would read a hundred files at every start. */
const SCALAR = new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'))

/** Its default fonts, telemetry, proxy and assistant would call home, so they are off. */
const REFERENCE = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  proxyUrl: '',
  agent: { disabled: true },
  showDeveloperTools: 'never',
  authentication: { preferredSecurityScheme: 'bearer' },
  metaData: { title: 'Serai API' },
}

/** No script stands in the page itself: the security headers would not let it run. Without an icon browsers ask for one. */
const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Serai API</title>
    <link rel="icon" href="data:," />
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
