import type { Role } from '../../domain/access.ts'
import type { Database } from '../../store/database.ts'
import { hasPassword } from './accounts.ts'

/** The part of the owner of a valid token that requests need. */
export type TokenOwner = {
  readonly accountId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly expiresAt: number
}

type NewToken = {
  readonly hash: string
  readonly accountId: string
  /** Hash of the checked password. */
  readonly passwordHash: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** A valid token or browser session. */
export type Session = { readonly id: string; readonly createdAt: number; readonly expiresAt: number }

export type TokenStore = ReturnType<typeof createTokenStore>

export function createTokenStore(database: Database) {
  return {
    ...sessions(database),

    /** False if the password has changed or the account was disabled since the check. */
    add: ({ hash, accountId: account_id, passwordHash, createdAt: created_at, expiresAt: expires_at }: NewToken) =>
      database.write(async (tx): Promise<boolean> => {
        if (!(await hasPassword(tx, account_id, passwordHash))) return false
        const row = { hash, account_id, created_at, expires_at, revoked_at: null }
        await tx.insertInto('tokens').values(row).execute()
        return true
      }),

    /** Undefined if the token is expired or revoked, or its account is disabled. */
    async owner(hash: string, now: number): Promise<TokenOwner | undefined> {
      const row = await database.read
        .selectFrom('tokens')
        .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
        .select(['tokens.account_id', 'tokens.expires_at', 'accounts.email', 'accounts.name', 'accounts.role'])
        .where('tokens.hash', '=', hash)
        .where('tokens.revoked_at', 'is', null)
        .where('tokens.expires_at', '>', now)
        .where('accounts.disabled_at', 'is', null)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { account_id: accountId, expires_at: expiresAt, email, name, role } = row
      return { accountId, email, name, role, expiresAt }
    },

    async revoke(hash: string, now: number): Promise<void> {
      await database.write((tx) => tx.updateTable('tokens').set({ revoked_at: now }).where('hash', '=', hash).execute())
    },

    async deleteExpired(before: number): Promise<void> {
      await database.write((tx) => tx.deleteFrom('tokens').where('expires_at', '<', before).execute())
    },
  }
}

function sessions(database: Database) {
  return {
    /** Newest first. */
    async sessions(accountId: string, now: number, limit: number): Promise<Session[]> {
      const rows = await database.read
        .selectFrom('tokens')
        .select(['hash', 'created_at', 'expires_at'])
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toSession)
    },

    /** Hash of the ended token; undefined if the account does not have this session. */
    async endSession(accountId: string, id: string, now: number): Promise<string | undefined> {
      const ended = await database.write((tx) =>
        tx
          .updateTable('tokens')
          .set({ revoked_at: now })
          .where('account_id', '=', accountId)
          .where('hash', 'like', hashPattern(id))
          .where('revoked_at', 'is', null)
          .where('expires_at', '>', now)
          .returning('hash')
          .executeTakeFirst(),
      )
      return ended?.hash
    },
  }
}

const SESSION_PREFIX = 'ses_'
const SESSION_DIGITS = 24
const SESSION_ID = /^ses_[0-9a-f]{24}$/

/** A prefix of the hash identifies the token and does not help to guess it. */
export const toSessionId = (hash: string): string => `${SESSION_PREFIX}${hash.slice(0, SESSION_DIGITS)}`

type Row = { readonly hash: string; readonly created_at: number; readonly expires_at: number }

export const toSession = (row: Row): Session => ({
  id: toSessionId(row.hash),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

/** SQL pattern for the hash with this prefix; the prefix is long enough to be unique. */
export const hashPattern = (id: string): string => `${id.slice(SESSION_PREFIX.length)}%`

export const isSessionId = (text: string): boolean => SESSION_ID.test(text)
