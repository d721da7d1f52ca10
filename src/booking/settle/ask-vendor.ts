import { type Booking, isReadAgain, SETTLED_STATES } from '../../domain/booking/booking.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { BookingStore } from '../store/bookings.ts'

type Deps = {
  readonly bookings: Pick<BookingStore, 'any' | 'readings' | 'promptReadings'>
  /** Asks about the bookings that are due and not leased by a process; returns how many. */
  settleBookings(): Promise<number>
  /** Asks the vendor about this booking, due or not. */
  settleOne(booking: Booking): Promise<void>
  /** One round of reading bookings again that are due; returns how many. */
  readBookings(): Promise<number>
  readonly clock: Clock
}

/** `isAsked`: false where the vendor could not be asked now; the jobs will. */
export type Asked = { readonly before: Booking; readonly after: Booking; readonly isAsked: boolean }
export type AskVendor = (booking: Booking) => Promise<Asked | undefined>

const ROUNDS_MAX = 20
/** No vendor call takes longer. */
const CALL_MAX_MS = 120_000
/** Another process may be reading it just now. */
const OTHERS = { looks: 8, everyMs: 250 }

/** Asks the vendor now how a booking stands, and records what it says. Undefined for a booking that has nothing to ask about. */
export function createAskVendor(deps: Deps): AskVendor {
  const { bookings, clock } = deps
  const current = async (booking: Booking) => (await bookings.any(booking.bookingId)) ?? booking

  async function settle(before: Booking): Promise<Asked> {
    const isBusy = mayBeInProgress(before, clock.now())
    if (isBusy) await inRounds(deps.settleBookings)
    else await deps.settleOne(before)
    const after = await current(before)
    return { before, after, isAsked: !isBusy || after.state !== before.state }
  }

  async function read(before: Booking): Promise<Asked> {
    const { bookingId, vendorId, reference } = before
    const count = async () => (await bookings.readings(bookingId)).length
    const known = await count()
    await bookings.promptReadings(vendorId, [reference], clock.now())
    await inRounds(deps.readBookings)
    for (let look = 0; look < OTHERS.looks && (await count()) === known; look += 1)
      await new Promise((later) => setTimeout(later, OTHERS.everyMs))
    return { before, after: await current(before), isAsked: (await count()) > known }
  }

  return async (booking) => {
    if (!SETTLED_STATES.includes(booking.state)) return settle(booking)
    return isReadAgain(booking) ? read(booking) : undefined
  }
}

/** Such a booking is left to the rounds, which know whether the process that works on it is still alive. */
function mayBeInProgress({ state, updatedAt }: Booking, now: number): boolean {
  return state === 'pending' || state === 'submitting' || (state === 'cancelling' && now - updatedAt < CALL_MAX_MS)
}

/** Each round asks about a few bookings; those still open are scheduled for later, so the rounds end. */
async function inRounds(round: () => Promise<number>): Promise<number> {
  let looked = 0
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
    const count = await round()
    if (count === 0) break
    looked += count
  }
  return looked
}
