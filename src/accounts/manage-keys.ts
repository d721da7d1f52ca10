import { KEY_MODES, type Role, SCOPES, scopesForRole } from '../domain/access.ts'
import { AppError, type FieldError, invalidRequest } from '../domain/errors.ts'
import type { Budget } from '../domain/money/budget.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { Money } from '../domain/money/money.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runOnSql } from '../lists/sql/run.ts'
import type { Database } from '../store/database.ts'
import { type ApiKeys, newKey } from './api-keys.ts'
import { type ApiKey, type ApiKeyStore, toApiKey } from './store/api-keys.ts'
import { readRemaining } from './store/key-budgets.ts'

export const KEYS_MAX = 50

export const KEY_LIST = defineList({
  fields: {
    id: { type: 'string', filterable: true, nullable: false },
    name: { type: 'string', sortable: true, filterable: true, nullable: false },
    mode: { type: 'enum', values: KEY_MODES, sortable: true, filterable: true, nullable: false },
    created_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
    last_used_at: { type: 'datetime', sortable: true, filterable: true },
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['asc'] },
})

export type NewKeyOrder = Pick<ApiKey, 'name' | 'mode' | 'scopes' | 'perMinute' | 'budget'>

/** `left`: remaining budget; undefined without a budget or an exchange rate. */
export type KeyWithBudget = ApiKey & { readonly left: Money | undefined }

type Deps = {
  readonly store: ApiKeyStore
  readonly apiKeys: Pick<ApiKeys, 'revoke'>
  readonly database: Database
  readonly rates: () => ExchangeRates
  readonly clock: Clock
  readonly ids: Ids
}

export type ManageKeys = ReturnType<typeof createManageKeys>

/** Manages the API keys of one account. */
export function createManageKeys({ store, apiKeys, database, rates, clock, ids }: Deps) {
  const withLeft = async (key: ApiKey): Promise<KeyWithBudget> => {
    const left = key.budget && (await readRemaining(database.read, key.id, key.budget, clock.now(), rates()))
    return { ...key, left }
  }
  return {
    /** The secret is returned only once. */
    async create(owner: { readonly accountId: string; readonly role: Role }, order: NewKeyOrder) {
      const errors = scopeErrors(owner.role, order)
      if (errors.length > 0) throw invalidRequest(errors)
      const { key: secret, hash, hint } = newKey(order.mode)
      const key: ApiKey = {
        id: ids.prefixed('key'),
        accountId: owner.accountId,
        hint,
        ...order,
        scopes: SCOPES.filter((scope) => order.scopes.includes(scope)),
        createdAt: clock.now(),
        lastUsedAt: undefined,
        revokedAt: undefined,
      }
      if (!(await store.add(key, hash, KEYS_MAX))) throw tooMany()
      return { key: await withLeft(key), secret }
    },

    async list(accountId: string, plan: ListPlan): Promise<ListPage<KeyWithBudget>> {
      const page = await runOnSql(plan, store.listing(accountId))
      return { ...page, data: await Promise.all(page.data.map((row) => withLeft(toApiKey(row)))) }
    },

    /** Includes revoked keys. */
    all: async (accountId: string): Promise<KeyWithBudget[]> =>
      Promise.all((await store.list(accountId)).map(withLeft)),

    async revoke(accountId: string, id: string): Promise<void> {
      if (!isKeyId(id) || !(await apiKeys.revoke(accountId, id))) throw noSuchKey()
    },

    async setBudget(accountId: string, id: string, budget: Budget | undefined): Promise<void> {
      if (!isKeyId(id) || !(await store.setBudget(accountId, id, budget))) throw noSuchKey()
    },

    byId: (id: string): Promise<ApiKey | undefined> => store.byId(id),
  }
}

function scopeErrors(role: Role, { mode, scopes }: NewKeyOrder): FieldError[] {
  const allowed = scopesForRole(role)
  const notPermitted = scopes.filter((scope) => !allowed.includes(scope))
  const errors: FieldError[] = []
  if (notPermitted.length > 0) {
    const message = `The role ${role} does not permit ${notPermitted.join(', ')}; it permits ${allowed.join(', ')}.`
    errors.push({ field: 'scopes', code: 'not_permitted', message })
  }
  // Webhooks and keys have no simulated counterpart.
  if (mode === 'test' && scopes.includes('admin')) {
    const message = 'A test key cannot have the scope admin: webhooks and keys are not simulated.'
    errors.push({ field: 'scopes', code: 'not_permitted', message })
  }
  return errors
}

/** Ids of any other form are never issued. PostgreSQL rejects a NUL. */
const isKeyId = (id: string) => /^key_[a-z0-9]+$/.test(id)

const noSuchKey = () => new AppError('key_not_found', 'There is no such key. Use the id of one of your keys.')

const tooMany = () =>
  invalidRequest([
    { field: 'name', code: 'too_many', message: `An account has at most ${KEYS_MAX} keys. Revoke an unused one.` },
  ])
