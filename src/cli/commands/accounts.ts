import type { ManageAccounts } from '../../accounts/manage-accounts.ts'
import type { OneTimeCodes } from '../../accounts/one-time-codes.ts'
import { ACCOUNT_PAYMENTS, type AccountPayment } from '../../accounts/store/accounts.ts'
import { ROLES, type Role } from '../../domain/access.ts'
import { type Command, print, sanitize, WrongArgument } from '../command.ts'
import { readPassword } from '../read-password.ts'
import { readVerb } from '../read-verb.ts'
import { withAccounts } from '../with-accounts.ts'

const USAGE = `serai accounts add EMAIL [--name NAME] [--role ROLE]
                                           asks for the password, or reads it from standard input
serai accounts list
serai accounts role EMAIL ROLE             ${ROLES.join(', ')}
serai accounts payment EMAIL ${ACCOUNT_PAYMENTS.join('|')}
                                           how its bookings are paid, if a payment provider is configured
serai accounts totp EMAIL [--remove]       sets up one-time codes: prints a secret for an authenticator app and asks for
                                           a code from it, or reads one from standard input
serai accounts disable EMAIL               revokes its tokens; its API keys stop working too
serai accounts set-password EMAIL          revokes its tokens and enables the account again

Roles: client searches and books for itself, viewer only reads its bookings, operator runs the service.`

export const accountsCommand: Command = { usage: USAGE, run: runAccounts }

const OPTIONS = { name: { type: 'string' }, role: { type: 'string' }, remove: { type: 'boolean' } } as const

const VERBS = {
  add: 'EMAIL --name --role',
  list: '',
  role: 'EMAIL ROLE',
  payment: 'EMAIL PAYMENT',
  totp: 'EMAIL --remove',
  disable: 'EMAIL',
  'set-password': 'EMAIL',
}

async function runAccounts(args: string[]): Promise<number> {
  const { verb, words, values } = readVerb(args, VERBS, OPTIONS)
  if (verb === 'list') return withAccounts(({ accounts }) => list(accounts.manageAccounts))
  const [email = '', word = values.role ?? 'client'] = words
  if (verb === 'payment') return setPayment(email, readPayment(word))
  const role = readRole(word)
  return withAccounts(({ accounts: { manageAccounts: manage, oneTimeCodes }, audited }) => {
    const works: Record<typeof verb, () => Promise<number>> = {
      add: () => add(manage, email, values.name ?? '', role),
      role: async () => changed(await manage.setRole(email, role), email, `has the role ${role}`),
      totp: () => totp(oneTimeCodes, manage, email, values.remove === true),
      disable: async () => changed(await manage.disable(email), email, 'is disabled'),
      'set-password': async () =>
        changed(await manage.setPassword(email, await readPassword()), email, 'has a new password'),
    }
    return audited(`accounts.${verb}`, email, works[verb])
  })
}

const setPayment = (email: string, payment: AccountPayment) =>
  withAccounts(({ accounts: { manageAccounts }, audited }) =>
    audited('accounts.payment', email, async () => {
      const isFound = await manageAccounts.setPayment(email, payment)
      return changed(isFound, email, payment === 'card' ? 'pays by card' : 'pays on account')
    }),
  )

function readPayment(word: string): AccountPayment {
  const payment = ACCOUNT_PAYMENTS.find((known) => known === word)
  if (payment !== undefined) return payment
  throw new WrongArgument(`Bookings are paid by ${ACCOUNT_PAYMENTS.join(' or ')}, not by ${sanitize(word)}.`)
}

function readRole(word: string): Role {
  const role = ROLES.find((known) => known === word)
  if (role === undefined) throw new WrongArgument(`There is no role ${sanitize(word)}. Known: ${ROLES.join(', ')}.`)
  return role
}

async function add(manage: ManageAccounts, email: string, name: string, role: Role): Promise<number> {
  const account = await manage.add(email, name, await readPassword(), role)
  if (account === undefined) return print(`${email} already has an account.`, 1)
  return print(`Added ${account.email} (${account.id}), ${role}.`, 0)
}

async function totp(codes: OneTimeCodes, manage: ManageAccounts, email: string, isRemoved: boolean): Promise<number> {
  if (isRemoved) return changed(await codes.remove(email), email, 'signs in without one-time codes')
  if ((await manage.byEmail(email)) === undefined) return changed(false, email, '')
  const { secret, uri, confirm } = codes.prepare(email)
  console.log(`Add this secret to the authenticator app, typed or as a QR code:\n\n  ${secret}\n  ${uri}\n`)
  const isRight = await confirm(await readPassword('Code from the app: '))
  return isRight
    ? print(`${email} now signs in with one-time codes.`, 0)
    : print('The code is wrong; nothing was changed. Run the command again for a new secret.', 1)
}

async function list(manage: ManageAccounts): Promise<number> {
  const accounts = await manage.list()
  if (accounts.length === 0) return print('There is no account yet: serai accounts add EMAIL', 0)
  const rows = accounts.map((account) => {
    const state = account.disabledAt === undefined ? 'enabled ' : 'disabled'
    const day = new Date(account.createdAt).toISOString().slice(0, 10)
    const codes = account.totpSecret === undefined ? '' : '  one-time codes'
    return `${account.id}  ${state}  ${account.role.padEnd(8)}  ${day}  ${sanitize(account.email)}  ${sanitize(account.name)}${codes}`
  })
  return print(rows.join('\n'), 0)
}

const changed = (found: boolean, email: string, result: string) =>
  found ? print(`${email} ${result}.`, 0) : print(`There is no account ${email}.`, 1)
