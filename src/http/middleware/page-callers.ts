import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { NewSession, PageHolder } from '../../domain/page-session.ts'

export type PageCallers = ReturnType<typeof createPageCallers>

/** Browsers do not let other sites or subdomains set a cookie with this prefix, and accept it only over TLS. */
const SECURE_NAME = '__Host-serai_session'
export const PLAIN_NAME = 'serai_session'
/** Forms of other sites cannot send it, and scripts of other sites would need CORS permission. */
export const PAGE_HEADER = 'x-serai-page'
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD']

/**
 * Identifies callers by the page's session cookie. `SameSite=Strict` does not cover sibling subdomains and old browsers, so requests
 * must also prove that they come from our page.
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

    /** Undefined without a session; an error if this request may not use it. */
    async identify(request: FastifyRequest): Promise<PageHolder | AppError | undefined> {
      const secret = readCookie(request.headers.cookie, name)
      if (secret === undefined) return undefined
      if (!isFromPage(request, ownOrigin)) return crossSite()
      return sessions.holder(secret)
    },

    setCookie(reply: FastifyReply, { secret, expiresAt }: NewSession, now: number): void {
      const seconds = Math.max(1, Math.floor((expiresAt - now) / 1000))
      reply.header('set-cookie', `${name}=${secret}; Max-Age=${seconds}${attributes}`)
    },

    clearCookie(reply: FastifyReply): void {
      reply.header('set-cookie', `${name}=; Max-Age=0${attributes}`)
    },
  }
}

/** Reads must not come from another site. Changes must also have a header or content type that only our page can send. */
function isFromPage(request: FastifyRequest, ownOrigin: string): boolean {
  const { 'sec-fetch-site': site, origin, 'content-type': type } = request.headers
  if (SAFE_METHODS.includes(request.method)) return site === undefined || site === 'same-origin' || site === 'none'
  const isSameOrigin = site === undefined ? isOwn(origin, request, ownOrigin) : site === 'same-origin'
  return isSameOrigin && (request.headers[PAGE_HEADER] !== undefined || /^application\/json\b/i.test(type ?? ''))
}

/** The service may have other host names than the configured one, such as `localhost`. */
function isOwn(origin: string | undefined, { host, protocol }: FastifyRequest, ownOrigin: string): boolean {
  return origin !== undefined && (origin === ownOrigin || origin === `${protocol}://${host}`)
}

/** Ignores duplicate cookies, because another site may have set one of them. */
function readCookie(header: string | undefined, name: string): string | undefined {
  const found = (header ?? '').split(';').flatMap((part) => {
    const [key = '', value = ''] = part.trim().split('=', 2)
    return key === name ? [value] : []
  })
  return found.length === 1 && found[0] !== '' ? found[0] : undefined
}

const crossSite = () =>
  new AppError('unauthenticated', 'The page session is only accepted from the page itself. Programs must send a token.')
