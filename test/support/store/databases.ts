import { afterAll, beforeAll, describe } from 'vitest'
import { type Database, openDatabase } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrations.ts'
import { freshDatabase, type Postgres, startPostgres } from '../servers/postgres.ts'

/** Runs one suite on SQLite and again on a real PostgreSQL, each migrated and empty. */
export function onBothDatabases(name: string, suite: (open: () => Database) => void): void {
  describe(`${name} on SQLite`, () => {
    let database: Database
    beforeAll(async () => {
      database = openDatabase({ kind: 'sqlite', path: ':memory:' })
      await migrate(database)
    })
    afterAll(() => database.close())
    suite(() => database)
  })

  describe(`${name} on PostgreSQL`, () => {
    let postgres: Postgres
    let database: Database
    beforeAll(async () => {
      postgres = await startPostgres()
      database = openDatabase({ kind: 'postgres', url: await freshDatabase(postgres, 'suite') })
      await migrate(database)
    })
    afterAll(async () => {
      await database?.close()
      await postgres?.stop()
    })
    suite(() => database)
  })
}
