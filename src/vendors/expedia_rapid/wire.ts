import { asRecord, asText } from '../wire/read.ts'

/** Rapid's tokens have about 2.5 kB; a longer path would be rejected as a request line. */
const PATH_MAX = 8_000
const VENDOR_HOST = /(^|\.)ean\.com$/

/**
 * Path and query of a link from Rapid; undefined if it does not lead to its API. Links are resolved against the
 * configured origin, so that no link can send us or our signature elsewhere; absolute links name Rapid's public host
 * even in a sandbox.
 */
export function apiPath(href: unknown, origin: string): string | undefined {
  if (typeof href !== 'string' || href.length > PATH_MAX || !URL.canParse(href, origin)) return undefined
  const url = new URL(href, origin)
  const isOurs = url.origin === new URL(origin).origin
  if (!isOurs && !(url.protocol === 'https:' && VENDOR_HOST.test(url.hostname))) return undefined
  if (url.username !== '' || url.password !== '' || !url.pathname.startsWith('/v3/')) return undefined
  return `${url.pathname}${url.search}`
}

export function readApiLink(value: unknown, origin: string) {
  const link = asRecord(value)
  const path = apiPath(link?.href, origin)
  const expiresAt = Date.parse(asText(link?.expires))
  return path === undefined ? undefined : { path, expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt }
}

/** Parses `Link: <https://…?token=…>; rel="next"; expires=…`. */
export function nextPage(header: string | undefined, origin: string): string | undefined {
  for (const [, href, parameters] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel="?next"?/i.test(parameters ?? '')) return apiPath(href, origin)
  }
  return undefined
}
