import { chmodSync, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { migrate } from '../store/migrations.ts'

export const sqlitePath = (config: Config): string => join(config.dataDir, 'serai.db')

type Options = {
  patient?: boolean
  onHang?(isHung: boolean): void
  onReplicaRead?(server: 'replica' | 'primary'): void
}

export function openConfigured(config: Config, options: Options = {}): Database {
  if (config.databaseUrl !== undefined) {
    const { databaseUrl: url, databaseReadUrl: readUrl, databaseConnections: connectionsMax } = config
    return openDatabase({ kind: 'postgres', url, readUrl, connectionsMax, ...options })
  }
  keepFolderPrivate(config)
  return openDatabase({ kind: 'sqlite', path: sqlitePath(config) })
}

/** Restricts the folder to its owner, also if an earlier version created it. */
function keepFolderPrivate(config: Config): void {
  const { dataDir } = config
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(sqlitePath(config)) || (statSync(dataDir).mode & 0o077) === 0) return
  try {
    chmodSync(dataDir, 0o700)
  } catch {
    // Another user owns the folder and its permissions.
  }
}

/** File system type of tmpfs on Linux. */
const TMPFS = 0x0102_1994

/** Warning if bookings are stored in memory. The database must be open. */
export function warnAboutMemory({ databaseUrl, dataDir, mode }: Config): string | undefined {
  if (databaseUrl !== undefined || mode !== 'production' || statfsSync(dataDir).type !== TMPFS) return undefined
  return `${dataDir} is in memory: a restart of the machine or container loses all bookings. Mount a volume there, or set DATABASE_URL.`
}

/** Migrates without a query timeout. */
export async function migrateConfigured(config: Config): Promise<string[]> {
  const database = openConfigured(config, { patient: true })
  try {
    return await migrate(database)
  } finally {
    await database.close()
  }
}
