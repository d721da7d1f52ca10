import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access, BookingOwner, KeyMode, Role, Scope } from '../../domain/access.ts'
import type { Actor } from '../../domain/actor.ts'
import { SIMULATED_OUTCOMES, type SimulatedOutcome } from '../../domain/simulation.ts'
import type { RequestContext } from '../../lib/async/call-context.ts'
import type { ListDefinition } from '../../lists/definition.ts'
import type { Safety } from '../operation.ts'
import { onClose } from '../streams/on-close.ts'

/** Who is calling, once their token has been checked. */
export type Caller = {
  readonly accountId: string
  readonly email: string
  readonly name: string
  readonly tokenHash: string
  readonly role: Role
  /** The page, with a session in place of a token. */
  readonly isPage?: boolean
  /** A user of this machine; `accountId` is their name there. */
  readonly isCommandLine?: boolean
  /** A visitor of the page without an account. */
  readonly isGuest?: boolean
  /** The API key that was sent in place of a token. */
  readonly key?: {
    readonly id: string
    readonly mode: KeyMode
    readonly scopes: readonly Scope[]
    /** Its own allowance, beside the account's. */
    readonly perMinute: number | undefined
  }
}

/** Values of `x-simulate-return`. Being turned away for asking too much is ours to simulate, not a vendor's. */
export const SIMULATIONS = [...SIMULATED_OUTCOMES, 'rate_limited'] as const

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** Why the caller could not be identified. */
    refusal: Error | undefined
    simulation: SimulatedOutcome | undefined
    /** The id of what the request has created, for the audit log. */
    created: string | undefined
    /** The code of the problem that was answered. */
    problemCode: string | undefined
    /** True once the handler runs, unless the operation is safe. */
    mayHaveActed: boolean
    /** What the request has made, where neither path nor query names it. */
    about: { readonly searchId?: string; readonly bookingId?: string } | undefined
    /** Takes more from the allowance than the operation's fixed cost; throws when that is too much. */
    charge: ((cost: number) => Promise<void>) | undefined
  }
  interface FastifyContextConfig {
    /** Stable name in logs, metrics and OpenAPI: `search.create`. */
    operation?: string
    access?: Access
    /** What the request costs against the account's allowance; 1 when absent. */
    cost?: number
    /** For operators and probes: never refused or charged, and kept out of the request log. */
    internal?: boolean
    /** Changes nothing, although the method is not GET: always, or if the query has `preview=true`. */
    safe?: Safety
    /** The list this operation answers; its parameters are documented from here and read by `answerList`. */
    list?: ListDefinition
    /** The same for an operation that answers a whole list in the order that is asked for. */
    ordered?: ListDefinition
  }
}

export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new Error('route declared public but read the caller')
  return request.caller
}

/** Who did it, as a booking's history names them. */
export function actorOf(request: FastifyRequest): Actor {
  const { accountId, key, isCommandLine } = callerOf(request)
  if (key !== undefined) return { kind: 'key', id: key.id }
  return { kind: isCommandLine === true ? 'operator' : 'account', id: accountId }
}

/** Whose bookings a request may see: the account's, with a test key only the simulated ones. */
export function ownerOf(request: FastifyRequest): BookingOwner {
  const { accountId, key } = callerOf(request)
  return { accountId, onlySimulated: key?.mode === 'test' }
}

/** Ends when the client hangs up before it was answered: then nobody waits for the vendors any more. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  onClose(reply.raw, () => {
    if (!reply.raw.writableFinished) controller.abort(new DOMException('client gone', 'AbortError'))
  })
  return controller.signal
}

/** Without a signal: a booking and a cancellation outlive the connection that asked for them. */
export function contextOf(request: FastifyRequest): RequestContext {
  const userAgent = request.headers['user-agent']
  return {
    requestId: request.id,
    customerIp: request.ip,
    ...(userAgent === undefined ? {} : { userAgent }),
  }
}

/** Who acts as an operator, with the request, as the history of bookings names them. */
export const operatorOf = (request: FastifyRequest): { readonly actor: Actor; readonly requestId: string } => ({
  actor: { kind: 'operator', id: callerOf(request).accountId },
  requestId: request.id,
})
