import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openConfigured } from '../../src/compose/database.ts'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/store/database.ts'
import { MIGRATIONS, migrate } from '../../src/store/migrations.ts'
import { freshDatabase } from '../support/servers/postgres.ts'

let folder: string
const postgres = { url: inject('postgresUrl') }
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'serai-store-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('concurrent migrations', () => {
  test('processes that start together migrate a SQLite file once', async () => {
    const path = join(folder, 'together.db')
    const child = join(import.meta.dirname, '../support/store/migrate-once.ts')
    const runs = await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, [child, path])))
    expect(runs.flatMap(({ stdout }) => stdout.split('\n').filter((line) => line !== '')).sort()).toEqual([
      ...MIGRATIONS,
    ])
  })

  test('processes that start together migrate a PostgreSQL database once', async () => {
    const url = await freshDatabase(postgres, 'together')
    const databases = [1, 2, 3].map(() => openDatabase({ kind: 'postgres', url }))
    const steps = await Promise.all(databases.map((database) => migrate(database)))
    expect(steps.flat().sort()).toEqual([...MIGRATIONS])
    await Promise.all(databases.map((database) => database.close()))
  })
})

describe('migrations of a newer version', () => {
  const openMigratedBy = async (name: string) => {
    const database = openDatabase({ kind: 'sqlite', path: ':memory:' })
    await migrate(database)
    await database.write(async (tx) => {
      await sql`insert into kysely_migration values (${name}, '9999-01-01T00:00:00.000Z')`.execute(tx)
    })
    return database
  }

  test('a database with a compatible migration of a newer version can be used', async () => {
    const database = await openMigratedBy('999-future')
    expect(await migrate(database)).toEqual([])
    await database.close()
  })

  test('a database with a breaking migration of a newer version is refused', async () => {
    const database = await openMigratedBy('999-smaller-breaking')
    await expect(migrate(database)).rejects.toThrow('newer version (999-smaller-breaking)')
    await database.close()
  })

  test('a database of a newer version that lacks a migration of this version is refused', async () => {
    const database = await openMigratedBy('999-future')
    await database.write(async (tx) => {
      await sql`delete from kysely_migration where name = ${MIGRATIONS.at(-1) ?? ''}`.execute(tx)
    })
    await expect(migrate(database)).rejects.toThrow('newer version (999-future)')
    await database.close()
  })
})

const readMode = (path: string) => statSync(path).mode & 0o777

describe('files', () => {
  test('only the owner can read the files of a SQLite database, even if an earlier version created them', async () => {
    const path = join(folder, 'private.db')
    const files = [path, `${path}-wal`, `${path}-shm`]
    const before = process.umask(0o022)
    try {
      const database = openDatabase({ kind: 'sqlite', path })
      await migrate(database)
      expect(files.map(readMode)).toEqual([0o600, 0o600, 0o600])
      for (const file of files) chmodSync(file, 0o644)
      const second = openDatabase({ kind: 'sqlite', path })
      await second.probe()
      expect(files.map(readMode)).toEqual([0o600, 0o600, 0o600])
      await second.close()
      await database.close()
    } finally {
      process.umask(before)
    }
  })

  test('only the owner can access the data directory, even if an earlier version created it', async () => {
    const config = readConfig({ NODE_ENV: 'test', SERAI_DATA_DIR: join(folder, 'data') })
    await openConfigured(config).probe()
    expect(readMode(config.dataDir)).toBe(0o700)
    chmodSync(config.dataDir, 0o755)
    await openConfigured(config).probe()
    expect(readMode(config.dataDir)).toBe(0o700)
  })
})
