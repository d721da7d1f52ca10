import type { Clock } from '../../src/lib/time/clock.ts'
import { HOUR_MS } from '../../src/lib/time/durations.ts'
import type { StripeReply } from './refusal.ts'

type Kept = { readonly fingerprint: string; readonly reply: StripeReply; readonly at: number }

/** Replies by idempotency key, forgotten after `keyHours`. */
export function createIdempotencyKeys(clock: Clock, keyHours: () => number) {
  const kept = new Map<string, Kept>()
  const running = new Set<string>()

  const findKept = (key: string): Kept | undefined => {
    const found = kept.get(key)
    if (found === undefined || found.at + keyHours() * HOUR_MS > clock.now()) return found
    kept.delete(key)
    return undefined
  }

  return {
    /** True while the first request with this key is handled. */
    isRunning: (key: string): boolean => running.has(key),
    /** The reply to a request whose key is known; undefined if its work may begin. */
    replay(key: string, fingerprint: string): StripeReply | undefined {
      const found = findKept(key)
      if (found === undefined) return undefined
      if (found.fingerprint !== fingerprint) return mismatch(key)
      return { ...found.reply, headers: { ...found.reply.headers, 'idempotent-replayed': 'true' } }
    },
    keep(key: string, fingerprint: string, reply: StripeReply): void {
      if (reply.isKept) kept.set(key, { fingerprint, reply, at: clock.now() })
    },
    start: (key: string): void => void running.add(key),
    end: (key: string): void => void running.delete(key),
    forgetAll: (): void => kept.clear(),
  }
}

const mismatch = (key: string): StripeReply => ({
  status: 400,
  body: {
    error: {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with: '${key}'`,
    },
  },
  isKept: false,
})
