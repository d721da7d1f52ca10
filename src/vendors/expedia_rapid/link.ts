import { recordOf, type WireLink } from './wire.ts'

/** Anything longer is no token of Rapid's (about 2.5 kB) and would not pass as a request line. */
const PATH_MAX = 8_000
const VENDOR_HOST = /(^|\.)ean\.com$/

/**
 * The path and query of a link the vendor gave us, or undefined when it does not lead into its own API. Only these
 * two are ever used: the origin is always the configured one, so a link can never send us, or our signature, elsewhere.
 * Links are relative or absolute; the absolute ones name the vendor's public host even on a stand-in.
 */
export function apiPath(href: unknown, origin: string): string | undefined {
  if (typeof href !== 'string' || href.length > PATH_MAX || !URL.canParse(href, origin)) return undefined
  const url = new URL(href, origin)
  const ours = url.origin === new URL(origin).origin
  if (!ours && !(url.protocol === 'https:' && VENDOR_HOST.test(url.hostname))) return undefined
  if (url.username !== '' || url.password !== '' || !url.pathname.startsWith('/v3/')) return undefined
  return `${url.pathname}${url.search}`
}

export type FollowedLink = { readonly path: string; readonly expiresAt: number | undefined }

export function linkOf(value: unknown, origin: string): FollowedLink | undefined {
  const link = recordOf<WireLink>(value)
  const path = apiPath(link?.href, origin)
  if (path === undefined) return undefined
  const expires = typeof link?.expires === 'string' ? Date.parse(link.expires) : Number.NaN
  return { path, expiresAt: Number.isNaN(expires) ? undefined : expires }
}

/** The page after this one: `Link: <https://…?token=…>; rel="next"; expires=…`. */
export function nextPage(header: string | undefined, origin: string): string | undefined {
  for (const [, href, parameters] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel="?next"?/i.test(parameters ?? '')) return apiPath(href, origin)
  }
  return undefined
}
