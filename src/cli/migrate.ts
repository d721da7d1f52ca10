import { readConfig } from '../config.ts'
import { migrateConfigured } from '../configured-database.ts'

export async function migrateCommand(): Promise<number> {
  const steps = await migrateConfigured(readConfig())
  console.log(steps.length === 0 ? 'The database is up to date.' : `Migrated: ${steps.join(', ')}.`)
  return 0
}
