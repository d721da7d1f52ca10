import { type ComposedAccounts, composeAccounts } from '../compose/accounts.ts'
import { migrateConfigured, openConfigured } from '../compose/database.ts'
import { composeRates } from '../compose/rates.ts'
import { type Config, readConfig } from '../config.ts'
import { randomIds } from '../lib/crypto/ids.ts'
import { systemClock } from '../lib/time/clock.ts'
import type { Database } from '../store/database.ts'
import { checkSecrets } from '../store/secret-checks.ts'
import { type Audited, createAuditedRunner } from './audited.ts'

export type AccountsCommand = {
  readonly accounts: ComposedAccounts
  readonly database: Database
  readonly config: Config
  readonly audited: Audited
}

/** Runs a command that needs only the accounts, neither vendors nor the catalogue. */
export async function withAccounts(work: (command: AccountsCommand) => Promise<number>): Promise<number> {
  const config = readConfig()
  await migrateConfigured(config)
  const database = openConfigured(config)
  try {
    await checkSecrets(database, config.secrets)
    const core = { config, clock: systemClock, ids: randomIds, database }
    const { rates } = await composeRates(core)
    const accounts = composeAccounts({ ...core, rates })
    return await work({ accounts, database, config, audited: createAuditedRunner(accounts.audit) })
  } finally {
    await database.close()
  }
}
