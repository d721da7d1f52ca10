import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import type { SecretKey } from '../lib/crypto/keyring.ts'
import { assertSecrets } from './secret-checks.ts'
import { keepPrivate } from './sqlite-dialect.ts'

/** More pages than any database has. SQLite starts over after a write between two steps, so the copy must be one step. */
const PAGES_PER_STEP = 2 ** 31 - 1

/** Makes a consistent copy while the service runs. Does not block it: the copy only reads, in a separate thread. */
export async function backupSqlite(path: string, target: string): Promise<void> {
  try {
    await copySqlite(path, target)
    assertIntact(target)
  } catch (error) {
    // An incomplete backup must not be mistaken for a good one.
    rmSync(target, { force: true })
    throw error
  }
}

/** Copies the database and its write-ahead log into one file, which can be read from a read-only disk. */
async function copySqlite(path: string, target: string): Promise<void> {
  keepPrivate(target)
  using source = new DatabaseSync(path, { readOnly: true })
  await backup(source, target, { rate: PAGES_PER_STEP })
  using copy = new DatabaseSync(target)
  copy.exec('pragma journal_mode = delete')
}

const SQLITE_BUSY = 5

/** True if another process has the database open. It would keep writing to the file that `restoreSqlite` moves away. */
export function isInUse(path: string): boolean {
  try {
    using database = new DatabaseSync(path, { timeout: 0 })
    database.exec('pragma locking_mode = exclusive; begin exclusive; commit')
    return false
  } catch (error) {
    // Other errors are no obstacle: the database is going to be replaced.
    return Object(error).errcode === SQLITE_BUSY
  }
}

export type Restored = {
  /** Name under which the previous database is kept. */
  readonly keptAs: string | undefined
  /** Creation of the newest booking in the backup. */
  readonly dataUntil: number | undefined
}

/**
 * Replaces the database with a backup. Moves the old one only after the copy is complete: without a database, the service would
 * create an empty one.
 */
export async function restoreSqlite(
  source: string,
  path: string,
  now: number,
  secrets?: readonly SecretKey[],
): Promise<Restored> {
  assertBackup(source, secrets)
  const incoming = `${path}.restoring`
  rmSync(incoming, { force: true })
  await copySqlite(source, incoming)
  const dataUntil = recordRestore(incoming, now)
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-')
  const keptAs = existsSync(path) ? `${path}.before-${stamp}` : undefined
  if (keptAs !== undefined) {
    for (const suffix of ['', '-wal', '-shm']) if (existsSync(path + suffix)) renameSync(path + suffix, keptAs + suffix)
  }
  renameSync(incoming, path)
  rmSync(`${path}-wal`, { force: true })
  return { keptAs, dataUntil }
}

/** Later commits are lost, so bookings are looked up before they are sent until a reconciliation has ended. */
function recordRestore(path: string, now: number): number | undefined {
  using database = new DatabaseSync(path)
  const newest = database.prepare('select max(created_at) as newest from bookings').get()?.newest
  const dataUntil = typeof newest === 'number' ? newest : null
  // A backup of an earlier version lacks the table.
  database.exec(readFileSync(join(import.meta.dirname, 'migrations/131-store-history.sql'), 'utf8'))
  database
    .prepare(
      'update store_history set generation = generation + 1, changed_at = ?, data_until = ?, reconciled_at = null',
    )
    .run(now, dataUntil)
  return dataUntil ?? undefined
}

export class InvalidBackup extends Error {
  override readonly name = 'NoBackup'
}

/** SQLite's integrity check also accepts an empty file and databases of other programs. */
function assertBackup(path: string, secrets?: readonly SecretKey[]): void {
  try {
    assertIntact(path)
    using database = new DatabaseSync(path, { readOnly: true })
    const table = "select 1 from sqlite_master where name = 'kysely_migration'"
    if (database.prepare(table).get() === undefined) throw new Error('it is not a Serai database')
    const hasChecks = database.prepare(table.replace('kysely_migration', 'secret_checks')).get() !== undefined
    if (secrets !== undefined && hasChecks)
      assertSecrets(secrets, database.prepare('select id, sealed from secret_checks').all() as never)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new InvalidBackup(`${path} cannot be restored: ${reason.replace(/\.$/, '')}. Nothing was changed.`)
  }
}

/** Throws unless the file is an intact SQLite database. */
export function assertIntact(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const result = database.prepare('pragma integrity_check').get()?.integrity_check
    if (result !== 'ok') throw new Error(`${path} is damaged: ${result}`)
  } finally {
    database.close()
  }
}
