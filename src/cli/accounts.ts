import { parseArgs } from 'node:util'
import { createManageAccounts, type ManageAccounts } from '../accounts/manage-accounts.ts'
import { createPasswords } from '../accounts/passwords.ts'
import { readConfig } from '../config.ts'
import { openConfigured } from '../configured-database.ts'
import { systemClock } from '../lib/clock.ts'
import { randomIds } from '../lib/ids.ts'
import { createAccountStore } from '../store/accounts.ts'
import { migrate } from '../store/migrations.ts'
import { createSignInFailureStore } from '../store/sign-in-failures.ts'
import { readPassword } from './read-password.ts'

const USAGE = `serai accounts add EMAIL [--name NAME]     the password is asked for, or read from standard input
serai accounts list
serai accounts disable EMAIL               ends its tokens at once
serai accounts set-password EMAIL          ends its tokens and enables it again`

export async function accountsCommand(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { name: { type: 'string' } } })
  const [verb, email] = positionals
  const database = openConfigured(readConfig())
  try {
    await migrate(database, systemClock)
    const manage = createManageAccounts({
      accounts: createAccountStore(database),
      failures: createSignInFailureStore(database),
      passwords: createPasswords(),
      clock: systemClock,
      ids: randomIds,
    })
    if (verb === 'list') return await list(manage)
    if (email === undefined) return say(USAGE, 2)
    if (verb === 'add') return await add(manage, email, values.name ?? '')
    if (verb === 'disable') return changed(await manage.disable(email), email, 'is disabled')
    if (verb === 'set-password') {
      return changed(await manage.setPassword(email, await readPassword()), email, 'has a new password')
    }
    return say(USAGE, 2)
  } finally {
    await database.close()
  }
}

async function add(manage: ManageAccounts, email: string, name: string): Promise<number> {
  const account = await manage.add(email, name, await readPassword())
  if (account === undefined) return say(`${email} already has an account.`, 1)
  return say(`Added ${account.email} (${account.id}).`, 0)
}

async function list(manage: ManageAccounts): Promise<number> {
  const accounts = await manage.list()
  if (accounts.length === 0) return say('There is no account yet: serai accounts add EMAIL', 0)
  const rows = accounts.map((account) => {
    const state = account.disabledAt === undefined ? 'enabled ' : 'disabled'
    return `${account.id}  ${state}  ${new Date(account.createdAt).toISOString().slice(0, 10)}  ${account.email}  ${account.name}`
  })
  return say(rows.join('\n'), 0)
}

const changed = (found: boolean, email: string, words: string) =>
  found ? say(`${email} ${words}.`, 0) : say(`There is no account ${email}.`, 1)

function say(text: string, code: number): number {
  if (code === 0) console.log(text)
  else console.error(text)
  return code
}
