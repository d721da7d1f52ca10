import { sql } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import type { Database } from './database.ts'
import type { Migration } from './migration.ts'
import { accounts } from './migrations/001-accounts.ts'
import { catalogue } from './migrations/002-catalogue.ts'
import { searches } from './migrations/003-searches.ts'
import { bookings } from './migrations/004-bookings.ts'
import { webhooks } from './migrations/005-webhooks.ts'

/** Every migration, in the order in which they run. Append only. */
export const MIGRATIONS: readonly Migration[] = [accounts, catalogue, searches, bookings, webhooks]

const LOCK = 0x5e4a1

/**
 * Brings the schema up to date in one transaction under a lock, so that processes starting together take turns and
 * a crash half-way leaves the old schema whole. Answers the names of the steps it took.
 */
export async function migrate(database: Database, clock: Clock): Promise<string[]> {
  return database.write(async (tx) => {
    if (database.dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(tx)
    await sql`create table if not exists schema_migrations (name text primary key, applied_at bigint not null)`.execute(
      tx,
    )
    const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(tx)
    const applied = new Set(rows.map((row) => row.name))
    assertKnown(applied)
    const due = MIGRATIONS.filter((migration) => !applied.has(migration.name))
    for (const { name, up } of due) {
      await up(tx.schema, { blob: database.dialect === 'postgres' ? 'bytea' : 'blob' })
      await sql`insert into schema_migrations (name, applied_at) values (${name}, ${clock.now()})`.execute(tx)
    }
    return due.map((migration) => migration.name)
  })
}

/** A database that a newer Serai has already moved on is left alone. */
function assertKnown(applied: ReadonlySet<string>): void {
  const known = new Set(MIGRATIONS.map((migration) => migration.name))
  const unknown = [...applied].filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new Error(
      `This database was migrated by a newer version (${unknown.join(', ')}). Start that version instead.`,
    )
  }
}
