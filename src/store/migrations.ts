import { type Kysely, sql } from 'kysely'
import type { Database } from './database.ts'
import type { ColumnWords, Migration } from './migration.ts'
import { accounts } from './migrations/001-accounts.ts'
import { catalogue } from './migrations/002-catalogue.ts'
import { searches } from './migrations/003-searches.ts'
import { bookings } from './migrations/004-bookings.ts'
import { webhooks } from './migrations/005-webhooks.ts'
import { summaries } from './migrations/006-summaries.ts'
import { pendingBookings } from './migrations/007-pending-bookings.ts'
import { webhookLog } from './migrations/008-webhook-log.ts'
import { matchRules } from './migrations/009-match-rules.ts'
import { signIns } from './migrations/010-sign-ins.ts'
import { discrepancies } from './migrations/011-discrepancies.ts'
import { contentJobs } from './migrations/012-content-jobs.ts'
import { roomTypes } from './migrations/014-room-types.ts'
import { notices } from './migrations/015-notices.ts'
import { mails } from './migrations/016-mails.ts'
import { bookingWatch } from './migrations/017-booking-watch.ts'
import { testClocks } from './migrations/018-test-clocks.ts'
import { rolesAndKeys } from './migrations/019-roles-and-keys.ts'
import { selling } from './migrations/021-selling.ts'
import { pageSessions } from './migrations/023-page-sessions.ts'
import { mcp } from './migrations/025-mcp.ts'
import { consoleTables } from './migrations/026-console.ts'
import { vendorHealth } from './migrations/027-vendor-health.ts'
import { requests } from './migrations/028-requests.ts'
import { operators } from './migrations/029-operators.ts'
import { propertyTexts } from './migrations/030-property-texts.ts'
import { reachAndFees } from './migrations/031-reach-and-fees.ts'
import { bookingFigures } from './migrations/032-booking-figures.ts'
import { tasks } from './migrations/033-tasks-breaking.ts'
import type { Tables } from './tables.ts'

/** Every migration, in the order in which they run. Append only. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001-accounts': accounts,
  '002-catalogue': catalogue,
  '003-searches': searches,
  '004-bookings': bookings,
  '005-webhooks': webhooks,
  '006-summaries': summaries,
  '007-pending-bookings': pendingBookings,
  '008-webhook-log': webhookLog,
  '009-match-rules': matchRules,
  '010-sign-ins': signIns,
  '011-discrepancies': discrepancies,
  '012-content-jobs': contentJobs,
  '014-room-types': roomTypes,
  '015-notices': notices,
  '016-mails': mails,
  '017-booking-watch': bookingWatch,
  '018-test-clocks': testClocks,
  '019-roles-and-keys': rolesAndKeys,
  '021-selling': selling,
  '023-page-sessions': pageSessions,
  '025-mcp': mcp,
  '026-console': consoleTables,
  '027-vendor-health': vendorHealth,
  '028-requests': requests,
  '029-operators': operators,
  '030-property-texts': propertyTexts,
  '031-reach-and-fees': reachAndFees,
  '032-booking-figures': bookingFigures,
  '033-tasks-breaking': tasks,
}

/**
 * Brings the schema up to date in one transaction under a lock, so that processes starting together take turns and
 * a crash half-way leaves the old schema whole. Returns the names of the steps it took: none where a newer version has been here,
 * because this one may start again, or be brought back, while that one is rolled out.
 */
export async function migrate(database: Database): Promise<string[]> {
  await carryOverNames(database)
  if (await isNewer(database)) return []
  const words: ColumnWords = { blob: database.dialect === 'postgres' ? 'bytea' : 'blob' }
  const migrations = Object.fromEntries(
    Object.entries(MIGRATIONS).map(([name, { up }]) => [name, { up: (db: Kysely<Tables>) => up(db, words) }]),
  )
  const { error, results = [] } = await database.migrator(migrations).migrateToLatest()
  if (error !== undefined) throw error
  return results.map((result) => result.migrationName)
}

const LOCK = 0x5e4a1

/**
 * Version 0.1 recorded its migrations in the table schema_migrations. It stays as it is, because nodes of that version
 * may still be started on this database and read it.
 */
async function carryOverNames(database: Database): Promise<void> {
  await database.write(async (tx) => {
    if (database.dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(tx)
    const tables = await tx.introspection.getTables()
    if (!tables.some((table) => table.name === 'schema_migrations')) return
    await sql`create table if not exists kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(
      tx,
    )
    const { rows } = await sql<{ name: string; applied_at: number }>`select * from schema_migrations`.execute(tx)
    for (const { name, applied_at } of rows) {
      const timestamp = new Date(applied_at).toISOString()
      await sql`insert into kysely_migration values (${name}, ${timestamp}) on conflict do nothing`.execute(tx)
    }
  })
}

/** The database was migrated by a newer version, and this version cannot work with it. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'
}

/** Suffix of migrations that remove something the version before needs; all other migrations only add. */
const BREAKING = '-breaking'

/** Whether a newer version has run all our migrations and more that this version can work with. Throws if it cannot. */
async function isNewer(database: Database): Promise<boolean> {
  const taken = await database.write(async (tx) => {
    const tables = await tx.introspection.getTables({ withInternalKyselyTables: true })
    if (!tables.some((table) => table.name === 'kysely_migration')) return []
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(tx)
    return rows.map(({ name }) => name)
  })
  const unknown = taken.filter((name) => !Object.hasOwn(MIGRATIONS, name))
  if (unknown.length === 0) return false
  const refused = unknown.find((name) => name.endsWith(BREAKING))
  const isBehind = Object.keys(MIGRATIONS).some((name) => !taken.includes(name))
  if (refused === undefined && !isBehind) return true
  throw new NewerDatabase(
    `This database was migrated by a newer version (${refused ?? unknown[0]}) that this one cannot work with. Start that version instead.`,
  )
}
