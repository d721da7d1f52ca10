import { type Booking, isReadAgain, SETTLED_STATES } from '../../domain/booking/booking.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { BookingStore } from '../store/bookings.ts'

type Deps = {
  readonly bookings: Pick<BookingStore, 'any' | 'readings' | 'promptReadings'>
  /** Settles due bookings that no process holds a lease on; returns how many. */
  settleBookings(): Promise<number>
  /** Asks the vendor about this booking, due or not. */
  settleOne(booking: Booking): Promise<void>
  /** Reads due bookings again; returns how many. */
  readBookings(): Promise<number>
  readonly clock: Clock
}

/** `isAsked` is false if the vendor could not be asked now; the jobs will ask. */
export type AskResult = { readonly before: Booking; readonly after: Booking; readonly isAsked: boolean }
export type AskVendor = (booking: Booking) => Promise<AskResult | undefined>

const ROUNDS_MAX = 20
/** No vendor call takes longer. */
const CALL_MAX_MS = 120_000
/** Polling for a reading by another process. */
const OTHER_READING = { polls: 8, everyMs: 250 }

/** Asks the vendor now and records the state of a booking. Undefined if there is nothing to ask about. */
export function createAskVendor(deps: Deps): AskVendor {
  const { bookings, clock } = deps
  const current = async (booking: Booking) => (await bookings.any(booking.bookingId)) ?? booking

  async function settle(before: Booking): Promise<AskResult> {
    const isBusy = mayBeInProgress(before, clock.now())
    if (isBusy) await runRounds(deps.settleBookings)
    else await deps.settleOne(before)
    const after = await current(before)
    return { before, after, isAsked: !isBusy || after.state !== before.state }
  }

  async function read(before: Booking): Promise<AskResult> {
    const { bookingId, vendorId, reference } = before
    const count = async () => (await bookings.readings(bookingId)).length
    const known = await count()
    await bookings.promptReadings(vendorId, [reference], clock.now())
    await runRounds(deps.readBookings)
    for (let poll = 0; poll < OTHER_READING.polls && (await count()) === known; poll += 1)
      await new Promise((later) => setTimeout(later, OTHER_READING.everyMs))
    return { before, after: await current(before), isAsked: (await count()) > known }
  }

  return async (booking) => {
    if (!SETTLED_STATES.includes(booking.state)) return settle(booking)
    return isReadAgain(booking) ? read(booking) : undefined
  }
}

/** Left to the rounds, which respect the lease of a process that is still working on it. */
function mayBeInProgress({ state, updatedAt }: Booking, now: number): boolean {
  return state === 'pending' || state === 'submitting' || (state === 'cancelling' && now - updatedAt < CALL_MAX_MS)
}

/** Runs rounds until nothing is due. Bookings that are still open are rescheduled, so the rounds end. */
async function runRounds(round: () => Promise<number>): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) if ((await round()) === 0) return
}
