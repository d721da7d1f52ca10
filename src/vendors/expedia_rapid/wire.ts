import { recordOf, textOf } from '../wire/read.ts'

/** Rapid's tokens have about 2.5 kB; anything longer than this would not pass as a request line. */
const PATH_MAX = 8_000
const VENDOR_HOST = /(^|\.)ean\.com$/

/**
 * The path and query of a link that Rapid gave us; undefined when it does not lead into its API. Only these two are
 * used, against the configured origin, so no link can send us or our signature elsewhere. Absolute links name Rapid's
 * public host even on a stand-in.
 */
export function apiPath(href: unknown, origin: string): string | undefined {
  if (typeof href !== 'string' || href.length > PATH_MAX || !URL.canParse(href, origin)) return undefined
  const url = new URL(href, origin)
  const isOurs = url.origin === new URL(origin).origin
  if (!isOurs && !(url.protocol === 'https:' && VENDOR_HOST.test(url.hostname))) return undefined
  if (url.username !== '' || url.password !== '' || !url.pathname.startsWith('/v3/')) return undefined
  return `${url.pathname}${url.search}`
}

/** A link and until when it can be followed. */
export function linkOf(value: unknown, origin: string) {
  const link = recordOf(value)
  const path = apiPath(link?.href, origin)
  const expiresAt = Date.parse(textOf(link?.expires))
  return path === undefined ? undefined : { path, expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt }
}

/** The page after this one: `Link: <https://…?token=…>; rel="next"; expires=…`. */
export function nextPage(header: string | undefined, origin: string): string | undefined {
  for (const [, href, parameters] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel="?next"?/i.test(parameters ?? '')) return apiPath(href, origin)
  }
  return undefined
}
