import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { LinkHolder, NewSession, PageHolder } from '../../domain/page-session.ts'

export type PageCallers = ReturnType<typeof createPageCallers>

/** Browsers do not let other sites or subdomains set a cookie with this prefix, and accept it only over TLS. */
const SECURE_NAME = '__Host-serai_session'
export const PLAIN_NAME = 'serai_session'
/** `__Host-` would need the path `/`; this cookie is only sent with calls about its booking. */
const LINK_NAME = 'serai_booking'
const linkPath = (bookingId: string) => `/api/accommodation/bookings/${bookingId}`
/** All that the link to a booking permits. */
const LINKED: readonly string[] = ['booking.show', 'booking.voucher', 'booking.receipt', 'booking.cancel']
/** Forms of other sites cannot send it, and scripts of other sites would need CORS permission. */
export const PAGE_HEADER = 'x-serai-page'
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD']

/**
 * Identifies callers by the page's session cookie. `SameSite=Strict` does not cover sibling subdomains and old browsers, so requests
 * must also prove that they come from our page.
 */
export function createPageCallers(
  sessions: {
    holder(secret: string): Promise<PageHolder | undefined>
    renew(holder: PageHolder): Promise<number | undefined>
  },
  links: { holder(token: string): Promise<LinkHolder | undefined> },
  publicUrl: string,
) {
  const isSecure = publicUrl.startsWith('https:')
  const name = isSecure ? SECURE_NAME : PLAIN_NAME
  const linkName = isSecure ? `__Secure-${LINK_NAME}` : LINK_NAME
  const flags = `; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  const attributes = `; Path=/${flags}`
  const ownOrigin = new URL(publicUrl).origin

  function refuseOtherSites(request: FastifyRequest): void {
    if (!isFromPage(request, ownOrigin)) throw crossSite()
  }

  const setCookie = (reply: FastifyReply, { secret, expiresAt }: Secret, now: number): void =>
    void reply.header('set-cookie', `${name}=${secret}; Max-Age=${secondsUntil(expiresAt, now)}${attributes}`)

  return {
    refuseOtherSites,

    /** Undefined without a session; an error if this request may not use it. */
    async identify(request: FastifyRequest): Promise<PageHolder | AppError | undefined> {
      const secret = readCookie(request.headers.cookie, name)
      if (secret === undefined) return undefined
      if (!isFromPage(request, ownOrigin)) return crossSite()
      return sessions.holder(secret)
    },

    /** Undefined unless the browser has opened this booking with its link. */
    async identifyLink(request: FastifyRequest): Promise<LinkHolder | undefined> {
      if (!LINKED.includes(request.routeOptions.config.operation ?? '')) return undefined
      const token = readCookie(request.headers.cookie, linkName)
      if (token === undefined || !isFromPage(request, ownOrigin)) return undefined
      const link = await links.holder(token)
      return link?.bookingId === Object(request.params).booking_id ? link : undefined
    },

    setCookie,

    /** Extends the session of a guest who still uses it. */
    async renew(request: FastifyRequest, reply: FastifyReply, holder: PageHolder, now: number): Promise<void> {
      const secret = readCookie(request.headers.cookie, name)
      const expiresAt = await sessions.renew(holder)
      if (secret !== undefined && expiresAt !== undefined) setCookie(reply, { secret, expiresAt }, now)
    },

    setLinkCookie(reply: FastifyReply, { bookingId, secret, expiresAt }: LinkHolder & Secret, now: number): void {
      const age = `Max-Age=${secondsUntil(expiresAt, now)}; Path=${linkPath(bookingId)}`
      reply.header('set-cookie', `${linkName}=${secret}; ${age}${flags}`)
    },

    clearLinkCookie(reply: FastifyReply, bookingId: string): void {
      reply.header('set-cookie', `${linkName}=; Max-Age=0; Path=${linkPath(bookingId)}${flags}`)
    },

    clearCookie(reply: FastifyReply): void {
      reply.header('set-cookie', `${name}=; Max-Age=0${attributes}`)
    },
  }
}

type Secret = Pick<NewSession, 'secret' | 'expiresAt'>

const secondsUntil = (expiresAt: number, now: number): number => Math.max(1, Math.floor((expiresAt - now) / 1000))

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
