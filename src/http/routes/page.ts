import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

export type PageSettings = {
  readonly mode: string
  /** Shown pre-filled in development; null everywhere else. */
  readonly demo: { readonly email: string; readonly password: string } | null
  readonly tileStyleUrl: string | null
}

type Deps = {
  /** Where the built page lies; without it only the API is served. */
  folder: string
  settings: PageSettings
  /** Pictures of the sandbox's properties, where there is a sandbox. */
  picture: ((path: string) => string | undefined) | undefined
}

const PageConfig = Type.Object(
  {
    mode: Type.String(),
    demo: Type.Union([Type.Object({ email: Type.String(), password: Type.String() }), Type.Null()]),
    tile_style_url: Type.Union([Type.String(), Type.Null()]),
  },
  {
    description: 'What the page needs to know before anybody has signed in.',
    examples: [{ mode: 'production', demo: null, tile_style_url: null }],
  },
)

/** The addresses the page has a view for, the same as in `web/src/app.tsx`; at any other it shows "no such page". */
const VIEWS = ['/', '/search', '/property/:id', '/checkout', '/bookings', '/bookings/:id']
/** What programs ask for: a wrong address there is told as a problem, whatever the caller would like to read. */
const FOR_PROGRAMS = /^\/(api|assets)([/?]|$)/
const page = { description: 'The page.', content: { 'text/html': { schema: Type.String() } } }
const YEAR_SECONDS = 31_536_000

export const pageRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { folder, settings, picture }) => {
  const open = (operation: string) => ({ operation, access: 'public' as const, internal: true })

  app.get(
    '/page-config.json',
    { config: open('page.config'), schema: { hide: true, response: { 200: PageConfig } } },
    async () => ({ mode: settings.mode, demo: settings.demo, tile_style_url: settings.tileStyleUrl }),
  )

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
        if (svg === undefined) return reply.callNotFound() as never
        return reply
          .header('content-type', 'image/svg+xml')
          .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
          .send(svg) as never
      },
    )
  }

  if (!existsSync(join(folder, 'index.html'))) return
  // Read once: the assets it names are those of one build, and a new build comes with a restart.
  const index = readFileSync(join(folder, 'index.html'), 'utf8')
  const sendPage = (reply: FastifyReply) =>
    reply.header('content-type', 'text/html; charset=utf-8').header('cache-control', 'no-cache').send(index) as never
  for (const url of VIEWS) {
    app.get(
      url,
      { config: open('page.view'), schema: { hide: true, response: { 200: page } } },
      async (_request, reply) => sendPage(reply),
    )
  }
  // Counted and limited like every address that leads nowhere, and by the same name.
  app.get(
    '*',
    { config: { operation: 'unmatched', access: 'public' }, schema: { hide: true, response: { 404: page } } },
    async (request, reply) => {
      reply.header('vary', 'accept')
      return isNavigation(request) ? sendPage(reply.code(404)) : (reply.callNotFound() as never)
    },
  )
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...open('page.asset') }
      route.schema = { ...route.schema, hide: true, response: { 200: {} } }
    })
    await scope.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: YEAR_SECONDS * 1000,
      decorateReply: false,
    })
  })
}

/** A person with a browser; a program that takes anything gets the problem document. */
function isNavigation({ url, headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true && !FOR_PROGRAMS.test(url)
}
