import { parseArgs } from 'node:util'
import { createManageAccounts, type ManageAccounts } from '../accounts/manage-accounts.ts'
import { createPasswords } from '../accounts/passwords.ts'
import { openConfigured } from '../compose/database.ts'
import { readConfig } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { randomIds } from '../lib/ids.ts'
import { createAccountStore } from '../store/accounts.ts'
import { migrate } from '../store/migrations.ts'
import { createSignInStore } from '../store/sign-ins.ts'
import { type Command, print } from './command.ts'
import { readPassword } from './read-password.ts'

const USAGE = `serai accounts add EMAIL [--name NAME]     asks for the password, or reads it from standard input
serai accounts list
serai accounts disable EMAIL               revokes its tokens too
serai accounts set-password EMAIL          revokes its tokens and enables the account again`

export const accounts: Command = { usage: USAGE, run: runAccounts }

async function runAccounts(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { name: { type: 'string' } } })
  const [verb, email] = positionals
  if (verb !== 'list' && email === undefined) return print(USAGE, 2)
  const database = openConfigured(readConfig())
  try {
    await migrate(database)
    const manage = createManageAccounts({
      accounts: createAccountStore(database),
      signIns: createSignInStore(database),
      passwords: createPasswords(),
      clock: systemClock,
      ids: randomIds,
    })
    if (verb === 'list') return await list(manage)
    if (email === undefined) return print(USAGE, 2)
    if (verb === 'add') return await add(manage, email, values.name ?? '')
    if (verb === 'disable') return changed(await manage.disable(email), email, 'is disabled')
    if (verb === 'set-password') {
      return changed(await manage.setPassword(email, await readPassword()), email, 'has a new password')
    }
    return print(USAGE, 2)
  } finally {
    await database.close()
  }
}

async function add(manage: ManageAccounts, email: string, name: string): Promise<number> {
  const account = await manage.add(email, name, await readPassword())
  if (account === undefined) return print(`${email} already has an account.`, 1)
  return print(`Added ${account.email} (${account.id}).`, 0)
}

async function list(manage: ManageAccounts): Promise<number> {
  const accounts = await manage.list()
  if (accounts.length === 0) return print('There is no account yet: serai accounts add EMAIL', 0)
  const rows = accounts.map((account) => {
    const state = account.disabledAt === undefined ? 'enabled ' : 'disabled'
    return `${account.id}  ${state}  ${new Date(account.createdAt).toISOString().slice(0, 10)}  ${account.email}  ${account.name}`
  })
  return print(rows.join('\n'), 0)
}

const changed = (found: boolean, email: string, what: string) =>
  found ? print(`${email} ${what}.`, 0) : print(`There is no account ${email}.`, 1)
