import type { LedgerEntry } from '../../sandbox/server/ledger.ts'
import { openConfigured } from '../../src/compose/database.ts'
import { readConfig } from '../../src/config.ts'
import { type Stage, sleep } from '../../test/support/servers/server-process.ts'
import type { ApiClient, Offer } from './api-client.ts'
import { bookingsByReference } from './compare-bookings.ts'

const OFFERS_LOW = 120
/** Older offers are discarded, because offers of one vendor expire after ten minutes. */
const OFFER_AGE_MAX_MS = 6 * 60_000

/** Offers fetched in advance, each used once. */
export function createOfferStock(collect: () => Promise<Offer[]>) {
  let stock: { offer: Offer; fetchedAt: number }[] = []
  const fill = async () => {
    const fetchedAt = performance.now()
    stock.push(...(await collect()).map((offer) => ({ offer, fetchedAt })))
  }
  return {
    fill,
    async fillIfLow() {
      stock = stock.filter(({ fetchedAt }) => performance.now() - fetchedAt < OFFER_AGE_MAX_MS)
      if (stock.length < OFFERS_LOW) await fill()
    },
    take: (): Offer | undefined => stock.shift()?.offer,
  }
}

export async function readLedgers({ sandbox }: Stage): Promise<Record<string, readonly LedgerEntry[]>> {
  const ledgers = Object.entries(sandbox.control).map(async ([id, control]) => [id, await control.ledger()])
  return Object.fromEntries(await Promise.all(ledgers))
}

const AGREE_WITHIN_MS = 75_000

/** Waits until our bookings agree with the vendors'. Cancellations that did not reach the vendor may still be open. */
export async function waitUntilAgreed(stage: Stage, client: ApiClient): Promise<{ afterMs: number; late: string[] }> {
  const startedAt = performance.now()
  const entries = Object.values(await readLedgers(stage)).flat()
  for (;;) {
    const byReference = bookingsByReference(await client.bookings())
    const open = entries.filter(({ ourReference, status }) => {
      const shown = byReference.get(ourReference)?.status
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

/** Waits until everything is settled, or until the rest can be considered stuck. */
export async function waitUntilSettled(client: ApiClient): Promise<void> {
  const until = performance.now() + SETTLE_WITHIN_MS
  while (performance.now() < until) {
    if (!(await client.bookings()).some(isWaiting)) return
    await sleep(250)
  }
}

/** Longer than the settling horizon of any vendor. */
const HORIZON_MS = 45 * 60_000

/** Moves the times of unsettled bookings into the past, so that the vendors' horizons have passed. */
export async function backdateUnsettled(env: Readonly<Record<string, string>>): Promise<void> {
  const database = openConfigured(readConfig(env))
  try {
    await database.write(async (tx) => {
      await tx
        .updateTable('bookings')
        .set((column) => ({
          submitted_at: column('submitted_at', '-', HORIZON_MS),
          updated_at: column('updated_at', '-', HORIZON_MS),
        }))
        .where('state', 'in', WAITING)
        .execute()
      await tx
        .updateTable('tasks')
        .set((column) => ({ due_at: column('due_at', '-', HORIZON_MS), lease_until: 0 }))
        .where('kind', 'in', ['settle', 'payment'])
        .execute()
    })
  } finally {
    await database.close()
  }
}
