import { existsSync, renameSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { keepPrivate } from './sqlite-dialect.ts'

/** More pages than any database has, so that the copy is one step: SQLite starts again whenever somebody writes between two steps. */
const PAGES_PER_STEP = 2 ** 31 - 1

/** A consistent copy while the service runs. It blocks nobody: it only reads, in one of Node's own threads. */
export async function backupSqlite(path: string, target: string): Promise<void> {
  try {
    await copySqlite(path, target)
    assertSound(target)
  } catch (error) {
    // An incomplete backup must not be mistaken for a good one.
    rmSync(target, { force: true })
    throw error
  }
}

/** Copies into one file, including the write-ahead log of the source. The copy has no such log, so it can be read from a read-only disk. */
async function copySqlite(path: string, target: string): Promise<void> {
  keepPrivate(target)
  using source = new DatabaseSync(path, { readOnly: true })
  await backup(source, target, { rate: PAGES_PER_STEP })
  using copy = new DatabaseSync(target)
  copy.exec('pragma journal_mode = delete')
}

const SQLITE_BUSY = 5

/** Whether another process has the database open: it would go on writing to the file that is moved away. */
export function isInUse(path: string): boolean {
  try {
    using database = new DatabaseSync(path, { timeout: 0 })
    database.exec('pragma locking_mode = exclusive; begin exclusive; commit')
    return false
  } catch (error) {
    // Whatever else is wrong with it is why it is replaced.
    return Object(error).errcode === SQLITE_BUSY
  }
}

/**
 * Replaces the database with a backup and keeps the old one beside it, under the returned name. The old one is moved only when the
 * copy is complete, because without a database the service would start with an empty one.
 */
export async function restoreSqlite(source: string, path: string, stamp: string): Promise<string | undefined> {
  assertBackup(source)
  const incoming = `${path}.restoring`
  rmSync(incoming, { force: true })
  await copySqlite(source, incoming)
  const kept = existsSync(path) ? `${path}.before-${stamp}` : undefined
  if (kept !== undefined) {
    for (const suffix of ['', '-wal', '-shm']) if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix)
  }
  renameSync(incoming, path)
  rmSync(`${path}-wal`, { force: true })
  return kept
}

export class NoBackup extends Error {
  override readonly name = 'NoBackup'
}

/** SQLite's own check also accepts an empty file and the database of another program. */
function assertBackup(path: string): void {
  try {
    assertSound(path)
    using database = new DatabaseSync(path, { readOnly: true })
    const table = "select 1 from sqlite_master where name = 'kysely_migration'"
    if (database.prepare(table).get() === undefined) throw new Error('it is no database of Serai')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new NoBackup(`${path} cannot be restored: ${why}. Nothing was changed.`)
  }
}

/** Throws unless the file is a whole SQLite database. */
export function assertSound(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const found = database.prepare('pragma integrity_check').get()?.integrity_check
    if (found !== 'ok') throw new Error(`${path} is damaged: ${found}`)
  } finally {
    database.close()
  }
}
