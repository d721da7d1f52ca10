import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database, Tx } from '../../../src/store/database.ts'

/** Waits until a statement waits for a lock of another transaction. Returns at once on SQLite, whose writers wait for each other anyway. */
export async function waitForLock({ dialect, read }: Database): Promise<void> {
  if (dialect === 'sqlite') return
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await waiting.execute(read as Tx)).rows.length).toBeGreaterThan(0)
}
