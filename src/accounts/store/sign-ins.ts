import { sql } from 'kysely'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { Database, Tx } from '../../store/database.ts'

export type SignInStore = ReturnType<typeof createSignInStore>

/** Failures are counted per `hash`; `emailHash` groups those of one e-mail. */
export type SlowdownKey = { readonly hash: string; readonly emailHash: string | null }
type Slowdown = { readonly failures: number; readonly slowedUntil: number }

const NONE: Slowdown = { failures: 0, slowedUntil: 0 }
/** Known addresses are refreshed at most this often. */
const REFRESHED_MS = DAY_MS

/** Failed sign-ins and known addresses, shared by all processes. */
export function createSignInStore(database: Database) {
  return {
    ...knownAddresses(database),

    /** Current failures, and the end of the slowdown. */
    async slowdown(hash: string, since: number): Promise<Slowdown> {
      const row = await database.read
        .selectFrom('sign_in_slowdowns')
        .select(['failures', 'slowed_until', 'window_started_at'])
        .where('key_hash', '=', hash)
        .executeTakeFirst()
      if (row === undefined) return NONE
      return { failures: row.window_started_at < since ? 0 : row.failures, slowedUntil: row.slowed_until }
    },

    /** Counts a failure; `slowFor` returns the duration of the slowdown. */
    async record(
      key: SlowdownKey,
      now: number,
      windowMs: number,
      slowFor: (failures: number) => number,
    ): Promise<void> {
      await database.write((tx) => addFailure(tx, { key, now, windowMs, slowFor }))
    },

    /**
     * Counts an attempt as failed in advance, so that concurrent attempts cannot exceed the limit; `clear` undoes it.
     * Returns 0, or the remaining slowdown, in which case nothing is counted.
     */
    async attempt(
      key: SlowdownKey,
      now: number,
      windowMs: number,
      slowFor: (failures: number) => number,
    ): Promise<number> {
      return database.write(async (tx) => {
        if (await addFailure(tx, { key, now, windowMs, slowFor, onlyUnlessSlowed: true })) return 0
        const query = tx.selectFrom('sign_in_slowdowns').select('slowed_until').where('key_hash', '=', key.hash)
        return (await query.executeTakeFirstOrThrow()).slowed_until - now
      })
    },

    async clear(hash: string): Promise<void> {
      await database.write((tx) => tx.deleteFrom('sign_in_slowdowns').where('key_hash', '=', hash).execute())
    },

    async clearEmail(emailHash: string): Promise<void> {
      await database.write((tx) => tx.deleteFrom('sign_in_slowdowns').where('email_hash', '=', emailHash).execute())
    },

    async deleteOld(failuresBefore: number, addressesBefore: number): Promise<void> {
      await database.write(async (tx) => {
        await tx
          .deleteFrom('sign_in_slowdowns')
          .where('window_started_at', '<', failuresBefore)
          .where('slowed_until', '<', failuresBefore)
          .execute()
        await tx.deleteFrom('known_addresses').where('signed_in_at', '<', addressesBefore).execute()
      })
    },
  }
}

function knownAddresses(database: Database) {
  return {
    async isKnown(pairHash: string): Promise<boolean> {
      const query = database.read.selectFrom('known_addresses').select('pair_hash').where('pair_hash', '=', pairHash)
      return (await query.executeTakeFirst()) !== undefined
    },

    async remember(pairHash: string, now: number): Promise<void> {
      await database.write((tx) =>
        tx
          .insertInto('known_addresses')
          .values({ pair_hash: pairHash, signed_in_at: now })
          .onConflict((conflict) =>
            conflict
              .column('pair_hash')
              .doUpdateSet({ signed_in_at: now })
              .where('known_addresses.signed_in_at', '<', now - REFRESHED_MS),
          )
          .execute(),
      )
    },
  }
}

type Failure = {
  readonly key: SlowdownKey
  readonly now: number
  readonly windowMs: number
  slowFor(failures: number): number
  readonly onlyUnlessSlowed?: boolean
}

/** False if nothing was counted. */
async function addFailure(tx: Tx, failure: Failure): Promise<boolean> {
  const { key, now, windowMs, slowFor, onlyUnlessSlowed = false } = failure
  // The upsert locks the row, so that concurrent failures are all counted.
  const stale = sql<boolean>`sign_in_slowdowns.window_started_at < ${now - windowMs}`
  const counted = await tx
    .insertInto('sign_in_slowdowns')
    .values({
      key_hash: key.hash,
      email_hash: key.emailHash,
      failures: 1,
      window_started_at: now,
      slowed_until: 0,
    })
    .onConflict((conflict) => {
      const update = conflict.column('key_hash').doUpdateSet({
        failures: sql`case when ${stale} then 1 else sign_in_slowdowns.failures + 1 end`,
        window_started_at: sql`case when ${stale} then ${now} else sign_in_slowdowns.window_started_at end`,
      })
      return onlyUnlessSlowed ? update.where('sign_in_slowdowns.slowed_until', '<=', now) : update
    })
    .returning('failures')
    .executeTakeFirst()
  if (counted === undefined) return false
  const until = now + slowFor(counted.failures)
  await tx
    .updateTable('sign_in_slowdowns')
    .set({ slowed_until: until })
    .where('key_hash', '=', key.hash)
    // A failure never shortens the slowdown of an earlier window.
    .where('slowed_until', '<', until)
    .execute()
  return true
}
