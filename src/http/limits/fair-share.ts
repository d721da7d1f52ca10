import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { fairnessKey } from '../../domain/guest-access.ts'
import { createFairQueue, type FairQueue } from '../../lib/async/fair-queue.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import { onClose } from '../streams/on-close.ts'
import { createLoopMonitor, SAMPLE_MS } from './loop-monitor.ts'
import { waitForTurn } from './wait-for-turn.ts'

/** An account is throttled until it has stayed within its share for this long. */
const PACED_MS = 500
/** Searches in this time that throttle an account at once, before the event loop shows any delay. */
const RUSH = { searches: 8, withinMs: 100 }
/** Concurrent searches that any account may have, however busy the process is. */
const SHARE_MIN = 2
/** Maximum per account even if the process is idle: unread responses are held in memory. */
const UNDERWAY_MAX = 50
/** An account is active for this long after a request. */
const PRESENT_MS = 3_000
const ACCOUNTS_MAX = 10_000
/** Queue length per account: two to four seconds, about the timeout of clients. */
const WAITING_MAX = 16

type Presence = { underway: number; seenAt: number; pacedUntil: number; rush: { since: number; begun: number } }

/**
 * Throttles the busiest accounts while the process is behind and several accounts are active: their searches wait in a short queue
 * and are refused if it is full. Bookings never wait.
 */
export function shareFairly(app: FastifyInstance): onRequestAsyncHookHandler {
  const accounts = new Map<string, Presence>()
  const queue = createFairQueue({ waitingPerKey: WAITING_MAX })
  const load = createLoopMonitor()
  const isOpen = admitFromQueue(app, queue, load, (now) => deleteInactive(accounts, now))

  const isSearch = ({ routeOptions }: FastifyRequest) => routeOptions.config.operation?.startsWith('search.') === true
  const share =
    (isShared: (request: FastifyRequest) => boolean): onRequestAsyncHookHandler =>
    async (request, reply) => {
      const { caller } = request
      if (caller === undefined) return
      const now = monotonicMs()
      const key = fairnessKey(caller.accountId, request.ip)
      const presence = accounts.get(key) ?? newPresence(now)
      accounts.set(key, presence)
      presence.seenAt = now
      if (!isShared(request)) return

      if (presence.underway >= UNDERWAY_MAX) throw busy()
      const isBehind = load.isBehind(now) && presence.underway >= SHARE_MIN
      const isPaced = isBehind || isRushing(presence, now) || now < presence.pacedUntil
      // The queue only moves while the server listens.
      if (isPaced && isOpen() && hasOtherActive(accounts, presence, now)) {
        presence.pacedUntil = now + PACED_MS
        await waitForTurn(reply.raw, busy, (signal) => queue.wait(key, () => undefined, { signal }))
      }
      presence.underway += 1
      // Reading stored results is cheap, so only new searches are counted.
      if (request.routeOptions.config.operation === 'search.create') presence.rush.begun += 1
      onClose(reply.raw, () => {
        presence.underway -= 1
      })
    }
  app.addHook(
    'preHandler',
    share((request) => request.routeOptions.config.isShared?.(request) === true),
  )
  return share(isSearch)
}

/** Samples the loop and admits waiting requests while the server listens. Returns true while it does. */
function admitFromQueue(
  app: FastifyInstance,
  queue: FairQueue,
  load: ReturnType<typeof createLoopMonitor>,
  tidy: (now: number) => void,
): () => boolean {
  let admittedAt = 0
  let timer: NodeJS.Timeout | undefined
  const tick = () => {
    const now = monotonicMs()
    load.sample(now)
    if (queue.size() > 0 && now - admittedAt >= load.admitEveryMs()) {
      admittedAt = now
      queue.startNext()
    }
    tidy(now)
  }
  app.addHook('onListen', async () => {
    timer = setInterval(tick, SAMPLE_MS).unref()
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    timer = undefined
    while (queue.startNext());
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
  new AppError('rate_limited', 'The service is busy and you have several searches running. Wait for one to finish.', {
    retryAfterMs: 1_000,
  })

function hasOtherActive(accounts: ReadonlyMap<string, Presence>, own: Presence, now: number): boolean {
  const isActive = ({ underway, seenAt }: Presence) => underway > 0 || now - seenAt < PRESENT_MS
  return [...accounts.values()].some((presence) => presence !== own && isActive(presence))
}

function deleteInactive(accounts: Map<string, Presence>, now: number): void {
  if (accounts.size <= ACCOUNTS_MAX) return
  for (const [id, { underway, seenAt }] of accounts) {
    if (underway === 0 && now - seenAt >= PRESENT_MS) accounts.delete(id)
  }
}
