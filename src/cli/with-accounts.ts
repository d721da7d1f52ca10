import { type ComposedAccounts, composeAccounts } from '../compose/accounts.ts'
import { migrateConfigured, openConfigured } from '../compose/database.ts'
import { type Config, readConfig } from '../config.ts'
import { randomIds } from '../lib/crypto/ids.ts'
import { systemClock } from '../lib/time/clock.ts'
import type { Database } from '../store/database.ts'
import { type Audited, createAudited } from './audited.ts'

export type AccountsCommand = {
  readonly accounts: ComposedAccounts
  readonly database: Database
  readonly config: Config
  /** Runs a command that changes something, and writes it into the audit log. */
  readonly audited: Audited
}

/** Runs a command with the accounts alone, which need neither vendors nor the catalogue. */
export async function withAccounts(work: (command: AccountsCommand) => Promise<number>): Promise<number> {
  const config = readConfig()
  await migrateConfigured(config)
  const database = openConfigured(config)
  try {
    const accounts = composeAccounts({ config, clock: systemClock, ids: randomIds, database })
    return await work({ accounts, database, config, audited: createAudited(accounts.audit) })
  } finally {
    await database.close()
  }
}
