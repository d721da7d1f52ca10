import { sql } from 'kysely'
import type { Role } from '../../domain/access.ts'
import { type Database, lockByName, type ReadOnly, type Tx } from '../../store/database.ts'
import { prepare } from '../../store/prepared.ts'
import type { Tables } from '../../store/tables.ts'

export type Account = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly createdAt: number
  readonly disabledAt: number | undefined
  readonly role: Role
  /** Encrypted secret of one-time codes; undefined if not set up. */
  readonly totpSecret?: string
  readonly seesNet?: boolean
  readonly lastSignedInAt?: number
}

/** Ways of paying the bookings of an account. */
export const ACCOUNT_PAYMENTS = ['card', 'account'] as const
export type AccountPayment = (typeof ACCOUNT_PAYMENTS)[number]

export type AccountStore = ReturnType<typeof createAccountStore>

export const emailKey = (email: string): string => email.trim().toLowerCase()

export function createAccountStore(database: Database) {
  return {
    ...oneTimeCodes(database),
    ...accountPayments(database),
    ...operatorViews(database),

    /** False if the e-mail is taken. */
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
      return row && toAccount(row)
    },

    async byId(id: string): Promise<Account | undefined> {
      const row = await database.read.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toAccount(row)
    },

    async list(): Promise<Account[]> {
      const rows = await database.read.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute()
      return rows.map(toAccount)
    },

    /** Also ends all tokens and sessions. False if the account does not exist. */
    disable: (email: string, now: number): Promise<boolean> =>
      database.write((tx) => change(tx, email, { disabled_at: now }, now)),

    /** Also enables the account and ends all tokens and sessions. Keys of a disabled account end as well. */
    setPassword: (email: string, passwordHash: string, now: number): Promise<boolean> =>
      database.write(async (tx) => {
        await endKeysOfDisabled(tx, email, now)
        return change(tx, email, { password_hash: passwordHash, disabled_at: null }, now)
      }),

    async noteSignIn(id: string, now: number): Promise<void> {
      await database.write((tx) =>
        tx.updateTable('accounts').set({ last_signed_in_at: now }).where('id', '=', id).execute(),
      )
    },

    /** Takes effect for tokens and keys immediately. False if the account does not exist. */
    setRole: (email: string, role: Role): Promise<boolean> => update(database, email, { role }),
  }
}

const readPayment = prepare((db: ReadOnly, { id }: { id: string }) =>
  db.selectFrom('accounts').select('payment').where('id', '=', id),
)

const accountPayments = (database: Database) => ({
  /** False if the account does not exist. */
  setPayment: (email: string, payment: AccountPayment): Promise<boolean> => update(database, email, { payment }),

  async paysByCard(id: string): Promise<boolean> {
    const [row] = await readPayment(database.read, { id })
    return row?.payment === 'card'
  },
})

/** Queries and changes for operators. */
function operatorViews(database: Database) {
  return {
    /** False if the account does not exist. */
    setSeesNet: (email: string, may: boolean): Promise<boolean> => update(database, email, { see_net: may ? 1 : 0 }),

    /** Accounts with this id, or this text in their name or e-mail. */
    async search(text: string, limit: number): Promise<Account[]> {
      const part = `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
      const rows = await database.read
        .selectFrom('accounts')
        .selectAll()
        .where((where) =>
          where.or([
            where('id', '=', text),
            sql<boolean>`email_key like ${part} escape '\\'`,
            sql<boolean>`lower(name) like ${part} escape '\\'`,
          ]),
        )
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toAccount)
    },

    /** Query for all accounts; the caller adds order and paging. */
    listing: () => ({ dialect: database.dialect, query: database.read.selectFrom('accounts').selectAll() }),

    /** Numbers of valid keys and real bookings of each account. */
    async counts(ids: readonly string[]): Promise<Map<string, AccountCounts>> {
      if (ids.length === 0) return new Map()
      const keys = await database.read
        .selectFrom('api_keys')
        .select(({ fn }) => ['account_id', fn.countAll<number>().as('count')])
        .where('account_id', 'in', ids)
        .where('revoked_at', 'is', null)
        .groupBy('account_id')
        .execute()
      const bookings = await database.read
        .selectFrom('bookings')
        .select(({ fn }) => ['account_id', fn.countAll<number>().as('count')])
        .where('account_id', 'in', ids)
        .where('simulated', '=', 0)
        .groupBy('account_id')
        .execute()
      const countFor = (rows: typeof keys, id: string) => Number(rows.find((row) => row.account_id === id)?.count ?? 0)
      return new Map(ids.map((id) => [id, { keys: countFor(keys, id), bookings: countFor(bookings, id) }]))
    },

    /** Changes the role or disables the account. False, without a change, for the last enabled operator. */
    changeButLastOperator: (id: string, change: OperatorChange, now: number): Promise<boolean> =>
      database.write((tx) => changeButLastOperator(database, tx, id, change, now)),

    endSessions: (id: string, now: number): Promise<void> => database.write((tx) => endSessions(tx, id, now)),
  }
}

async function endKeysOfDisabled(tx: Tx, email: string, now: number): Promise<void> {
  const account = tx.selectFrom('accounts').select(['id', 'disabled_at']).where('email_key', '=', emailKey(email))
  const found = await account.forUpdate().executeTakeFirst()
  if (found === undefined || found.disabled_at === null) return
  const keys = tx.updateTable('api_keys').set({ revoked_at: now }).where('account_id', '=', found.id)
  await keys.where('revoked_at', 'is', null).execute()
}

type OperatorChange = { readonly role: Role } | 'disable'

async function changeButLastOperator(
  database: Database,
  tx: Tx,
  id: string,
  change: OperatorChange,
  now: number,
): Promise<boolean> {
  await lockByName(database, tx, 'the last operator')
  const [first, other] = await tx
    .selectFrom('accounts')
    .select('id')
    .where('role', '=', 'operator')
    .where('disabled_at', 'is', null)
    .limit(2)
    .execute()
  if (other === undefined && first?.id === id && (change === 'disable' || change.role !== 'operator')) return false
  const values = change === 'disable' ? { disabled_at: now } : { role: change.role }
  await tx.updateTable('accounts').set(values).where('id', '=', id).execute()
  if (change === 'disable') await endSessions(tx, id, now)
  return true
}

export type AccountCounts = { readonly keys: number; readonly bookings: number }

/** Locks the row, so that a change of password comes before or after the caller's transaction. */
export async function hasPassword(tx: Tx, id: string, passwordHash: string): Promise<boolean> {
  const found = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .where('disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return found !== undefined
}

async function endSessions(tx: Tx, id: string, now: number): Promise<void> {
  await tx
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('account_id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
  await tx.deleteFrom('page_sessions').where('owner_id', '=', id).execute()
}

/** Second factor. */
function oneTimeCodes(database: Database) {
  return {
    /** Requires one-time codes later than `usedStep` from now on. */
    setTotp: (email: string, sealedSecret: string, usedStep: number): Promise<boolean> =>
      update(database, email, { totp_secret: sealedSecret, totp_step: usedStep }),

    removeTotp: (email: string): Promise<boolean> => update(database, email, { totp_secret: null, totp_step: null }),

    /** False if this code or a later one was already used. */
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

async function update(database: Database, email: string, values: Partial<Tables['accounts']>): Promise<boolean> {
  const row = await database.write((tx) =>
    tx.updateTable('accounts').set(values).where('email_key', '=', emailKey(email)).returning('id').executeTakeFirst(),
  )
  return row !== undefined
}

/** Also ends all tokens and sessions. False if the account does not exist. */
async function change(tx: Tx, email: string, values: Partial<Tables['accounts']>, now: number): Promise<boolean> {
  const changed = tx.updateTable('accounts').set(values).where('email_key', '=', emailKey(email)).returning('id')
  const row = await changed.executeTakeFirst()
  if (row !== undefined) await endSessions(tx, row.id, now)
  return row !== undefined
}

function toRow(account: Account): Tables['accounts'] {
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
    see_net: null,
    last_signed_in_at: null,
    payment: null,
  }
}

export function toAccount(row: Tables['accounts']): Account {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    createdAt: row.created_at,
    disabledAt: row.disabled_at ?? undefined,
    role: row.role,
    ...(row.totp_secret === null ? {} : { totpSecret: row.totp_secret }),
    ...(row.see_net === 1 ? { seesNet: true } : {}),
    ...(row.last_signed_in_at === null ? {} : { lastSignedInAt: row.last_signed_in_at }),
  }
}
