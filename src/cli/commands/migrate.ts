import { parseArgs } from 'node:util'
import { migrateConfigured } from '../../compose/database.ts'
import { readConfig } from '../../config.ts'
import type { Command } from '../command.ts'

export const migrateCommand: Command = {
  usage: `serai migrate   updates the database schema and exits`,
  async run(args) {
    parseArgs({ args })
    const steps = await migrateConfigured(readConfig())
    console.log(steps.length === 0 ? 'The database is up to date.' : `Migrated: ${steps.join(', ')}.`)
    return 0
  },
}
