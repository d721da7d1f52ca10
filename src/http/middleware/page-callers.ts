import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { BegunSession, PageHolder } from '../../domain/page-session.ts'

export type PageCallers = ReturnType<typeof createPageCallers>

/** Browsers let no other site, subdomains included, set a cookie of this name; they take it over TLS only. */
const SECURE_NAME = '__Host-serai_session'
export const PLAIN_NAME = 'serai_session'
/** A form of another site cannot send it, and a script of another site must ask for permission, which it does not get. */
export const PAGE_HEADER = 'x-serai-page'
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD']

/**
 * The page's session cookie. `SameSite=Strict` already keeps other sites from using it; because pages on neighbouring
 * subdomains are not other sites, and old browsers exist, requests must also show that they come from our own page.
 */
export function createPageCallers(
  sessions: { holder(secret: string): Promise<PageHolder | undefined> },
  publicUrl: string,
) {
  const isSecure = publicUrl.startsWith('https:')
  const name = isSecure ? SECURE_NAME : PLAIN_NAME
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  const ownOrigin = new URL(publicUrl).origin

  function refuseOtherSites(request: FastifyRequest): void {
    if (!isFromPage(request, ownOrigin)) throw crossSite()
  }

  return {
    refuseOtherSites,

    /** Undefined where there is no session; an error where there is one that this request may not use. */
    async of(request: FastifyRequest): Promise<PageHolder | AppError | undefined> {
      const secret = cookieOf(request.headers.cookie, name)
      if (secret === undefined) return undefined
      if (!isFromPage(request, ownOrigin)) return crossSite()
      return sessions.holder(secret)
    },

    keep(reply: FastifyReply, { secret, expiresAt }: BegunSession, now: number): void {
      const seconds = Math.max(1, Math.floor((expiresAt - now) / 1000))
      reply.header('set-cookie', `${name}=${secret}; Max-Age=${seconds}${attributes}`)
    },

    drop(reply: FastifyReply): void {
      reply.header('set-cookie', `${name}=; Max-Age=0${attributes}`)
    },
  }
}

/** Reading needs no more than that no other site asks. Whatever changes something must look as only our page can make it look. */
function isFromPage(request: FastifyRequest, ownOrigin: string): boolean {
  const { 'sec-fetch-site': site, origin, 'content-type': type } = request.headers
  if (SAFE_METHODS.includes(request.method)) return site === undefined || site === 'same-origin' || site === 'none'
  const isSameOrigin = site === undefined ? isOwn(origin, request, ownOrigin) : site === 'same-origin'
  return isSameOrigin && (request.headers[PAGE_HEADER] !== undefined || /^application\/json\b/i.test(type ?? ''))
}

/** The service may have more names than the operator configured, such as `localhost` in development. */
function isOwn(origin: string | undefined, { host, protocol }: FastifyRequest, ownOrigin: string): boolean {
  return origin !== undefined && (origin === ownOrigin || origin === `${protocol}://${host}`)
}

/** Two of the same name: somebody else may have set one of them, so neither counts. */
function cookieOf(header: string | undefined, name: string): string | undefined {
  const found = (header ?? '').split(';').flatMap((part) => {
    const [key = '', value = ''] = part.trim().split('=', 2)
    return key === name ? [value] : []
  })
  return found.length === 1 && found[0] !== '' ? found[0] : undefined
}

const crossSite = () =>
  new AppError(
    'unauthenticated',
    'The session of the page is accepted only from the page itself; programs use a token.',
  )
