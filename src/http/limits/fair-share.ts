import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { createFairQueue, type FairQueue } from '../../lib/async/fair-queue.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import { onClose } from '../streams/on-close.ts'
import { createLoopLoad, SAMPLE_MS } from './loop-load.ts'
import { sharerOf, waitForTurn } from './waiting-line.ts'

/** An account that had to wait goes on waiting its turn until it has asked for no more than it gets for this long. */
const PACED_MS = 500
/** So many searches begun within so short a time are more than a process can do: no need to wait until it shows. */
const RUSH = { searches: 8, withinMs: 100 }
/** What any account may have under way, however busy the process is. */
const SHARE_MIN = 2
/** And the most, however idle: answers that are not fetched are held in memory. */
const UNDERWAY_MAX = 50
/** Who was here this recently counts as being here. */
const PRESENT_MS = 3_000
const ACCOUNTS_MAX = 10_000
/** At most this many of one account wait: two to four seconds, about what a client gives a search. */
const WAITING_MAX = 16

type Presence = { underway: number; seenAt: number; pacedUntil: number; rush: { since: number; begun: number } }

/**
 * While the process is behind, or about to be, and several accounts are at work, the one that asks for most waits, not all of
 * them: its searches wait in a short line and are let in one at a time; what finds the line full is refused.
 * Booking, and looking at what was booked, never waits. Alone, an account may have it all.
 */
export function shareFairly(app: FastifyInstance): onRequestAsyncHookHandler {
  const accounts = new Map<string, Presence>()
  const line = createFairQueue({ waitingPerKey: WAITING_MAX })
  const load = createLoopLoad()
  const isOpen = letInFromLine(app, line, load, (now) => forgetGone(accounts, now))

  return async (request, reply) => {
    const { caller } = request
    const { operation } = request.routeOptions.config
    if (caller === undefined) return
    const now = monotonicMs()
    const who = sharerOf(caller, request.ip)
    const presence = accounts.get(who) ?? newPresence(now)
    accounts.set(who, presence)
    presence.seenAt = now
    if (operation?.startsWith('search.') !== true) return

    if (presence.underway >= UNDERWAY_MAX) throw busy()
    const isBehind = load.isBehind(now) && presence.underway >= SHARE_MIN
    const isPaced = isBehind || isRushing(presence, now) || now < presence.pacedUntil
    // Before the process listens, and while it closes, nobody is let in from the line.
    if (isPaced && isOpen() && isCrowded(accounts, presence, now)) {
      presence.pacedUntil = now + PACED_MS
      await waitForTurn(reply.raw, busy, (signal) => line.wait(who, () => undefined, { signal }))
    }
    presence.underway += 1
    // Reading what was found costs little; only finding it does not.
    if (operation === 'search.create') presence.rush.begun += 1
    onClose(reply.raw, () => {
      presence.underway -= 1
    })
  }
}

/** Samples the loop and lets waiting requests in while the server listens; says whether it does. */
function letInFromLine(
  app: FastifyInstance,
  line: FairQueue,
  load: ReturnType<typeof createLoopLoad>,
  tidy: (now: number) => void,
): () => boolean {
  let letInAt = 0
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const now = monotonicMs()
    load.sample(now)
    if (line.size() > 0 && now - letInAt >= load.letInEveryMs()) {
      letInAt = now
      line.startNext()
    }
    tidy(now)
  }
  app.addHook('onListen', async () => {
    timer = setInterval(look, SAMPLE_MS).unref()
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    timer = undefined
    while (line.startNext());
  })
  return () => timer !== undefined
}

const newPresence = (now: number): Presence => ({
  underway: 0,
  seenAt: now,
  pacedUntil: 0,
  rush: { since: now, begun: 0 },
})

function isRushing(presence: Presence, now: number): boolean {
  if (now - presence.rush.since >= RUSH.withinMs) presence.rush = { since: now, begun: 0 }
  return presence.rush.begun >= RUSH.searches
}

const busy = () =>
  new AppError('rate_limited', 'The service is busy and you have several searches under way; wait for one.', {
    retryAfterMs: 1_000,
  })

/** Whether anybody else is here. Seldom asked, and the first few answer it. */
function isCrowded(accounts: ReadonlyMap<string, Presence>, but: Presence, now: number): boolean {
  return [...accounts.values()].some((one) => one !== but && (one.underway > 0 || now - one.seenAt < PRESENT_MS))
}

function forgetGone(accounts: Map<string, Presence>, now: number): void {
  if (accounts.size <= ACCOUNTS_MAX) return
  for (const [id, { underway, seenAt }] of accounts) {
    if (underway === 0 && now - seenAt >= PRESENT_MS) accounts.delete(id)
  }
}
