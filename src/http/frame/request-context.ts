import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../domain/actor.ts'
import { SIMULATED_OUTCOMES, type SimulatedOutcome } from '../../domain/simulation.ts'
import type { CallContext } from '../../lib/call-context.ts'
import type { ListDefinition } from '../../lists/definition.ts'

/** Who is calling, once their token has been checked. */
export type Caller = {
  readonly accountId: string
  readonly email: string
  readonly name: string
  readonly tokenHash: string
  /** Set where the caller is the page, with a session in place of a token. */
  readonly page?: { readonly sessionHash: string; readonly expiresAt: number }
  /** A visitor of the page without an account. */
  readonly isGuest?: boolean
}

/** Values of `x-simulate-return`. Being turned away for asking too much is ours to simulate, not a vendor's. */
export const SIMULATIONS = [...SIMULATED_OUTCOMES, 'rate_limited'] as const

/** `public` needs no token, `account` any valid one. */
export type Access = 'public' | 'account'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** Why the caller could not be identified. */
    refusal: Error | undefined
    simulation: SimulatedOutcome | undefined
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
export const actorOf = (request: FastifyRequest): Actor => ({ kind: 'account', id: callerOf(request).accountId })

/** Ends when the client hangs up before it was answered: then nobody waits for the vendors any more. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new DOMException('client gone', 'AbortError'))
  })
  return controller.signal
}

export function contextOf(request: FastifyRequest, signal: AbortSignal): CallContext {
  const userAgent = request.headers['user-agent']
  return {
    signal,
    requestId: request.id,
    customerIp: request.ip,
    ...(userAgent === undefined ? {} : { userAgent }),
  }
}
