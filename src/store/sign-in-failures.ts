import { sql } from 'kysely'
import type { Database } from './database.ts'

export type SignInFailureStore = ReturnType<typeof createSignInFailureStore>

/** Lock-out by e-mail, kept in the database so that a restart or a second process does not forget it. */
export function createSignInFailureStore(database: Database) {
  return {
    async lockedUntil(emailHash: string): Promise<number> {
      const row = await database.read
        .selectFrom('sign_in_failures')
        .select('locked_until')
        .where('email_hash', '=', emailHash)
        .executeTakeFirst()
      return row?.locked_until ?? 0
    },

    /** Counts one more failure; `lockFor(failures)` says for how long that many lock the e-mail. */
    async record(
      emailHash: string,
      now: number,
      windowMs: number,
      lockFor: (failures: number) => number,
    ): Promise<void> {
      await database.write(async (tx) => {
        // Counting in the upsert itself holds the row, so that concurrent failures queue up instead of overwriting.
        const stale = sql<boolean>`sign_in_failures.window_started_at < ${now - windowMs}`
        const { failures } = await tx
          .insertInto('sign_in_failures')
          .values({ email_hash: emailHash, failures: 1, window_started_at: now, locked_until: 0 })
          .onConflict((conflict) =>
            conflict.column('email_hash').doUpdateSet({
              failures: sql`case when ${stale} then 1 else sign_in_failures.failures + 1 end`,
              window_started_at: sql`case when ${stale} then ${now} else sign_in_failures.window_started_at end`,
            }),
          )
          .returning('failures')
          .executeTakeFirstOrThrow()
        await tx
          .updateTable('sign_in_failures')
          .set({ locked_until: now + lockFor(failures) })
          .where('email_hash', '=', emailHash)
          .execute()
      })
    },

    async clear(emailHash: string): Promise<void> {
      await database.write(async (tx) => {
        await tx.deleteFrom('sign_in_failures').where('email_hash', '=', emailHash).execute()
      })
    },
  }
}
