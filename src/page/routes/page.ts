import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import type { GuestAccess } from '../../domain/guest-access.ts'
import type { ExchangeRates } from '../../domain/money/exchange.ts'
import { isLoopbackHost } from '../../http/metrics.ts'
import type { PageCallers } from '../../http/middleware/page-callers.ts'
import { createStaticFile, type StaticFile } from '../../http/middleware/static-file.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Day } from '../../http/schemas/scalars.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { CardForm } from '../../payments/card-form.ts'
import { presentPageSession } from '../present.ts'
import { PageSession } from '../schemas.ts'

export type PageSettings = {
  readonly mode: string
  /** Pre-filled in development, null otherwise. */
  readonly demo: { readonly email: string; readonly password: string } | null
  readonly mapStyleUrl: string | null
  /** False if mails are disabled; the page then does not mention them. */
  readonly mail: boolean
  readonly guests: GuestAccess
  /** For showing a list in another currency without another search. */
  readonly exchangeRates: () => ExchangeRates
  /** Undefined if the service takes no cards. */
  readonly cardForm?: CardForm | undefined
}

export type PageRouteDeps = {
  pageCallers: Pick<PageCallers, 'identify' | 'renew'>
  clock: Clock
  /** Folder of the built page; without it only the API is served. */
  folder: string
  settings: PageSettings
  /** Undefined without the sandbox. */
  picture: ((path: string) => string | undefined) | undefined
}

const CardFormSource = Type.Object(
  {
    provider: Type.String(),
    publishable_key: Type.String(),
    script: Type.Optional(Type.String()),
    form: Type.Optional(Type.String()),
  },
  { description: 'Card form of the payment provider: its script, or in development the form of its stand-in.' },
)

const PageConfig = Type.Object(
  {
    mode: Type.String(),
    demo: nullable(Type.Object({ email: Type.String(), password: Type.String() })),
    map_style_url: nullable(Type.String()),
    mail: Type.Boolean(),
    guests: Type.Enum(['off', 'search', 'book']),
    exchange_rates: Type.Object({ date: Day, rates: Type.Record(Type.String(), Type.Number()) }),
    session: nullable(PageSession),
    payments: Type.Optional(CardFormSource),
  },
  {
    description: 'Settings of the service and the current session, read by the page when it opens.',
    examples: [
      {
        mode: 'production',
        demo: null,
        map_style_url: null,
        mail: false,
        guests: 'off',
        exchange_rates: { date: '2027-01-15', rates: { EUR: 1, USD: 1.08 } },
        session: null,
      },
    ],
  },
)

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

export const pageRoutes: FastifyPluginAsync<PageRouteDeps> = async (
  app,
  { folder, settings, picture, pageCallers, clock },
) => {
  addConfig(app, settings, { pageCallers, clock })

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

type SessionDeps = Pick<PageRouteDeps, 'pageCallers' | 'clock'>

function addConfig(app: FastifyInstance, settings: PageSettings, { pageCallers, clock }: SessionDeps): void {
  const schema = { hide: true, response: { 200: PageConfig } }
  app.get('/page-config.json', { config: open('page.config'), schema }, async (request, reply) => {
    const found = await pageCallers.identify(request)
    const holder = found instanceof Error ? undefined : found
    if (holder !== undefined) await pageCallers.renew(request, reply, holder, clock.now())
    reply.header('cache-control', 'no-store')
    return {
      mode: settings.mode,
      demo: isLoopbackHost(request) ? settings.demo : null,
      map_style_url: settings.mapStyleUrl,
      mail: settings.mail,
      guests: settings.guests,
      exchange_rates: settings.exchangeRates(),
      session: holder === undefined ? null : presentPageSession(holder),
      ...(settings.cardForm && { payments: presentCardForm(settings.cardForm) }),
    }
  })
}

const presentCardForm = ({ provider, publishableKey, source }: CardForm) => ({
  provider,
  publishable_key: publishableKey,
  ...source,
})

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
