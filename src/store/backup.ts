import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'

/** A consistent copy while the service runs. */
export async function backupSqlite(path: string, target: string): Promise<void> {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    await backup(database, target)
  } finally {
    database.close()
  }
  assertSound(target)
}

/** Puts a backup in place. What was there is kept beside it under the name that is answered. */
export function restoreSqlite(source: string, path: string, stamp: string): string | undefined {
  assertSound(source)
  const kept = existsSync(path) ? `${path}.before-${stamp}` : undefined
  if (kept !== undefined) {
    for (const suffix of ['', '-wal', '-shm']) if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix)
  }
  copyFileSync(source, `${path}.restoring`)
  renameSync(`${path}.restoring`, path)
  rmSync(`${path}-wal`, { force: true })
  return kept
}

/** Throws unless the file is a whole SQLite database. */
export function assertSound(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const row = database.prepare('pragma integrity_check').get() as { integrity_check?: string } | undefined
    if (row?.integrity_check !== 'ok') throw new Error(`${path} is damaged: ${row?.integrity_check}`)
  } finally {
    database.close()
  }
}
