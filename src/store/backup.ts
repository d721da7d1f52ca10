import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { keepPrivate } from './sqlite-dialect.ts'

/** More pages than any database has, so that the copy is one step: SQLite starts again whenever somebody writes between two steps. */
const PAGES_PER_STEP = 2 ** 31 - 1

/** A consistent copy while the service runs. It blocks nobody: it only reads, in one of Node's own threads. */
export async function backupSqlite(path: string, target: string): Promise<void> {
  keepPrivate(target)
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    await backup(database, target, { rate: PAGES_PER_STEP })
  } finally {
    database.close()
  }
  assertSound(target)
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

/** Puts a backup in place. The database that was there is kept beside it, under the returned name. */
export function restoreSqlite(source: string, path: string, stamp: string): string | undefined {
  assertSound(source)
  const kept = existsSync(path) ? `${path}.before-${stamp}` : undefined
  if (kept !== undefined) {
    for (const suffix of ['', '-wal', '-shm']) if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix)
  }
  copyFileSync(source, `${path}.restoring`)
  keepPrivate(`${path}.restoring`)
  renameSync(`${path}.restoring`, path)
  rmSync(`${path}-wal`, { force: true })
  return kept
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
