import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { type Database, openDatabase } from '../../../src/store/database.ts'
import { freshDatabase } from '../servers/postgres.ts'
import { MIGRATED } from '../servers/shared-postgres.ts'
import { openMigrated } from './migrated-database.ts'

/** Runs a suite on SQLite and on PostgreSQL, each migrated and empty. */
export function onBothDatabases(name: string, suite: (open: () => Database) => void): void {
  describe(`${name} on SQLite`, () => {
    let database: Database
    beforeAll(async () => {
      database = await openMigrated()
    })
    afterAll(() => database.close())
    suite(() => database)
  })

  describe(`${name} on PostgreSQL`, () => {
    let database: Database
    beforeAll(async () => {
      const name = `suite_${randomUUID().replaceAll('-', '')}`
      const url = await freshDatabase({ url: inject('postgresUrl') }, name, MIGRATED)
      database = openDatabase({ kind: 'postgres', url })
    })
    afterAll(() => database?.close())
    suite(() => database)
  })
}
