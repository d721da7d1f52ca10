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

/** Hosts that a card form needs: scripts, frames and requests. */
export type CardFormHosts = Readonly<Record<'script' | 'frame' | 'connect', readonly string[]>>

type Policy = Readonly<Record<string, string[]>>

/**
 * Adds the host of the operator's map, which serves its style, tiles, fonts and icons, and the hosts of the card form.
 * The same for all views, because a visitor moves between them without loading another document.
 */
function pagePolicy({ mapStyleUrl, cardForm }: Settings): Policy {
  const map = typeof mapStyleUrl === 'string' ? [new URL(mapStyleUrl).origin] : []
  const { script = [], frame = [], connect = [] } = cardForm ?? {}
  return {
    ...PAGE_POLICY,
    'script-src': [...PAGE_POLICY['script-src'], ...script],
    'img-src': [...PAGE_POLICY['img-src'], ...(map.length === 0 ? [] : ['blob:', ...map])],
    'connect-src': [...PAGE_POLICY['connect-src'], ...map, ...connect],
    ...(frame.length === 0 ? {} : { 'frame-src': [...frame] }),
  }
}

type Settings = {
  readonly isSecure: boolean
  readonly mapStyleUrl?: string | null
  /** Undefined if the service takes no cards. */
  readonly cardForm?: CardFormHosts | undefined
}

/** Sends HSTS only over TLS, otherwise a development page would lock itself out. */
export function addSecurityHeaders(app: FastifyInstance, settings: Settings): void {
  const { isSecure } = settings
  // Prices, guests and tokens must not be cached.
  const apiHeaders = {
    ...helmetHeaders({ isSecure, directives: API_POLICY, crossOriginOpenerPolicy: false }),
    'cache-control': 'no-store',
  }
  const pageHeaders = {
    ...helmetHeaders({ isSecure, directives: pagePolicy(settings) }),
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isApi(request.url) ? apiHeaders : pageHeaders).header('x-request-id', request.id)
    done()
  })
}

type Headers = { isSecure: boolean; directives: Policy; crossOriginOpenerPolicy?: false }

/** Computed once, because helmet's headers do not depend on the request. This saves a tenth of a request's time. */
function helmetHeaders({ isSecure, directives, ...rest }: Headers): Record<string, string> {
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
