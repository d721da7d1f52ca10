import type { Booking } from '../../domain/booking/booking.ts'

/** How many bookings of each vendor are being looked at. */
type Busy = ReadonlyMap<string, number>

/** Work on bookings at their vendors: which bookings are claimed, and what is done with each. */
export type VendorWork<T> = {
  /** Each vendor has a limit of its own, of which `busy` is used up: a slow vendor keeps no other one waiting. */
  claim(busy: Busy): Promise<readonly T[]>
  bookingOf(one: T): Booking
  work(one: T): Promise<void>
}

export type JobDeps = {
  /** Work that is still running; the process waits for it before it ends. */
  readonly underway: Set<Promise<unknown>>
  /** How long a run waits for the work it has started. */
  readonly waitMs?: number
  onBug(error: unknown, booking: Booking): void
}

const NOBODY: Busy = new Map()
const WAIT_MS = 1_000

/** Claims what is due and waits until all of it is done. Returns how many bookings that were. */
export const createVendorRound =
  <T>({ claim, work }: Pick<VendorWork<T>, 'claim' | 'work'>) =>
  async (): Promise<number> => {
    const claimed = await claim(NOBODY)
    await Promise.all(claimed.map(work))
    return claimed.length
  }

/**
 * The same for a job, which leaves alone what takes longer than a second and goes on claiming for the places that are left.
 * Returns how much it has begun.
 */
export function createVendorJob<T>(
  { claim, bookingOf, work }: VendorWork<T>,
  { underway, waitMs = WAIT_MS, onBug }: JobDeps,
): () => Promise<number> {
  const busy = new Map<string, number>()
  const count = (vendorId: string, more: number) => busy.set(vendorId, (busy.get(vendorId) ?? 0) + more)

  function begin(one: T): Promise<void> {
    const booking = bookingOf(one)
    count(booking.vendorId, 1)
    const done = work(one)
      .catch((error: unknown) => onBug(error, booking))
      .finally(() => {
        count(booking.vendorId, -1)
        underway.delete(done)
      })
    underway.add(done)
    return done
  }

  return async function runJob() {
    const begun = (await claim(busy)).map(begin)
    await withinMs(waitMs, Promise.all(begun))
    return begun.length
  }
}

async function withinMs(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([promise, work])
  clearTimeout(timer)
}
