import { readConfig } from '../../src/config.ts'
import { openConfigured } from '../../src/configured-database.ts'
import type { LedgerEntry } from '../../src/sandbox/ledger.ts'
import type { Offer, Traveller } from './crash-traveller.ts'
import { type Stage, sleep } from './server-process.ts'

/** mulberry32: the same draws for the same seed, everywhere. */
export function createDraw(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const OFFERS_LOW = 120
/** Offers of one vendor live for ten minutes; older ones than this are thrown away. */
const OFFER_AGE_MAX_MS = 6 * 60_000

/** Offers fetched ahead, each handed out once. */
export function createShelf(collect: () => Promise<Offer[]>) {
  let stock: { offer: Offer; at: number }[] = []
  const fill = async () => {
    const at = performance.now()
    stock.push(...(await collect()).map((offer) => ({ offer, at })))
  }
  return {
    fill,
    async fillIfLow() {
      stock = stock.filter(({ at }) => performance.now() - at < OFFER_AGE_MAX_MS)
      if (stock.length < OFFERS_LOW) await fill()
    },
    take: (): Offer | undefined => stock.pop()?.offer,
  }
}

export async function ledgersOf({ sandbox }: Stage): Promise<Record<string, readonly LedgerEntry[]>> {
  const { expedia_rapid, hotelbeds } = sandbox.control
  return { expedia_rapid: await expedia_rapid.ledger(), hotelbeds: await hotelbeds.ledger() }
}

const AGREE_WITHIN_MS = 75_000

/** Waits until all that the vendors hold is shown as they hold it. A cancellation they never heard of may wait on. */
export async function untilAgreed(stage: Stage, traveller: Traveller): Promise<{ afterMs: number; late: string[] }> {
  const startedAt = performance.now()
  const entries = Object.values(await ledgersOf(stage)).flat()
  for (;;) {
    const byReference = new Map((await traveller.bookings()).map((booking) => [booking.reference, booking.status]))
    const open = entries.filter(({ ourReference, status }) => {
      const shown = byReference.get(ourReference)
      return shown !== status && !(shown === 'cancelling' && status === 'confirmed')
    })
    const afterMs = Math.round(performance.now() - startedAt)
    if (open.length === 0) return { afterMs, late: [] }
    if (afterMs > AGREE_WITHIN_MS) {
      return { afterMs, late: open.map(({ ourReference }) => `LATE: ${ourReference} not settled after ${afterMs} ms`) }
    }
    await sleep(250)
  }
}

const WAITING = ['pending', 'submitting', 'in_doubt', 'cancelling'] as const
export const isWaiting = ({ status }: { readonly status: string }): boolean =>
  (WAITING as readonly string[]).includes(status)
const SETTLE_WITHIN_MS = 40_000

/** Waits until nothing waits any more, or for so long that the comparison may call it stuck. */
export async function untilSettled(traveller: Traveller): Promise<void> {
  const until = performance.now() + SETTLE_WITHIN_MS
  while (performance.now() < until) {
    if (!(await traveller.bookings()).some(isWaiting)) return
    await sleep(250)
  }
}

/** Longer than any vendor may still come up with a booking it did not know. */
const HORIZON_MS = 45 * 60_000

/** Lets the vendors' horizons pass, without waiting for them: everything that waits was sent that much earlier. */
export async function ageWaiting(env: Readonly<Record<string, string>>): Promise<void> {
  const database = openConfigured(readConfig(env))
  try {
    await database.write(async (tx) => {
      await tx
        .updateTable('bookings')
        .set((column) => ({
          submitted_at: column('submitted_at', '-', HORIZON_MS),
          updated_at: column('updated_at', '-', HORIZON_MS),
          due_at: column('due_at', '-', HORIZON_MS),
          lease_until: 0,
        }))
        .where('state', 'in', WAITING)
        .execute()
    })
  } finally {
    await database.close()
  }
}
