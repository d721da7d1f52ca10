import { parseArgs } from 'node:util'
import type { ManageKeys, ShownKey } from '../accounts/manage-keys.ts'
import { KEY_MODES, SCOPES } from '../domain/access.ts'
import { AppError } from '../domain/app-error.ts'
import { BUDGET_PERIODS, type Budget } from '../domain/budget.ts'
import { parseMoney, toDecimal } from '../domain/money.ts'
import type { Account } from '../store/accounts.ts'
import { type Command, print, WrongArgument } from './command.ts'
import { plain } from './format-booking.ts'
import { type AccountsCommand, withAccounts } from './with-accounts.ts'

const USAGE = `serai keys add EMAIL --name NAME --scopes SCOPE,SCOPE… [--mode live|test] [--per-minute N] [--budget BUDGET]
                                           prints the key, which is not shown again
serai keys list EMAIL                      the keys of an account, also revoked ones
serai keys revoke ID
serai keys budget ID BUDGET|none           what may be booked with the key from now on

Scopes: ${SCOPES.join(', ')}
A budget is an amount for a day or month of UTC: 1000EUR/day`

export const keys: Command = { usage: USAGE, run: runKeys }

const OPTIONS = {
  name: { type: 'string' },
  scopes: { type: 'string' },
  mode: { type: 'string' },
  'per-minute': { type: 'string' },
  budget: { type: 'string' },
} as const

type Values = { readonly [name in keyof typeof OPTIONS]?: string | undefined }

async function runKeys(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  const [verb, subject, budget, ...more] = positionals
  if (more.length > 0 || (verb !== 'budget' && budget !== undefined))
    throw new WrongArgument(`One argument too many: ${positionals.at(-1)}`)
  if (subject === undefined) return print(USAGE, 2)
  if (verb === 'add') return withAccount(subject, (command, account) => add(command, account, values))
  if (verb === 'list') return withAccount(subject, ({ accounts }, { id }) => list(accounts.manageKeys, id))
  if (verb === 'revoke') return changeKey('keys.revoke', subject, (manage, owner) => manage.revoke(owner, subject))
  if (verb !== 'budget' || budget === undefined) return print(USAGE, 2)
  const read = budget === 'none' ? undefined : readBudget(budget)
  if (read === 'wrong') return print(WRONG_BUDGET, 2)
  return changeKey('keys.budget', subject, (manage, owner) => manage.setBudget(owner, subject, read))
}

const withAccount = (email: string, work: (command: AccountsCommand, account: Account) => Promise<number>) =>
  withAccounts(async (command) => {
    const account = await command.accounts.manageAccounts.byEmail(email)
    return account === undefined ? print(`There is no account ${email}.`, 1) : work(command, account)
  })

async function add(command: AccountsCommand, account: Account, values: Values): Promise<number> {
  const name = values.name?.trim() ?? ''
  const words = (values.scopes ?? '').split(',').map((word) => word.trim())
  const scopes = SCOPES.filter((scope) => words.includes(scope))
  const mode = KEY_MODES.find((one) => one === (values.mode ?? 'live'))
  const perMinute = values['per-minute'] === undefined ? undefined : Number(values['per-minute'])
  const budget = values.budget === undefined ? undefined : readBudget(values.budget)
  if (name === '') return print('--name says what the key is for.', 2)
  if (scopes.length !== words.length) return print(`--scopes must be some of ${SCOPES.join(', ')}.`, 2)
  if (mode === undefined) return print(`--mode must be ${KEY_MODES.join(' or ')}.`, 2)
  if (perMinute !== undefined && !(Number.isInteger(perMinute) && perMinute > 0 && perMinute <= 100_000))
    return print('--per-minute must be a whole number from 1 to 100000.', 2)
  if (budget === 'wrong') return print(WRONG_BUDGET, 2)
  const owner = { accountId: account.id, role: account.role }
  return command.audited('keys.add', account.email, () =>
    orSay(async () => {
      const made = await command.accounts.manageKeys.create(owner, { name, mode, scopes, perMinute, budget })
      return print(`${made.secret}\n\nThis is ${made.key.id}. Keep the key; it is not shown again.`, 0)
    }),
  )
}

async function list(manage: ManageKeys, accountId: string): Promise<number> {
  const all = await manage.all(accountId)
  return print(all.length === 0 ? 'The account has no key yet.' : all.map(lineOf).join('\n'), 0)
}

function lineOf(key: ShownKey): string {
  const day = (at: number | undefined) => (at === undefined ? 'never' : new Date(at).toISOString().slice(0, 10))
  const state = key.revokedAt === undefined ? `last used ${day(key.lastUsedAt)}` : `revoked ${day(key.revokedAt)}`
  const allowance = key.perMinute === undefined ? '' : `  ${key.perMinute}/min`
  return `${key.id}  ${key.hint}  ${key.scopes.join(',')}${allowance}  ${budgetText(key)}  ${state}  ${plain(key.name)}`
}

function budgetText({ budget, left }: ShownKey): string {
  if (budget === undefined) return 'no budget'
  const rest = left === undefined ? '' : `, ${toDecimal(left)} left`
  return `${toDecimal(budget.limit)}${budget.limit.currency}/${budget.per}${rest}`
}

const changeKey = (action: string, id: string, change: (manage: ManageKeys, accountId: string) => Promise<void>) =>
  withAccounts(({ accounts, audited }) =>
    audited(action, id, () =>
      orSay(async () => {
        const key = await accounts.manageKeys.byId(id)
        await change(accounts.manageKeys, key?.accountId ?? '')
        return print(`${id} was changed.`, 0)
      }),
    ),
  )

/** What is refused for a reason that can be said is no crash. */
async function orSay(work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return print([error.message, ...error.errors.map(({ message }) => message)].join('\n'), 1)
  }
}

const BUDGET = /^(\d+(?:\.\d+)?)\s?([A-Z]{3})\/(day|month)$/
const WRONG_BUDGET = 'A budget must look like 1000EUR/day or 5000.50USD/month.'

function readBudget(text: string): Budget | 'wrong' {
  const [, amount = '', currency = '', word] = BUDGET.exec(text.trim()) ?? []
  const limit = parseMoney(amount, currency)
  const per = BUDGET_PERIODS.find((period) => period === word)
  return limit === undefined || per === undefined ? 'wrong' : { limit, per }
}
