import type { FastifyReply } from 'fastify'
import { AppError } from '../../domain/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Allowance, Count, Counters } from '../../store/counters.ts'
import type { Step } from '../passage.ts'

/**
 * One allowance for each account, and one for each address that has shown no good token. The answer always says
 * what is left (draft-ietf-httpapi-ratelimit-headers).
 */
export function spendAllowance(deps: {
  counters: Counters
  clock: Clock
  account: Allowance
  address: Allowance
}): Step {
  const policies = { account: policyOf('account', deps.account), address: policyOf('address', deps.address) }

  return (request, reply, { internal, cost = 1 }) => {
    if (internal === true) return undefined
    const name = request.caller === undefined ? 'address' : 'account'
    const allowance = deps[name]
    const judge = (count: Count) => {
      const now = deps.clock.now()
      announce(reply, policies[name], allowance, name, count, now)
      return count.used > allowance.quota ? tooMany(count.resetsAt - now) : undefined
    }
    const key = request.caller?.accountId ?? `address:${request.ip}`
    const counted = deps.counters.add(key, cost, allowance.windowMs)
    return counted instanceof Promise ? counted.then(judge) : judge(counted)
  }
}

/** A tighter limit inside one operation, by whatever key the operation knows. */
export async function spend(counters: Counters, clock: Clock, key: string, allowance: Allowance): Promise<void> {
  const count = await counters.add(key, 1, allowance.windowMs)
  if (count.used > allowance.quota) throw tooMany(count.resetsAt - clock.now())
}

const tooMany = (leftMs: number) =>
  new AppError('rate_limited', 'You have used up your allowance; wait for the time in retry-after.', {
    retryAfterMs: leftMs,
  })

const policyOf = (name: string, { quota, windowMs }: Allowance) =>
  `"${name}";q=${quota};w=${Math.round(windowMs / 1000)}`

function announce(
  reply: FastifyReply,
  policy: string,
  allowance: Allowance,
  name: string,
  count: Count,
  now: number,
): void {
  const left = Math.max(0, allowance.quota - count.used)
  reply.header('ratelimit-policy', policy)
  reply.header('ratelimit', `"${name}";r=${left};t=${Math.max(0, Math.ceil((count.resetsAt - now) / 1000))}`)
}
