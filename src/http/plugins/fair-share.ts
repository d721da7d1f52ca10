import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/app-error.ts'
import { monotonicMs } from '../../lib/clock.ts'
import type { Step } from '../passage.ts'
import { createWaitingLine, type WaitingLine } from './waiting-line.ts'

/** How often we look whether the loop is on time. */
const SAMPLE_MS = 10
/** From here on callers feel that the loop is late; all at once, they would make it later. */
const LATE_MS = 10
/** Nobody is late yet, but nearly: measured over `LOAD_SAMPLE_MS`. */
const LOADED_SHARE = 0.7
const LOAD_SAMPLE_MS = 100
/** A sample is believed this long: one late turn of the loop is followed by an idle one. */
const REMEMBERED_MS = 300
/** Whoever had to wait goes on waiting its turn until it has asked for no more than it gets for this long. */
const PACED_MS = 500
/**
 * One of those who wait is let in this often: so seldom that nineteen of twenty others never meet it, seldomer the less time
 * is left.
 */
const LET_IN_EVERY_MS = { least: 100, most: 250 } as const
/** So many begun within so short a time are more than a process can do: there is no need to wait until it shows. */
const RUSH = { searches: 8, withinMs: 100 } as const
/** What the loop should be left with while somebody is paced: the others find it free more often than not. */
const PACED_SHARE = 0.4
/** What any account may have under way, however busy it is. */
const SHARE_MIN = 2
/** And the most, however idle: answers that are not fetched are held in memory. */
const UNDERWAY_MAX = 50
/** Who was here this recently counts as being here. */
const PRESENT_MS = 3_000
const ACCOUNTS_MAX = 10_000

type Presence = { underway: number; seenAt: number; pacedUntil: number; rush: { since: number; begun: number } }

/**
 * While the process is behind, or about to be, and several accounts are at work, the one that asks for most waits, not all of
 * them: its searches stand in a short line and are let in one at a time, in the gaps; what finds the line full is refused.
 * Booking, and looking at what was booked, never waits. Alone, an account may have it all.
 */
export function shareFairly(app: FastifyInstance): Step {
  const accounts = new Map<string, Presence>()
  const line = createWaitingLine()
  const load = createLoadWatch()
  let lateUntil = 0
  let letInAt = 0
  let timer: NodeJS.Timeout | undefined

  app.addHook('onListen', (done) => {
    let last = monotonicMs()
    timer = setInterval(() => {
      const now = monotonicMs()
      load.look(now)
      if (load.share() > LOADED_SHARE || now - last - SAMPLE_MS > LATE_MS) lateUntil = now + REMEMBERED_MS
      last = now
      if (line.size() > 0 && now - letInAt >= load.letInEveryMs()) {
        letInAt = now
        line.letIn()
      }
      if (accounts.size > ACCOUNTS_MAX) forgetGone(accounts, now)
    }, SAMPLE_MS).unref()
    done()
  })
  app.addHook('onClose', (_instance, done) => {
    clearInterval(timer)
    timer = undefined
    while (line.size() > 0) line.letIn()
    done()
  })

  return (request, reply, { operation }) => {
    const { caller } = request
    if (caller === undefined) return undefined
    const now = monotonicMs()
    const presence = accounts.get(caller.accountId) ?? newcomer(now)
    accounts.set(caller.accountId, presence)
    presence.seenAt = now
    if (operation?.startsWith('search.') !== true) return undefined

    if (presence.underway >= UNDERWAY_MAX) return busy()
    const begin = () => {
      presence.underway += 1
      // Reading what was found costs little; only finding it does not.
      if (operation === 'search.create') presence.rush.begun += 1
      reply.raw.once('close', () => {
        presence.underway -= 1
      })
      return undefined
    }
    const isBehind = now < lateUntil && presence.underway >= SHARE_MIN
    const isPaced = isBehind || isRushing(presence, now) || now < presence.pacedUntil
    // Before the process listens, and while it closes, nobody is let in from the line.
    if (!isPaced || timer === undefined || !isCrowded(accounts, presence, now)) return begin()
    presence.pacedUntil = now + PACED_MS
    const turn = Promise.withResolvers<undefined>()
    const hasPlace = waits(line, caller.accountId, reply.raw, () => turn.resolve(begin()))
    return hasPlace ? turn.promise : busy()
  }
}

const newcomer = (now: number): Presence => ({
  underway: 0,
  seenAt: now,
  pacedUntil: 0,
  rush: { since: now, begun: 0 },
})

function isRushing({ rush }: Presence, now: number): boolean {
  if (now - rush.since >= RUSH.withinMs) Object.assign(rush, { since: now, begun: 0 })
  return rush.begun >= RUSH.searches
}

/** How much of its time the loop has used lately, waiting for the disk included, and what pace follows from it. */
function createLoadWatch() {
  let measuredAt = 0
  let last = performance.eventLoopUtilization()
  let share = 0
  let everyMs: number = LET_IN_EVERY_MS.least
  return {
    look(now: number): void {
      if (now - measuredAt < LOAD_SAMPLE_MS) return
      measuredAt = now
      const current = performance.eventLoopUtilization()
      share = performance.eventLoopUtilization(current, last).utilization
      last = current
      everyMs =
        share > PACED_SHARE
          ? Math.min(LET_IN_EVERY_MS.most, everyMs * 1.5)
          : Math.max(LET_IN_EVERY_MS.least, everyMs * 0.9)
    },
    share: () => share,
    letInEveryMs: () => everyMs,
  }
}

/** Puts it into the line, and takes it out again when its client leaves before its turn. False when the line is full. */
function waits(line: WaitingLine, accountId: string, raw: NodeJS.EventEmitter, begin: () => void): boolean {
  const leave = line.join(accountId, () => {
    raw.removeListener('close', onClose)
    begin()
  })
  const onClose = () => leave?.()
  if (leave !== undefined) raw.once('close', onClose)
  return leave !== undefined
}

const busy = () =>
  new AppError('rate_limited', 'The service is busy and you have several searches under way; wait for one.', {
    retryAfterMs: 1_000,
  })

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
