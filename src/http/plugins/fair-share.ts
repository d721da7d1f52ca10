import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/app-error.ts'
import { monotonicMs } from '../../lib/clock.ts'

const SAMPLE_MS = 20
/** From here on callers feel that the loop is late; all at once, they would make it later. */
const LATE_MS = 30
/** A sample is believed this long: one late turn of the loop is followed by an idle one. */
const REMEMBERED_MS = 300
/** What any account may have under way, however busy it is. */
const SHARE_MIN = 2
/** Who was here this recently counts as being here. */
const PRESENT_MS = 3_000
const ACCOUNTS_MAX = 10_000

type Presence = { underway: number; seenAt: number }

/**
 * While the process is behind and several accounts are at work, the one that asks for most waits, not all of them. Only
 * searches are counted and refused: booking, and looking at what was booked, goes on. Alone, an account may have it all.
 */
export function addFairShare(app: FastifyInstance): void {
  const accounts = new Map<string, Presence>()
  let lateUntil = 0
  let timer: NodeJS.Timeout | undefined

  app.addHook('onListen', (done) => {
    let last = monotonicMs()
    timer = setInterval(() => {
      const now = monotonicMs()
      if (now - last - SAMPLE_MS > LATE_MS) lateUntil = now + REMEMBERED_MS
      last = now
      if (accounts.size > ACCOUNTS_MAX) forgetGone(accounts, now)
    }, SAMPLE_MS).unref()
    done()
  })
  app.addHook('onClose', (_instance, done) => {
    clearInterval(timer)
    done()
  })

  // After authentication, which was added before.
  app.addHook('onRequest', (request, reply, done) => {
    const { caller } = request
    if (caller === undefined) return done()
    const now = monotonicMs()
    const presence = accounts.get(caller.accountId) ?? { underway: 0, seenAt: now }
    accounts.set(caller.accountId, presence)
    presence.seenAt = now
    if (request.routeOptions.config.operation?.startsWith('search.') !== true) return done()

    if (now < lateUntil && presence.underway >= SHARE_MIN && isCrowded(accounts, presence, now)) {
      return done(
        new AppError('rate_limited', 'The service is busy and you have several searches under way; wait for one.', {
          retryAfterMs: 1_000,
        }),
      )
    }
    presence.underway += 1
    reply.raw.once('close', () => {
      presence.underway -= 1
    })
    done()
  })
}

/** Whether anybody else is here. Seldom asked, and the first few answer it. */
function isCrowded(accounts: ReadonlyMap<string, Presence>, but: Presence, now: number): boolean {
  for (const one of accounts.values()) {
    if (one !== but && (one.underway > 0 || now - one.seenAt < PRESENT_MS)) return true
  }
  return false
}

function forgetGone(accounts: Map<string, Presence>, now: number): void {
  for (const [id, { underway, seenAt }] of accounts) {
    if (underway === 0 && now - seenAt >= PRESENT_MS) accounts.delete(id)
  }
}
