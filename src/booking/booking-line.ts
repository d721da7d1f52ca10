import { AppError } from '../domain/errors.ts'
import { createFairTurns, type FairTurns } from '../lib/async/fair-queue.ts'
import { startDeadline } from '../lib/time/deadline.ts'

/** As many as the vendors' connections take; nobody else waits for one of those. */
const LIMITS = { running: 32, waitingPerAccount: 64, waiting: 256, waitMs: 10_000 }

/** A place at a vendor, given back at the end of its scope, or when a promise that outlives it settles. */
export type Turn = Disposable & { keepUntil(done: Promise<unknown>): void }

export type BookingLine = { enter(accountId: string, vendorId: string): Promise<Turn> }

/**
 * Shares the price checks and bookings that may be under way at a vendor: an account may have half of what the others leave,
 * so that a slow vendor and one busy account never keep the rest out. The others wait, each account in turn.
 */
export function createBookingLine({ running, waitingPerAccount, waiting, waitMs } = LIMITS): BookingLine {
  const vendors = new Map<string, FairTurns>()
  const shareOf = (left: number) => Math.max(1, Math.floor(left / 2))
  const limits = { running, waitingPerKey: waitingPerAccount, waiting, shareOf }

  return {
    async enter(accountId, vendorId) {
      const turns = vendors.get(vendorId) ?? createFairTurns(limits)
      vendors.set(vendorId, turns)
      using deadline = startDeadline(waitMs)
      const turn = await turns.enter(accountId, deadline).catch(() => {
        throw full()
      })
      let isKept = false
      const leave = () => turn[Symbol.dispose]()
      return {
        keepUntil(done) {
          isKept = true
          done.then(leave, leave)
        },
        [Symbol.dispose]() {
          if (!isKept) leave()
        },
      }
    },
  }
}

const full = () =>
  new AppError(
    'overloaded',
    'Too many bookings are under way at this vendor. Nothing was sent to it; try the same again shortly.',
    { retryAfterMs: 2_000 },
  )
