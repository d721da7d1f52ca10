import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import type { GuestAccess } from '../../domain/guest-access.ts'
import type { PageCallers } from '../../http/middleware/page-callers.ts'
import { createStaticFile, type StaticFile } from '../../http/middleware/static-file.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { presentSession } from '../present.ts'
import { PageSession } from '../schemas.ts'

export type PageSettings = {
  readonly mode: string
  /** Shown pre-filled in development; null everywhere else. */
  readonly demo: { readonly email: string; readonly password: string } | null
  readonly mapStyleUrl: string | null
  /** Whether guests get mails; otherwise the page says nothing of them. */
  readonly mail: boolean
  readonly guests: GuestAccess
}

export type PageRouteDeps = {
  pageCallers: Pick<PageCallers, 'of'>
  /** Where the built page lies; without it only the API is served. */
  folder: string
  settings: PageSettings
  /** Pictures of the sandbox's properties, where there is a sandbox. */
  picture: ((path: string) => string | undefined) | undefined
}

const PageConfig = Type.Object(
  {
    mode: Type.String(),
    demo: nullable(Type.Object({ email: Type.String(), password: Type.String() })),
    map_style_url: nullable(Type.String()),
    mail: Type.Boolean(),
    guests: Type.Enum(['off', 'search', 'book']),
    session: nullable(PageSession),
  },
  {
    description: 'What the page needs to know when it opens: how the service is set up, and who is signed in.',
    examples: [{ mode: 'production', demo: null, map_style_url: null, mail: false, guests: 'off', session: null }],
  },
)

/** The addresses the page has a view for, the same as in `web/src/app.tsx`; at any other it shows "no such page". */
const VIEWS = ['/', '/search', '/property/:id', '/checkout', '/bookings', '/bookings/:id', '/console', '/console/*']
/** What programs ask for: a wrong address there is told as a problem, whatever the caller would like to read. */
const FOR_PROGRAMS = /^\/(api|assets)([/?]|$)/
const page = { description: 'The page.', content: { 'text/html': { schema: Type.String() } } }
const YEAR_SECONDS = 31_536_000

const open = (operation: string) => ({ operation, access: 'public' as const, internal: true })

export const pageRoutes: FastifyPluginAsync<PageRouteDeps> = async (
  app,
  { folder, settings, picture, pageCallers },
) => {
  addConfig(app, settings, pageCallers)

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
  // Read once: the assets it names are those of one build, and a new build comes with a restart.
  const index = readFileSync(join(folder, 'index.html'))
  const view = createStaticFile(() => index, { type: HTML, cacheControl: 'no-cache' })
  for (const url of VIEWS) {
    app.get(
      url,
      { config: open('page.view'), compress: false, schema: { hide: true, response: { 200: page } } },
      (request, reply) => view.send(request, reply),
    )
  }
  // Counted and limited like every address that leads nowhere, and by the same name.
  app.get(
    '*',
    { config: { operation: 'unmatched', access: 'public' }, schema: { hide: true, response: { 404: page } } },
    async (request, reply) => {
      reply.header('vary', 'accept')
      if (!isNavigation(request)) return reply.callNotFound()
      return reply.code(404).header('content-type', HTML).header('cache-control', 'no-cache').send(index)
    },
  )
  const assets = assetsIn(join(folder, 'assets'))
  app.get<{ Params: { '*': string } }>(
    '/assets/*',
    { config: open('page.asset'), compress: false, schema: { hide: true, response: { 200: {} } } },
    async (request, reply) => assets.get(request.params['*'])?.send(request, reply) ?? reply.callNotFound(),
  )
}

function addConfig(app: FastifyInstance, settings: PageSettings, pageCallers: Pick<PageCallers, 'of'>): void {
  const schema = { hide: true, response: { 200: PageConfig } }
  app.get('/page-config.json', { config: open('page.config'), schema }, async (request, reply) => {
    const holder = await pageCallers.of(request)
    reply.header('cache-control', 'no-store')
    return {
      mode: settings.mode,
      demo: settings.demo,
      map_style_url: settings.mapStyleUrl,
      mail: settings.mail,
      guests: settings.guests,
      session: holder === undefined || holder instanceof Error ? null : presentSession(holder),
    }
  })
}

const HTML = 'text/html; charset=utf-8'
/** What the build of the page writes; anything else is sent as bytes. */
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

/** By path; their names change with their content. */
function assetsIn(folder: string): ReadonlyMap<string, StaticFile> {
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

/** A person with a browser; a program that takes anything gets the problem document. */
function isNavigation({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  return headers.accept?.includes('text/html') === true && !FOR_PROGRAMS.test(url)
}

/**
 * The address that is routed. One that the router cannot read would be refused before any route is looked for: a person who
 * follows such a link gets the page, which says that there is no such page; programs are told what is wrong.
 */
export function readableAddress(request: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const url = pathOf(request.url ?? '/')
  return isUnreadable(url) && isNavigation(request) ? '/unreadable' : url
}

/** A request line may hold the absolute URL (RFC 9112, section 3.2.2); only what follows the host is used. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('/') || path === url ? path : `/${path}`
}

/** Whether the path has a percent sign that stands for no text. */
function isUnreadable(url: string): boolean {
  if (!url.includes('%')) return false
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return false
  } catch {
    return true
  }
}
