import { randomBytes } from 'node:crypto'
import { ROLES, type Role } from '../domain/access.ts'
import { AppError, type FieldError, invalidRequest } from '../domain/errors.ts'
import type { Budget } from '../domain/money/budget.ts'
import type { Clock } from '../lib/time/clock.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runOnSql } from '../lists/sql/run.ts'
import type { Charge } from '../lists/work.ts'
import type { ManageAccounts } from './manage-accounts.ts'
import type { KeyWithBudget, ManageKeys, NewKeyOrder } from './manage-keys.ts'
import type { OpenSession, OpenSessions } from './open-sessions.ts'
import { type Account, type AccountCounts, type AccountStore, toAccount } from './store/accounts.ts'

export const ACCOUNT_LIST = defineList({
  fields: {
    id: { type: 'string', filterable: true, nullable: false },
    email: { type: 'string', sortable: true, filterable: true, nullable: false },
    name: { type: 'string', sortable: true, filterable: true, nullable: false },
    role: { type: 'enum', values: ROLES, sortable: true, filterable: true, nullable: false },
    created_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
    last_signed_in_at: { type: 'datetime', sortable: true, filterable: true },
    disabled_at: { type: 'datetime', sortable: true, filterable: true },
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['desc'] },
})

export type AccountWithCounts = Account & { readonly counts: AccountCounts }
export type AccountDetails = AccountWithCounts & {
  /** Without revoked keys. */
  readonly keys: readonly KeyWithBudget[]
  readonly sessions: readonly OpenSession[]
}

type NewAccountOrder = {
  readonly email: string
  readonly name: string
  readonly role: Role
  /** Generated if absent. */
  readonly password?: string
}

type Deps = {
  readonly accounts: AccountStore
  readonly manageAccounts: Pick<ManageAccounts, 'add' | 'setPassword'>
  readonly manageKeys: ManageKeys
  readonly openSessions: Pick<OpenSessions, 'newest' | 'end'>
  readonly clock: Clock
}

const SESSIONS_SHOWN = 100
const NO_COUNTS: AccountCounts = { keys: 0, bookings: 0 }

export type OperatorAccounts = ReturnType<typeof createOperatorAccounts>

/** Operations on any account by id. */
export function createOperatorAccounts(deps: Deps) {
  const { accounts, manageAccounts, manageKeys, openSessions, clock } = deps

  async function requireAccount(id: string): Promise<Account> {
    const account = ACCOUNT_ID.test(id) ? await accounts.byId(id) : undefined
    if (account === undefined)
      throw new AppError('account_not_found', 'There is no account with this id. List the accounts to find it.')
    return account
  }

  async function show(id: string): Promise<AccountDetails> {
    const account = await requireAccount(id)
    const keys = (await manageKeys.all(id)).filter(({ revokedAt }) => revokedAt === undefined)
    const sessions = await openSessions.newest(id, SESSIONS_SHOWN)
    return { ...account, counts: (await accounts.counts([id])).get(id) ?? NO_COUNTS, keys, sessions }
  }

  async function change(id: string, wanted: { readonly role: Role } | 'disable'): Promise<void> {
    const field = wanted === 'disable' ? 'account_id' : 'role'
    if (!(await accounts.changeButLastOperator(id, wanted, clock.now()))) throw invalidRequest([lastOperator(field)])
  }

  return {
    show,

    list: (plan: ListPlan, charge: Charge) => listAccounts(accounts, plan, charge),

    /** `password` is only returned if it was generated. */
    create: (order: NewAccountOrder) => create(manageAccounts, order),

    /** Absent fields are not changed. */
    async change(id: string, { role, seesNet }: { readonly role?: Role; readonly seesNet?: boolean }) {
      const { email } = await requireAccount(id)
      if (role !== undefined) await change(id, { role })
      if (seesNet !== undefined) await accounts.setSeesNet(email, seesNet)
      return show(id)
    },

    /** Blocks sign-ins and keys. A new password enables the account again. */
    async disable(id: string): Promise<AccountDetails> {
      await requireAccount(id)
      await change(id, 'disable')
      return show(id)
    },

    /** Ends all tokens and sessions. Returns the password if it was generated. */
    async setPassword(id: string, password: string | undefined): Promise<string | undefined> {
      const { email } = await requireAccount(id)
      const generated = password === undefined ? newPassword() : undefined
      await manageAccounts.setPassword(email, password ?? generated ?? '')
      return generated
    },

    ...keysAndSessions(deps, requireAccount),
  }
}

async function listAccounts(
  accounts: AccountStore,
  plan: ListPlan,
  charge: Charge,
): Promise<ListPage<AccountWithCounts>> {
  const page = await runOnSql(plan, accounts.listing(), charge)
  const counts = await accounts.counts(page.data.map(({ id }) => id))
  return { ...page, data: page.data.map((row) => ({ ...toAccount(row), counts: counts.get(row.id) ?? NO_COUNTS })) }
}

async function create(manage: Deps['manageAccounts'], { email, name, role, password }: NewAccountOrder) {
  const generated = password === undefined ? newPassword() : undefined
  const account = await manage.add(email, name, password ?? generated ?? '', role)
  if (account === undefined)
    throw invalidRequest([{ field: 'email', code: 'taken', message: 'An account with this e-mail already exists.' }])
  return { account: { ...account, counts: NO_COUNTS }, password: generated }
}

function keysAndSessions(
  { accounts, manageKeys, openSessions, clock }: Deps,
  requireAccount: (id: string) => Promise<Account>,
) {
  return {
    async createKey(id: string, order: NewKeyOrder) {
      const { role } = await requireAccount(id)
      return manageKeys.create({ accountId: id, role }, order)
    },

    async revokeKey(id: string, keyId: string): Promise<void> {
      await requireAccount(id)
      await manageKeys.revoke(id, keyId)
    },

    async setBudget(id: string, keyId: string, budget: Budget | undefined): Promise<KeyWithBudget> {
      await requireAccount(id)
      await manageKeys.setBudget(id, keyId, budget)
      const key = (await manageKeys.all(id)).find((found) => found.id === keyId)
      if (key === undefined) throw new Error('the changed key no longer exists')
      return key
    },

    /** Ends one session, or all if `sessionId` is absent. */
    async endSessions(id: string, sessionId: string | undefined): Promise<void> {
      await requireAccount(id)
      if (sessionId === undefined) await accounts.endSessions(id, clock.now())
      else await openSessions.end(id, sessionId)
    },
  }
}

/** Ids of any other form are never issued. PostgreSQL rejects a NUL. */
const ACCOUNT_ID = /^acc_[a-z0-9]+$/

/** 120 random bits, short enough to type. */
const newPassword = (): string => randomBytes(15).toString('base64url')

const lastOperator = (field: string): FieldError => ({
  field,
  code: 'last_operator',
  message: 'This is the last operator. Give another account the role operator first.',
})
