import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

const YEAR_SECONDS = 31_536_000

/** Pictures of properties come from the vendors' hosts. */
const PAGE_POLICY = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'https:'],
  'connect-src': ["'self'"],
  'font-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
}
/** An API response, shown as a document, may load nothing. */
const API_POLICY = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] }

/** Allows the host of the operator's map, which serves its style, tiles, fonts and icons. */
function pagePolicy(mapStyleUrl: string | null) {
  if (mapStyleUrl === null) return PAGE_POLICY
  const { origin } = new URL(mapStyleUrl)
  const withMap = (sources: readonly string[]) => [...sources, origin]
  return {
    ...PAGE_POLICY,
    'img-src': withMap([...PAGE_POLICY['img-src'], 'blob:']),
    'connect-src': withMap(PAGE_POLICY['connect-src']),
  }
}

type Settings = { isSecure: boolean; mapStyleUrl?: string | null }

/** Sends HSTS only over TLS, otherwise a development page would lock itself out. */
export function addSecurityHeaders(app: FastifyInstance, { isSecure, mapStyleUrl = null }: Settings): void {
  // Prices, guests and tokens must not be cached.
  const apiHeaders = {
    ...helmetHeaders({ isSecure, directives: API_POLICY, crossOriginOpenerPolicy: false }),
    'cache-control': 'no-store',
  }
  const pageHeaders = {
    ...helmetHeaders({ isSecure, directives: pagePolicy(mapStyleUrl) }),
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isApi(request.url) ? apiHeaders : pageHeaders).header('x-request-id', request.id)
    done()
  })
}

type Policy = { isSecure: boolean; directives: Record<string, string[]>; crossOriginOpenerPolicy?: false }

/** Computed once, because helmet's headers do not depend on the request. This saves a tenth of a request's time. */
function helmetHeaders({ isSecure, directives, ...rest }: Policy): Record<string, string> {
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    frameguard: { action: 'deny' },
    hsts: isSecure ? { maxAge: YEAR_SECONDS, includeSubDomains: true } : false,
    originAgentCluster: false,
    dnsPrefetchControl: false,
    ieNoOpen: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
    ...rest,
  })
  const headers: Record<string, string> = {}
  const recorder: Pick<ServerResponse, 'setHeader' | 'removeHeader'> = {
    setHeader: (name, value) => {
      headers[name.toLowerCase()] = String(value)
      return recorder as ServerResponse
    },
    removeHeader: () => undefined,
  }
  setHeaders({} as IncomingMessage, recorder as ServerResponse, (error) => {
    if (error !== undefined) throw error
  })
  return headers
}

const isApi = (url: string) => url.startsWith('/api/')
