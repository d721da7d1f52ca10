import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { extname, join } from 'node:path'
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { createStaticFile, type StaticFile } from '../../http/middleware/static-file.ts'

export type PageRouteDeps = {
  /** Folder of the built page; without it only the API is served. */
  folder: string
  /** Undefined without the sandbox. */
  picture: ((path: string) => string | undefined) | undefined
}

/** Views of the page, the same as in `web/src/app.tsx`; any other path shows "not found". */
const VIEWS = [
  '/',
  '/search',
  '/property/:id',
  '/checkout',
  '/bookings',
  '/bookings/:id',
  '/pay/:payment_id',
  '/console',
  '/console/*',
]
/** Files of views that load their code at once; web/preload-pages.ts writes them. */
const OWN_FILES: Readonly<Record<string, string>> = { '/search': 'search.html', '/property/:id': 'property.html' }
/** Unknown paths below these return a problem document, whatever `accept` says. */
const PROGRAM_PATHS = /^\/(api|assets)([/?]|$)/
const page = { description: 'The page.', content: { 'text/html': { schema: Type.String() } } }
const YEAR_SECONDS = 31_536_000

const open = (operation: string) => ({ operation, access: 'public' as const, internal: true })

export const pageRoutes: FastifyPluginAsync<PageRouteDeps> = async (app, { folder, picture }) => {
  if (picture !== undefined) {
    app.get(
      '/sandbox/pictures/*',
      {
        config: open('page.picture'),
        schema: {
          hide: true,
          response: { 200: { description: 'SVG.', content: { 'image/svg+xml': { schema: Type.String() } } } },
        },
      },
      async (request, reply) => {
        const svg = picture(request.url.slice('/sandbox/pictures/'.length))
        if (svg === undefined) return reply.callNotFound()
        return reply
          .header('content-type', 'image/svg+xml')
          .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
          .send(svg)
      },
    )
  }

  if (!existsSync(join(folder, 'index.html'))) return
  // Read once: a new build comes with a restart.
  const index = readFileSync(join(folder, 'index.html'))
  for (const url of VIEWS) {
    const own = join(folder, OWN_FILES[url] ?? 'index.html')
    const content = existsSync(own) ? readFileSync(own) : index
    const view = createStaticFile(() => content, { type: HTML, cacheControl: 'no-cache' })
    app.get(
      url,
      { config: open('page.view'), compress: false, schema: { hide: true, response: { 200: page } } },
      (request, reply) => view.send(request, reply),
    )
  }
  // Counted and rate-limited like every unknown path.
  app.get(
    '*',
    { config: { operation: 'unmatched', access: 'public' }, schema: { hide: true, response: { 404: page } } },
    async (request, reply) => {
      reply.header('vary', 'accept')
      if (!isNavigation(request)) return reply.callNotFound()
      return reply.code(404).header('content-type', HTML).header('cache-control', 'no-cache').send(index)
    },
  )
  const assets = readAssets(join(folder, 'assets'))
  app.get<{ Params: { '*': string } }>(
    '/assets/*',
    { config: open('page.asset'), compress: false, schema: { hide: true, response: { 200: {} } } },
    async (request, reply) => assets.get(request.params['*'])?.send(request, reply) ?? reply.callNotFound(),
  )
}

const HTML = 'text/html; charset=utf-8'
/** Types that the build writes; others are sent as bytes. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Keyed by path. File names contain a content hash. */
function readAssets(folder: string): ReadonlyMap<string, StaticFile> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const type = TYPES[extname(path)] ?? 'application/octet-stream'
      const cacheControl = `public, max-age=${YEAR_SECONDS}, immutable`
      return [
        path.slice(folder.length + 1).replaceAll('\\', '/'),
        createStaticFile(() => readFile(path), { type, cacheControl }),
      ]
    }),
  )
}

/** True for browsers; other clients get a problem document. */
function isNavigation({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  return headers.accept?.includes('text/html') === true && !PROGRAM_PATHS.test(url)
}

/** A malformed path shows "not found" in a browser; programs get a problem document. */
export function routablePath(request: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const url = toPath(request.url ?? '/')
  return isMalformed(url) && isNavigation(request) ? '/unreadable' : url
}

/** A request line may contain an absolute URL (RFC 9112, section 3.2.2). */
function toPath(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('/') || path === url ? path : `/${path}`
}

/** True if the path contains an invalid percent-encoding. */
function isMalformed(url: string): boolean {
  if (!url.includes('%')) return false
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return false
  } catch {
    return true
  }
}
