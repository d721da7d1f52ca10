import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Database, openDatabase } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrations.ts'

let image: Promise<Uint8Array> | undefined

/** Migrated SQLite database in memory, copied from an image because migrations take 100 times as long. */
export async function openMigrated(): Promise<Database> {
  image ??= createImage()
  return openDatabase({ kind: 'sqlite', path: ':memory:', image: await image })
}

async function createImage(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'serai-migrated-'))
  try {
    const path = join(folder, 'serai.db')
    const database = openDatabase({ kind: 'sqlite', path })
    await migrate(database)
    await database.close()
    const file = new DatabaseSync(path)
    // A database in memory cannot have a write-ahead log.
    file.exec('pragma journal_mode=delete')
    const content = file.serialize()
    file.close()
    return content
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
