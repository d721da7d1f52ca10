import type { Database } from './database.ts'

/** A live token's owner, as much as a request needs to know. */
export type TokenOwner = {
  readonly accountId: string
  readonly email: string
  readonly name: string
  readonly expiresAt: number
}

export type TokenStore = ReturnType<typeof createTokenStore>

export function createTokenStore(database: Database) {
  return {
    async add(token: { hash: string; accountId: string; createdAt: number; expiresAt: number }): Promise<void> {
      const { hash, accountId: account_id, createdAt: created_at, expiresAt: expires_at } = token
      const row = { hash, account_id, created_at, expires_at, revoked_at: null }
      await database.write((tx) => tx.insertInto('tokens').values(row).execute())
    },

    /** The owner of a token that is neither expired nor revoked and whose account is enabled. */
    async owner(hash: string, now: number): Promise<TokenOwner | undefined> {
      const row = await database.read
        .selectFrom('tokens')
        .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
        .select(['tokens.account_id', 'tokens.expires_at', 'accounts.email', 'accounts.name'])
        .where('tokens.hash', '=', hash)
        .where('tokens.revoked_at', 'is', null)
        .where('tokens.expires_at', '>', now)
        .where('accounts.disabled_at', 'is', null)
        .executeTakeFirst()
      return row && { accountId: row.account_id, email: row.email, name: row.name, expiresAt: row.expires_at }
    },

    async revoke(hash: string, now: number): Promise<void> {
      await database.write((tx) => tx.updateTable('tokens').set({ revoked_at: now }).where('hash', '=', hash).execute())
    },

    async deleteExpired(before: number): Promise<void> {
      await database.write((tx) => tx.deleteFrom('tokens').where('expires_at', '<', before).execute())
    },
  }
}
