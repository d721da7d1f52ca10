import { AppError } from '../domain/errors.ts'
import { createFairTurns, type FairTurns } from '../lib/async/fair-queue.ts'
import { startDeadline } from '../lib/time/deadline.ts'

/** `running` is the number of connections per vendor for price checks and for bookings. */
const LIMITS = { running: 32, waitingPerAccount: 64, waiting: 256, waitMs: 10_000 }

/** A slot at a vendor, released at the end of its scope or when the promise given to `keepUntil` settles. */
export type Slot = Disposable & { keepUntil(done: Promise<unknown>): void }

export type BookingQueue = { enter(accountId: string, vendorId: string): Promise<Slot> }

/** Limits calls per vendor. An account gets half of the slots that others leave, and waiting accounts take turns. */
export function createBookingQueue({ running, waitingPerAccount, waiting, waitMs } = LIMITS): BookingQueue {
  const vendors = new Map<string, FairTurns>()
  const takeHalf = (left: number) => Math.max(1, Math.floor(left / 2))
  const limits = { running, waitingPerKey: waitingPerAccount, waiting, maxPerKey: takeHalf }

  return {
    async enter(accountId, vendorId) {
      const turns = vendors.get(vendorId) ?? createFairTurns(limits)
      vendors.set(vendorId, turns)
      using deadline = startDeadline(waitMs)
      const turn = await turns.enter(accountId, deadline).catch(() => {
        throw tooManyBookings()
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

const tooManyBookings = () =>
  new AppError(
    'overloaded',
    'Too many bookings are in progress at this vendor. Nothing was sent to it. Repeat the request shortly.',
    { retryAfterMs: 2_000 },
  )
