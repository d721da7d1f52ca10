import type { ManageKeys, ShownKey } from '../../accounts/manage-keys.ts'
import type { Account } from '../../accounts/store/accounts.ts'
import { KEY_MODES, SCOPES } from '../../domain/access.ts'
import { BUDGET_PERIODS, type Budget } from '../../domain/money/budget.ts'
import { parseMoney, toDecimal } from '../../domain/money/money.ts'
import { type Command, plain, print, WrongArgument } from '../command.ts'
import { readVerb } from '../read-verb.ts'
import { type AccountsCommand, withAccounts } from '../with-accounts.ts'

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

const VERBS = {
  add: 'EMAIL --name --scopes --mode --per-minute --budget',
  list: 'EMAIL',
  revoke: 'ID',
  budget: 'ID BUDGET',
}

async function runKeys(args: string[]): Promise<number> {
  const { verb, words, values } = readVerb(args, VERBS, OPTIONS)
  const [subject = '', amount = ''] = words
  switch (verb) {
    case 'add': {
      const asked = readKey(values)
      return withAccount(subject, (command, account) => add(command, account, asked))
    }
    case 'list':
      return withAccount(subject, ({ accounts }, { id }) => list(accounts.manageKeys, id))
    case 'revoke':
      return changeKey('keys.revoke', subject, (manage, owner) => manage.revoke(owner, subject))
    case 'budget': {
      const budget = amount === 'none' ? undefined : readBudget(amount)
      return changeKey('keys.budget', subject, (manage, owner) => manage.setBudget(owner, subject, budget))
    }
  }
}

const withAccount = (email: string, work: (command: AccountsCommand, account: Account) => Promise<number>) =>
  withAccounts(async (command) => {
    const account = await command.accounts.manageAccounts.byEmail(email)
    return account === undefined ? print(`There is no account ${email}.`, 1) : work(command, account)
  })

function readKey(values: Values): Parameters<ManageKeys['create']>[1] {
  const name = values.name?.trim() ?? ''
  const words = (values.scopes ?? '').split(',').map((word) => word.trim())
  const scopes = SCOPES.filter((scope) => words.includes(scope))
  const mode = KEY_MODES.find((one) => one === (values.mode ?? 'live'))
  const perMinute = values['per-minute'] === undefined ? undefined : Number(values['per-minute'])
  if (name === '') throw new WrongArgument('--name says what the key is for.')
  if (scopes.length !== words.length) throw new WrongArgument(`--scopes must be some of ${SCOPES.join(', ')}.`)
  if (mode === undefined) throw new WrongArgument(`--mode must be ${KEY_MODES.join(' or ')}.`)
  if (perMinute !== undefined && !(Number.isInteger(perMinute) && perMinute > 0 && perMinute <= 100_000))
    throw new WrongArgument('--per-minute must be a whole number from 1 to 100000.')
  const budget = values.budget === undefined ? undefined : readBudget(values.budget)
  return { name, mode, scopes, perMinute, budget }
}

const add = (command: AccountsCommand, account: Account, asked: ReturnType<typeof readKey>): Promise<number> =>
  command.audited('keys.add', account.email, async () => {
    const made = await command.accounts.manageKeys.create({ accountId: account.id, role: account.role }, asked)
    return print(`${made.secret}\n\nThis is ${made.key.id}. Keep the key; it is not shown again.`, 0)
  })

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
    audited(action, id, async () => {
      const key = await accounts.manageKeys.byId(id)
      await change(accounts.manageKeys, key?.accountId ?? '')
      return print(`${id} was changed.`, 0)
    }),
  )

const BUDGET = /^(\d+(?:\.\d+)?)\s?([A-Z]{3})\/(day|month)$/

function readBudget(text: string): Budget {
  const [, amount = '', currency = '', word] = BUDGET.exec(text.trim()) ?? []
  const limit = parseMoney(amount, currency)
  const per = BUDGET_PERIODS.find((period) => period === word)
  if (limit === undefined || per === undefined)
    throw new WrongArgument('A budget must look like 1000EUR/day or 5000.50USD/month.')
  return { limit, per }
}
