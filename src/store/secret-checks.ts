import { sql } from 'kysely'
import { deriveKeyring, type SecretKey } from '../lib/crypto/keyring.ts'
import { openText, sealText } from '../lib/crypto/seal.ts'
import type { Database, Tx } from './database.ts'

const KIND = 'chk1'
const PURPOSE = 'check'
const TEXT = 'serai'

export class WrongSecret extends Error {
  override readonly name = 'WrongSecret'
}

type Check = { readonly id: string; readonly sealed: string }

/** Throws if one of the values was sealed with a secret that is missing or different here. */
export function assertSecrets(secrets: readonly SecretKey[], checks: readonly Check[]): void {
  const keyring = deriveKeyring(secrets, PURPOSE)
  const wrong = checks.find(({ sealed }) => openText(keyring, KIND, sealed) !== TEXT)
  if (wrong === undefined) return
  const state =
    keyring.byId(wrong.id) === undefined ? 'is missing' : 'is not the one that this database was written with'
  throw new WrongSecret(
    `The secret "${wrong.id}" ${state}. Data in the database is encrypted with it: restore it in SERAI_SECRETS.`,
  )
}

/** Checks the secrets and adds the current one; all of them in a database of an earlier version. */
export async function checkSecrets(database: Database, secrets: readonly SecretKey[]): Promise<void> {
  const checks = await database.read.selectFrom('secret_checks').selectAll().execute()
  assertSecrets(secrets, checks)
  const used = checks.length === 0 ? secrets : secrets.slice(0, 1)
  const fresh = used.filter(({ id }) => checks.every((check) => check.id !== id))
  if (fresh.length === 0) return
  const rows = fresh.map((secret) => ({
    id: secret.id,
    sealed: sealText(deriveKeyring([secret], PURPOSE), KIND, TEXT),
  }))
  await database.write((tx) =>
    tx
      .insertInto('secret_checks')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}

/** Encrypted columns with the purpose of their keys. */
export const SEALED = [
  { table: 'bookings', key: ['booking_id'], column: 'persons', purpose: 'persons' },
  { table: 'bookings', key: ['booking_id'], column: 'answer_body', purpose: 'persons' },
  { table: 'booking_readings', key: ['booking_id', 'at'], column: 'said', purpose: 'persons' },
  { table: 'webhooks', key: ['id'], column: 'target', purpose: 'webhooks' },
  {
    ...{ table: 'webhook_attempts', column: 'answer', purpose: 'webhooks' },
    key: ['webhook_id', 'booking_id', 'sequence', 'attempt'],
  },
  { table: 'mails', key: ['booking_id', 'sequence'], column: 'content', purpose: 'mail' },
  { table: 'accounts', key: ['id'], column: 'totp_secret', purpose: 'totp' },
  { table: 'idempotent_requests', key: ['key_hash'], column: 'answer', purpose: 'idempotency' },
  { table: 'mcp_handles', key: ['handle'], column: 'content', purpose: 'mcp' },
  { table: 'vendor_calls', key: ['id'], column: 'request', purpose: 'vendor-calls' },
  { table: 'vendor_calls', key: ['id'], column: 'response', purpose: 'vendor-calls' },
] as const
type SealedColumn = (typeof SEALED)[number]

const BATCH = 200

export type Resealed = { readonly values: number; readonly unreadable: number; readonly retired: readonly string[] }

/** Encrypts everything with the first secret, in batches while the service runs. The others can be removed if all was readable. */
export async function resealAll(database: Database, secrets: readonly SecretKey[]): Promise<Resealed> {
  let [values, unreadable] = [0, 0]
  for (const column of SEALED) {
    const counts = await resealColumn(database, secrets, column)
    values += counts.values
    unreadable += counts.unreadable
  }
  const retired = unreadable > 0 ? [] : secrets.slice(1).map(({ id }) => id)
  if (retired.length > 0)
    await database.write((tx) => tx.deleteFrom('secret_checks').where('id', 'in', retired).execute())
  return { values, unreadable, retired }
}

async function resealColumn(database: Database, secrets: readonly SecretKey[], column: SealedColumn) {
  const keyring = deriveKeyring(secrets, column.purpose)
  let [values, unreadable] = [0, 0]
  let after: Row | undefined
  for (;;) {
    const rows = await readBatch(database, column, after)
    after = rows.at(-1)
    if (after === undefined) return { values, unreadable }
    const changes = rows.flatMap((row) => {
      const [kind = '', id] = row.sealed.split('.', 2)
      if (id === keyring.current.id) return []
      const text = openText(keyring, kind, row.sealed)
      if (text === undefined) unreadable += 1
      return text === undefined ? [] : [{ row, sealed: sealText(keyring, kind, text) }]
    })
    values += changes.length
    if (changes.length > 0)
      await database.write(async (tx) => {
        for (const { row, sealed } of changes) await replace(tx, column, row, sealed)
      })
  }
}

type Row = Readonly<Record<string, unknown>> & { readonly sealed: string }

const keyOf = ({ key }: SealedColumn) => sql.join(key.map((name) => sql.ref(name)))
const valuesOf = ({ key }: SealedColumn, row: Row) => sql.join(key.map((name) => row[name]))

async function readBatch(database: Database, column: SealedColumn, after: Row | undefined): Promise<Row[]> {
  const key = keyOf(column)
  const later = after === undefined ? sql`` : sql`and (${key}) > (${valuesOf(column, after)})`
  const query = sql<Row>`select ${key}, ${sql.ref(column.column)} as sealed from ${sql.table(column.table)}
    where ${sql.ref(column.column)} is not null ${later} order by ${key} limit ${sql.lit(BATCH)}`
  return (await query.execute(database.read as Tx)).rows
}

/** Leaves a value that has changed since: it is encrypted with the first secret already. */
const replace = (tx: Tx, column: SealedColumn, row: Row, sealed: string) =>
  sql`update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${sealed}
    where (${keyOf(column)}) = (${valuesOf(column, row)}) and ${sql.ref(column.column)} = ${row.sealed}`.execute(tx)
