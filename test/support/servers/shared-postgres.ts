import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrations.ts'
import { freshDatabase, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresUrl: string
  }
}

/** Name of the migrated, empty database that others are copied from. */
export const MIGRATED = 'migrated'

/** One PostgreSQL for all files of a test project; each suite has its own database. */
export default async function startSharedPostgres(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  const database = openDatabase({ kind: 'postgres', url: await freshDatabase(postgres, MIGRATED) })
  await migrate(database)
  await database.close()
  project.provide('postgresUrl', postgres.url)
  return postgres.stop
}
