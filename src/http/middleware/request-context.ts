import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access, BookingOwner, KeyMode, Role, Scope } from '../../domain/access.ts'
import type { Actor } from '../../domain/actor.ts'
import type { AppError } from '../../domain/errors.ts'
import { SIMULATED_OUTCOMES, type Simulation } from '../../domain/simulation.ts'
import type { RequestContext } from '../../lib/async/call-context.ts'
import type { ListDefinition } from '../../lists/definition.ts'
import type { Idempotency, Safety, Tagging } from '../operation.ts'
import { onClose } from '../streams/on-close.ts'

/** Authenticated caller. */
export type Caller = {
  readonly accountId: string
  readonly email: string
  readonly name: string
  readonly tokenHash: string
  readonly role: Role
  /** The page, with a session instead of a token. */
  readonly isPage?: boolean
  /** `accountId` is then the name of the operating-system user. */
  readonly isCommandLine?: boolean
  /** Visitor of the page without an account. */
  readonly isGuest?: boolean
  /** Opened the link to one booking of this account. Nothing else is permitted, and net prices are never shown. */
  readonly isLinked?: boolean
  /** API key sent instead of a token. */
  readonly key?: {
    readonly id: string
    readonly mode: KeyMode
    readonly scopes: readonly Scope[]
    /** Its own rate limit, in addition to the account's. */
    readonly perMinute: number | undefined
  }
}

/** Values of `x-simulate-return`. `rate_limited` simulates our own 429, not a vendor's. */
export const SIMULATIONS = [...SIMULATED_OUTCOMES, 'rate_limited'] as const

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** Why the caller could not be identified. */
    refusal: Error | undefined
    simulation: Simulation | undefined
    /** Id of the created object, for the audit log. */
    created: string | undefined
    /** Values before and after the action by field, for the audit log. */
    changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>> | undefined
    /** Error code of the response. */
    problemCode: string | undefined
    /** The error of the response, for the log. */
    failure: AppError | undefined
    /** True once the handler runs, unless the operation is safe. */
    mayHaveActed: boolean
    /** Created search or booking, if neither path nor query contains its id. */
    about: { readonly searchId?: string; readonly bookingId?: string } | undefined
    /** Charges more than the operation's fixed cost; throws if the rate limit is exceeded. */
    charge: ((cost: number) => Promise<void>) | undefined
  }
  interface FastifyContextConfig {
    /** Stable name in logs, metrics and OpenAPI: `search.create`. */
    operation?: string
    access?: Access
    /** Units charged to the rate limit; 1 if absent. */
    cost?: number
    /** The handler charges the caller, so that it can word the refusal. */
    isChargedByHandler?: boolean
    /** True for a request that counts like a search in fair shares; decided by its body. */
    isShared?: (request: FastifyRequest) => boolean
    /** Files of the page, and probes, which have no rate limit. Not in the request log. */
    internal?: boolean
    /** Changes nothing, although the method is not GET: always, or if the query has `preview=true`. */
    safe?: Safety
    idempotency?: Idempotency
    etag?: Tagging
    ifMatch?: true
    /** List that the operation returns; defines its documented parameters. */
    list?: ListDefinition
    /** Same for an operation that returns a whole list in the requested order. */
    ordered?: ListDefinition
    views?: readonly string[]
  }
}

export function requireCaller(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new Error('a public route must not read the caller')
  return request.caller
}

/** Actor as recorded in a booking's history. */
export function toActor(request: FastifyRequest): Actor {
  const { accountId, key, isCommandLine } = requireCaller(request)
  if (key !== undefined) return { kind: 'key', id: key.id }
  return { kind: isCommandLine === true ? 'operator' : 'account', id: accountId }
}

/** With a test key, only simulated bookings are visible. */
export function bookingOwner(request: FastifyRequest): BookingOwner {
  const { accountId, key } = requireCaller(request)
  return { accountId, onlySimulated: key?.mode === 'test' }
}

/** Aborts when the client disconnects before the response is complete. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  onClose(reply.raw, () => {
    if (!reply.raw.writableFinished) controller.abort(new DOMException('client gone', 'AbortError'))
  })
  return controller.signal
}

/** Has no signal, because a booking or cancellation must outlive its connection. */
export function requestContext(request: FastifyRequest): RequestContext {
  const userAgent = request.headers['user-agent']
  return {
    requestId: request.id,
    customerIp: request.ip,
    ...(userAgent === undefined ? {} : { userAgent }),
  }
}

/** Operator as recorded in a booking's history. */
export const toOperator = (request: FastifyRequest): { readonly actor: Actor; readonly requestId: string } => ({
  actor: { kind: 'operator', id: requireCaller(request).accountId },
  requestId: request.id,
})
