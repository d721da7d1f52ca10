import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccountStore } from '../../src/store/accounts.ts'
import { assertSound, backupSqlite, restoreSqlite } from '../../src/store/backup.ts'
import { openDatabase } from '../../src/store/database.ts'
import { MIGRATIONS, migrate } from '../../src/store/migrations.ts'
import { turnableClock } from '../support/clock.ts'
import { freshDatabase, type Postgres, startPostgres } from '../support/postgres.ts'

const clock = turnableClock()
const all = MIGRATIONS.map((migration) => migration.name)
let folder: string
let postgres: Postgres
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'serai-store-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

const account = {
  id: 'acc_1',
  email: 'a@example.com',
  name: 'A',
  passwordHash: 'h',
  createdAt: 1,
  disabledAt: undefined,
}

describe('two processes that start together', () => {
  test('migrate a SQLite file once', async () => {
    const path = join(folder, 'together.db')
    const child = join(import.meta.dirname, '../support/migrate-once.ts')
    const runs = await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, [child, path])))
    expect(runs.flatMap(({ stdout }) => stdout.split('\n').filter((line) => line !== '')).sort()).toEqual(
      [...all].sort(),
    )
  })

  test('migrate a PostgreSQL database once', async () => {
    const url = await freshDatabase(postgres, 'together')
    const databases = [1, 2, 3].map(() => openDatabase({ kind: 'postgres', url }))
    const steps = await Promise.all(databases.map((database) => migrate(database, clock)))
    expect(steps.flat().sort()).toEqual([...all].sort())
    await Promise.all(databases.map((database) => database.close()))
  })
})

test('a database that a newer version moved on is left alone, with words', async () => {
  const database = openDatabase({ kind: 'sqlite', path: ':memory:' })
  await migrate(database, clock)
  await database.write(async (tx) => {
    await tx
      .insertInto('schema_migrations' as never)
      .values({ name: '999-future', applied_at: 1 } as never)
      .execute()
  })
  await expect(migrate(database, clock)).rejects.toThrow('newer version (999-future)')
  await database.close()
})

describe('backup and restore', () => {
  test('a backup taken while the database is open holds what was committed, and restoring keeps what was there', async () => {
    const path = join(folder, 'live.db')
    const copy = join(folder, 'copy.db')
    const database = openDatabase({ kind: 'sqlite', path })
    await migrate(database, clock)
    await createAccountStore(database).add(account)
    await backupSqlite(path, copy)
    await createAccountStore(database).add({ ...account, id: 'acc_2', email: 'later@example.com' })
    await database.close()

    const kept = restoreSqlite(copy, path, 'now')
    const restored = openDatabase({ kind: 'sqlite', path })
    expect((await createAccountStore(restored).list()).map(({ id }) => id)).toEqual(['acc_1'])
    await restored.close()
    const before = openDatabase({ kind: 'sqlite', path: kept ?? '' })
    expect(await createAccountStore(before).list()).toHaveLength(2)
    await before.close()
  })

  test('a file that is no database is refused before anything is moved', async () => {
    const path = join(folder, 'kept.db')
    const database = openDatabase({ kind: 'sqlite', path })
    await migrate(database, clock)
    await database.close()
    writeFileSync(join(folder, 'junk.db'), 'this is not a database, not at all, but long enough to look at')
    expect(() => restoreSqlite(join(folder, 'junk.db'), path, 'now')).toThrow()
    assertSound(path)
  })
})
