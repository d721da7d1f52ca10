import type { KeyMode, Role, Scope } from '../../domain/access.ts'
import { SCOPES } from '../../domain/access.ts'
import type { Budget } from '../../domain/money/budget.ts'
import { type Database, lockByName, type Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

/** Without the secret. */
export type ApiKey = {
  readonly id: string
  readonly accountId: string
  readonly hint: string
  readonly name: string
  readonly mode: KeyMode
  readonly scopes: readonly Scope[]
  readonly perMinute: number | undefined
  readonly budget: Budget | undefined
  readonly createdAt: number
  readonly lastUsedAt: number | undefined
  readonly revokedAt: number | undefined
}

/** The part of the owner of a valid key that requests need. */
export type KeyOwner = {
  readonly accountId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly key: ApiKey
}

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>

/** Every change names the owner. */
export function createApiKeyStore(database: Database) {
  const all = database.read.selectFrom('api_keys').selectAll()
  return {
    /** False if the account already has `limit` valid keys. */
    add: (key: ApiKey, hash: string, limit: number): Promise<boolean> =>
      database.write((tx) => addUpTo(database, tx, toRow(key, hash), limit)),

    /** Undefined if the key is revoked or the account is disabled. */
    async owner(hash: string): Promise<KeyOwner | undefined> {
      const row = await database.read
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .selectAll('api_keys')
        .select(['accounts.email', 'accounts.name as holder', 'accounts.role'])
        .where('api_keys.hash', '=', hash)
        .where('api_keys.revoked_at', 'is', null)
        .where('accounts.disabled_at', 'is', null)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { account_id: accountId, email, holder: name, role } = row
      return { accountId, email, name, role, key: toApiKey(row) }
    },

    /** Query for the valid keys of an account; the caller adds order and paging. */
    listing: (accountId: string) => ({
      dialect: database.dialect,
      query: all.where('account_id', '=', accountId).where('revoked_at', 'is', null),
    }),

    /** Includes revoked keys, oldest first. */
    async list(accountId: string): Promise<ApiKey[]> {
      const rows = await all.where('account_id', '=', accountId).orderBy('created_at').orderBy('id').execute()
      return rows.map(toApiKey)
    },

    async byId(id: string): Promise<ApiKey | undefined> {
      const row = await all.where('id', '=', id).executeTakeFirst()
      return row && toApiKey(row)
    },

    /** False if the account does not have this key or the key is revoked. */
    revoke: (accountId: string, id: string, now: number): Promise<boolean> =>
      change(database, accountId, id, { revoked_at: now }),

    setBudget: (accountId: string, id: string, budget: Budget | undefined): Promise<boolean> =>
      change(database, accountId, id, budgetColumns(budget)),

    async noteUse(id: string, now: number): Promise<void> {
      await database.write((tx) => tx.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id).execute())
    },
  }
}

async function change(
  database: Database,
  accountId: string,
  id: string,
  values: Partial<Tables['api_keys']>,
): Promise<boolean> {
  const row = await database.write((tx) =>
    tx
      .updateTable('api_keys')
      .set(values)
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst(),
  )
  return row !== undefined
}

/** Atomic, so that concurrent requests cannot exceed the limit. */
async function addUpTo(database: Database, tx: Tx, row: Tables['api_keys'], limit: number): Promise<boolean> {
  await lockByName(database, tx, `api_keys ${row.account_id}`)
  const { count } = await tx
    .selectFrom('api_keys')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', row.account_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= limit) return false
  await tx.insertInto('api_keys').values(row).execute()
  return true
}

const budgetColumns = (budget: Budget | undefined) => ({
  budget_minor: budget?.limit.minor ?? null,
  budget_currency: budget?.limit.currency ?? null,
  budget_per: budget?.per ?? null,
})

const toRow = (key: ApiKey, hash: string): Tables['api_keys'] => ({
  id: key.id,
  account_id: key.accountId,
  hash,
  hint: key.hint,
  name: key.name,
  mode: key.mode,
  scopes: key.scopes.join(' '),
  per_minute: key.perMinute ?? null,
  ...budgetColumns(key.budget),
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt ?? null,
  revoked_at: key.revokedAt ?? null,
})

export const toApiKey = (row: Tables['api_keys']): ApiKey => ({
  id: row.id,
  accountId: row.account_id,
  hint: row.hint,
  name: row.name,
  mode: row.mode,
  scopes: row.scopes.split(' ').flatMap((word) => SCOPES.find((scope) => scope === word) ?? []),
  perMinute: row.per_minute ?? undefined,
  budget: toBudget(row),
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined,
})

export function toBudget(row: Tables['api_keys']): Budget | undefined {
  const { budget_minor: minor, budget_currency: currency, budget_per: per } = row
  return minor === null || currency === null || per === null ? undefined : { limit: { minor, currency }, per }
}
