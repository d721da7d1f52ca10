import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { RateLimiter } from '../../lib/async/rate-limiter.ts'
import { addressKey } from '../../lib/net/address-key.ts'

/**
 * Limits each account with all of its keys, each guest, and each address without a valid token. Responses report the rest
 * (draft-ietf-httpapi-ratelimit-headers).
 */
export const spendAllowance =
  (limiters: Record<'account' | 'key' | 'address' | 'guest' | 'page', RateLimiter>): onRequestAsyncHookHandler =>
  async (request, reply) => {
    const { operation, internal, cost = 1, isChargedByHandler } = request.routeOptions.config
    if (operation?.startsWith('health.') === true) return
    if (internal === true) return spend(limiters.page, addressKey(request.ip))
    // The holder of a link must not use up the allowance of its account.
    const caller = request.caller?.isLinked === true ? undefined : request.caller
    const limiter =
      caller === undefined ? limiters.address : caller.isGuest === true ? limiters.guest : limiters.account
    const { name, allowance } = limiter
    reply.header('ratelimit-policy', `"${name}";q=${allowance.quota};w=${Math.round(allowance.windowMs / 1000)}`)
    request.charge = async (units) => {
      const { left, isExceeded, resetInMs } = await limiter.spend(caller?.accountId ?? addressKey(request.ip), units)
      reply.header('ratelimit', `"${name}";r=${left};t=${Math.ceil(resetInMs / 1000)}`)
      if (isExceeded) throw rateLimited(resetInMs)
      await chargeKey(limiters.key, request, reply, units)
    }
    if (caller === undefined || isChargedByHandler !== true) await request.charge(cost)
  }

/** If the key has its own limit, the headers report that one. */
async function chargeKey(limiter: RateLimiter, request: FastifyRequest, reply: FastifyReply, units: number) {
  const { id, perMinute } = request.caller?.key ?? {}
  if (id === undefined || perMinute === undefined) return
  const { left, resetInMs } = await limiter.spend(id, units)
  const rest = perMinute - (limiter.allowance.quota - left)
  const { name, allowance } = limiter
  reply.header('ratelimit-policy', `"${name}";q=${perMinute};w=${Math.round(allowance.windowMs / 1000)}`)
  reply.header('ratelimit', `"${name}";r=${Math.max(0, rest)};t=${Math.ceil(resetInMs / 1000)}`)
  if (rest < 0) throw rateLimited(resetInMs)
}

/** Additional limit inside an operation. */
export async function spend(limiter: RateLimiter, key: string, cost = 1): Promise<void> {
  const { isExceeded, resetInMs } = await limiter.spend(key, cost)
  if (isExceeded) throw rateLimited(resetInMs)
}

const rateLimited = (retryAfterMs: number) =>
  new AppError('rate_limited', 'You have reached your rate limit. Wait for the time in retry-after.', { retryAfterMs })
