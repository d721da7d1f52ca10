import type { Role } from '../domain/access.ts'
import type { Database } from './database.ts'
import type { AccountRow } from './tables.ts'

export type Account = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly createdAt: number
  readonly disabledAt: number | undefined
  readonly role: Role
  /** What one-time codes are made from, encrypted; undefined where none are asked for. */
  readonly totpSecret?: string
}

export type AccountStore = ReturnType<typeof createAccountStore>

export const emailKey = (email: string): string => email.trim().toLowerCase()

export function createAccountStore(database: Database) {
  return {
    ...oneTimeCodes(database),

    /** False when the e-mail is taken. */
    async add(account: Account): Promise<boolean> {
      const added = await database.write((tx) =>
        tx
          .insertInto('accounts')
          .values(toRow(account))
          .onConflict((conflict) => conflict.column('email_key').doNothing())
          .returning('id')
          .executeTakeFirst(),
      )
      return added !== undefined
    },

    async byEmail(email: string): Promise<Account | undefined> {
      const row = await database.read
        .selectFrom('accounts')
        .selectAll()
        .where('email_key', '=', emailKey(email))
        .executeTakeFirst()
      return row && fromRow(row)
    },

    async byId(id: string): Promise<Account | undefined> {
      const row = await database.read.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
      return row && fromRow(row)
    },

    async list(): Promise<Account[]> {
      const rows = await database.read.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute()
      return rows.map(fromRow)
    },

    /** Disables the account and ends all of its tokens and sessions; false when there is no such account. */
    disable: (email: string, now: number): Promise<boolean> => change(database, email, { disabled_at: now }, now),

    /** A new password also re-enables the account and ends everything signed in with the old one. */
    setPassword: (email: string, passwordHash: string, now: number): Promise<boolean> =>
      change(database, email, { password_hash: passwordHash, disabled_at: null }, now),

    /** Tokens and keys of the account have what the new role permits at once; false when there is no such account. */
    setRole: (email: string, role: Role): Promise<boolean> => update(database, email, { role }),
  }
}

/** The second step of signing in. */
function oneTimeCodes(database: Database) {
  return {
    /** From now on signing in needs a one-time code; with null, no longer. */
    setTotp: (email: string, sealedSecret: string | null): Promise<boolean> =>
      update(database, email, { totp_secret: sealedSecret, totp_step: null }),

    /** Each code counts once: false when it, or a later one, was used before. */
    async spendTotp(id: string, step: number): Promise<boolean> {
      const used = await database.write((tx) =>
        tx
          .updateTable('accounts')
          .set({ totp_step: step })
          .where('id', '=', id)
          .where((eb) => eb.or([eb('totp_step', 'is', null), eb('totp_step', '<', step)]))
          .returning('id')
          .executeTakeFirst(),
      )
      return used !== undefined
    },
  }
}

async function update(database: Database, email: string, values: Partial<AccountRow>): Promise<boolean> {
  const row = await database.write((tx) =>
    tx.updateTable('accounts').set(values).where('email_key', '=', emailKey(email)).returning('id').executeTakeFirst(),
  )
  return row !== undefined
}

/** Changes the account and ends all of its tokens and sessions; false when there is no such account. */
async function change(database: Database, email: string, values: Partial<AccountRow>, now: number): Promise<boolean> {
  return database.write(async (tx) => {
    const row = await tx
      .updateTable('accounts')
      .set(values)
      .where('email_key', '=', emailKey(email))
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return false
    await tx.updateTable('tokens').set({ revoked_at: now }).where('account_id', '=', row.id).execute()
    await tx.deleteFrom('page_sessions').where('owner_id', '=', row.id).execute()
    return true
  })
}

function toRow(account: Account): AccountRow {
  return {
    id: account.id,
    email: account.email.trim(),
    email_key: emailKey(account.email),
    name: account.name,
    password_hash: account.passwordHash,
    created_at: account.createdAt,
    disabled_at: account.disabledAt ?? null,
    role: account.role,
    totp_secret: account.totpSecret ?? null,
    totp_step: null,
  }
}

function fromRow(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    createdAt: row.created_at,
    disabledAt: row.disabled_at ?? undefined,
    role: row.role,
    ...(row.totp_secret === null ? {} : { totpSecret: row.totp_secret }),
  }
}
