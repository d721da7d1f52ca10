import type { PageSessionOwner } from '../../domain/page-session.ts'
import type { Database } from '../../store/database.ts'
import { hasPassword } from './accounts.ts'
import { moveToAccount } from './guests.ts'
import { hashPattern, type Session, toSession } from './tokens.ts'

type NewPageSession = {
  readonly hash: string
  readonly ownerId: string
  readonly isGuest: boolean
  /** Hash of the checked password; guests have none. */
  readonly passwordHash?: string | undefined
  readonly createdAt: number
  readonly expiresAt: number
}

export type PageSessionStore = ReturnType<typeof createPageSessionStore>

export function createPageSessionStore(database: Database) {
  return {
    ...openSessions(database),

    /** Also ends the session `before` and moves a guest's data. False if the password has changed since the check. */
    begin(session: NewPageSession, before?: { readonly hash: string; readonly guestId?: string }): Promise<boolean> {
      const { hash, ownerId: owner_id, isGuest, passwordHash, createdAt: created_at, expiresAt: expires_at } = session
      return database.write(async (tx) => {
        if (passwordHash !== undefined && !(await hasPassword(tx, owner_id, passwordHash))) return false
        if (before !== undefined) await tx.deleteFrom('page_sessions').where('hash', '=', before.hash).execute()
        if (before?.guestId !== undefined) await moveToAccount(tx, before.guestId, owner_id, created_at)
        const row = { hash, owner_id, is_guest: isGuest ? 1 : 0, created_at, expires_at }
        await tx.insertInto('page_sessions').values(row).execute()
        return true
      })
    },

    /** Undefined if the session has expired or its account is disabled. */
    async owner(hash: string, now: number): Promise<PageSessionOwner | undefined> {
      const row = await database.read
        .selectFrom('page_sessions')
        .leftJoin('accounts', 'accounts.id', 'page_sessions.owner_id')
        .select(['page_sessions.owner_id', 'page_sessions.is_guest', 'page_sessions.expires_at'])
        .select(['accounts.email', 'accounts.name', 'accounts.role'])
        .where('page_sessions.hash', '=', hash)
        .where('page_sessions.expires_at', '>', now)
        .where((eb) =>
          eb.or([
            eb('page_sessions.is_guest', '=', 1),
            eb.and([eb('accounts.id', 'is not', null), eb('accounts.disabled_at', 'is', null)]),
          ]),
        )
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { owner_id: ownerId, is_guest, expires_at: expiresAt, email, name, role } = row
      return {
        ownerId,
        isGuest: is_guest === 1,
        email: email ?? '',
        name: name ?? '',
        role: role ?? 'client',
        expiresAt,
      }
    },

    async end(hash: string): Promise<void> {
      await database.write((tx) => tx.deleteFrom('page_sessions').where('hash', '=', hash).execute())
    },

    /** A guest exists only as a session. */
    async deleteExpired(before: number): Promise<void> {
      await database.write((tx) => tx.deleteFrom('page_sessions').where('expires_at', '<', before).execute())
    },
  }
}

function openSessions(database: Database) {
  return {
    /** Newest first. */
    async sessions(accountId: string, now: number, limit: number): Promise<Session[]> {
      const rows = await database.read
        .selectFrom('page_sessions')
        .select(['hash', 'created_at', 'expires_at'])
        .where('owner_id', '=', accountId)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toSession)
    },

    async extend(hash: string, until: number): Promise<void> {
      await database.write((tx) =>
        tx.updateTable('page_sessions').set({ expires_at: until }).where('hash', '=', hash).execute(),
      )
    },

    /** Hash of the ended session; undefined if the account does not have this session. */
    async endSession(accountId: string, id: string): Promise<string | undefined> {
      const ended = await database.write((tx) =>
        tx
          .deleteFrom('page_sessions')
          .where('owner_id', '=', accountId)
          .where('hash', 'like', hashPattern(id))
          .returning('hash')
          .executeTakeFirst(),
      )
      return ended?.hash
    },
  }
}
