import { setTimeout as sleep } from 'node:timers/promises'
import type { VendorId } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { createFairTurns } from '../../lib/async/fair-queue.ts'
import type { Allowance, RateLimiter } from '../../lib/async/rate-limiter.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import { limitKind } from '../call-limits.ts'
import type { Quota, QuotaUsage } from '../capabilities.ts'
import { VendorError } from '../vendor-error.ts'
import type { Call } from './call.ts'

export type CreateLimiter = (name: string, allowance: Allowance) => RateLimiter

/** Maximum wait of a call that has no deadline of its own. */
const WAIT_MAX_MS = { search: 10_000, booking: 30_000, content: 60_000 } as const

/** Rejects at once if the wait would end after the call's deadline. */
export async function waitWithin(vendor: VendorId, waitMs: number, call: Call, context: CallContext): Promise<void> {
  const leftMs = (context.answerBy ?? Number.POSITIVE_INFINITY) - monotonicMs()
  const refuse = (cause?: unknown) =>
    new VendorError(vendor, 'throttled', 'none', { detail: 'over the call limit', retryAfterMs: waitMs, cause })
  if (waitMs > Math.min(leftMs, WAIT_MAX_MS[limitKind(call.class)])) throw refuse()
  await sleep(waitMs, undefined, { signal: context.signal }).catch((error: unknown) => {
    throw refuse(error)
  })
}

/** Calls over a quota wait for the next window, and accounts take turns. Kinds of calls do not wait for each other. */
export function createQuotaGate(vendor: VendorId, quotas: readonly Quota[], createLimiter: CreateLimiter) {
  const limited = quotas.map((quota) => {
    const { kind, amount, windowMs } = quota
    return { quota, limiter: createLimiter(`${vendor}:${kind}:${windowMs}`, { quota: amount, windowMs }) }
  })
  const turnsByKind = new Map(quotas.map(({ kind }) => [kind, createFairTurns({ running: 1 })]))

  async function spend({ quota, limiter }: (typeof limited)[number], call: Call, context: CallContext): Promise<void> {
    // A call that needs more than the whole quota gets all of it.
    const cost = Math.min(call.load ?? 1, quota.amount)
    for (;;) {
      let { left, resetInMs } = await limiter.read(vendor)
      if (left >= cost) {
        const spent = await limiter.spend(vendor, cost)
        if (!spent.isExceeded) return
        resetInMs = spent.resetInMs
      }
      await waitWithin(vendor, Math.max(1, resetInMs), call, context)
    }
  }

  return {
    async enter(call: Call, context: CallContext): Promise<void> {
      const kind = limitKind(call.class)
      const turns = turnsByKind.get(kind)
      if (turns === undefined) return
      using _turn = await turns.enter(context.accountId ?? '', context).catch((cause: unknown) => {
        throw new VendorError(vendor, 'throttled', 'none', { detail: 'over the call limit', cause })
      })
      for (const each of limited) if (each.quota.kind === kind) await spend(each, call, context)
    },
    usage: (): Promise<QuotaUsage[]> =>
      Promise.all(
        limited.map(async ({ quota, limiter }) => {
          const { left } = await limiter.read(vendor)
          return { ...quota, used: quota.amount - left }
        }),
      ),
  }
}
