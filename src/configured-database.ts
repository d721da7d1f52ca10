import { join } from 'node:path'
import type { Config } from './config.ts'
import { systemClock } from './lib/clock.ts'
import { type Database, openDatabase } from './store/database.ts'
import { migrate } from './store/migrations.ts'

export const sqlitePath = (config: Config): string => join(config.dataDir, 'serai.db')

export function openConfigured(config: Config, { patient = false } = {}): Database {
  return config.databaseUrl === undefined
    ? openDatabase({ kind: 'sqlite', path: sqlitePath(config) })
    : openDatabase({
        kind: 'postgres',
        url: config.databaseUrl,
        connectionsMax: config.databaseConnections,
        patient,
      })
}

/** Brings the configured database up to date, however long that takes. */
export async function migrateConfigured(config: Config): Promise<string[]> {
  const database = openConfigured(config, { patient: true })
  try {
    return await migrate(database, systemClock)
  } finally {
    await database.close()
  }
}
