import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { IdempotentAnswer, IdempotentRequests } from '../../http/middleware/idempotency.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { openJson, sealJson } from '../../lib/crypto/seal.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import { deleteOld } from '../../store/batches.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

/** The API description says so. */
const KEPT_MS = DAY_MS
/** Longer than any request. After a crash, a repeat runs the request again. */
const LEASE_MS = 5 * MINUTE_MS
const ANSWER = 'idm1'

type Row = Tables['idempotent_requests']

/** Only a hash of the key is stored: clients put names and tokens into their keys. */
const hashKey = (key: string) => hash('sha256', key)

export function createIdempotentRequests(
  database: Database,
  keyring: Keyring,
  clock: Clock,
): IdempotentRequests & { deleteOld(): Promise<number> } {
  const keptSince = () => clock.now() - KEPT_MS
  return {
    begin: ({ key, ...request }) =>
      database.write((tx) => begin(tx, keyring, { ...request, key_hash: hashKey(key) }, clock.now())),

    finish: (key, lease, answer) =>
      database.write(async (tx) => {
        const isOwn = sql<boolean>`key_hash = ${hashKey(key)} and lease_until = ${lease}`
        if (answer === undefined) await tx.deleteFrom('idempotent_requests').where(isOwn).execute()
        else
          await tx
            .updateTable('idempotent_requests')
            .set({ lease_until: 0, answer: sealJson(keyring, ANSWER, answer) })
            .where(isOwn)
            .execute()
      }),

    /** Deletes a batch of requests; returns its size. */
    deleteOld: () =>
      deleteOld(database, 'idempotent_requests', { key: 'key_hash', time: 'created_at', before: keptSince() }),
  }
}

async function begin(
  tx: Tx,
  keyring: Keyring,
  request: Pick<Row, 'key_hash' | 'fingerprint' | 'subject'>,
  now: number,
): ReturnType<IdempotentRequests['begin']> {
  const lease = now + LEASE_MS
  const row = { ...request, created_at: now, lease_until: lease, answer: null }
  const same = tx.selectFrom('idempotent_requests').selectAll().where('key_hash', '=', row.key_hash)
  if (await add(tx, row)) return { lease }
  const found = await same.forUpdate().executeTakeFirst()
  // A concurrent refusal has deleted the row.
  if (found === undefined) return begin(tx, keyring, request, now)
  if (found.created_at >= now - KEPT_MS) {
    if (found.fingerprint !== row.fingerprint) return 'mismatch'
    const answer = found.answer === null ? undefined : openJson<IdempotentAnswer>(keyring, ANSWER, found.answer)
    if (answer !== undefined) return answer
    if (found.lease_until > now) return 'running'
  }
  await tx.updateTable('idempotent_requests').set(row).where('key_hash', '=', row.key_hash).execute()
  return { lease }
}

/** False if there is a request with this key. */
async function add(tx: Tx, row: Row): Promise<boolean> {
  const added = await tx
    .insertInto('idempotent_requests')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('key_hash')
    .executeTakeFirst()
  return added !== undefined
}
