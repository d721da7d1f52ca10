/**
 * What helmet would set, written down: none of it depends on the request, so nothing is worked out for one. The page may load
 * what it brought along and pictures; an API answer, shown as a document, may load nothing.
 */
const COMMON = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const

const API = {
  ...COMMON,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // Prices, guests and tokens are nobody else's, a shared cache's least of all.
  'cache-control': 'no-store',
} as const

const PAGE = {
  ...COMMON,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  // Pictures of real vendors come from their own hosts; everything else is ours.
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https:",
    "connect-src 'self'",
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const

/** Told to browsers only where they came by TLS, or a development page would lock itself out. */
const TRANSPORT = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } as const

/** The headers of an answer, by the address that was asked for. */
export function securityHeaders(options: { isSecure: boolean }): (url: string) => Readonly<Record<string, string>> {
  const transport = options.isSecure ? TRANSPORT : {}
  const api = { ...API, ...transport }
  const page = { ...PAGE, ...transport }
  return (url) => (url.startsWith('/api/') ? api : page)
}
