import type { Insertable } from 'kysely'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Keyring } from '../lib/crypto/keyring.ts'
import { openJson, sealJson } from '../lib/crypto/seal.ts'
import type { Clock } from '../lib/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts'
import { DELETED_AT_ONCE } from '../store/batches.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'

const CONTENT = 'mcp1'
/** Expired handles are kept, so that agents get "expired" instead of "unknown". */
const KEEP_EXPIRED_MS = { off: HOUR_MS, prp: 24 * HOUR_MS, ask: MINUTE_MS }

type HandleKind = keyof typeof KEEP_EXPIRED_MS
export type McpHandles = ReturnType<typeof createMcpHandles>
type NewHandle = { readonly content: unknown; readonly expiresAt: number }

/** Short ids for content that is too long for an agent's context. Valid only for their account. */
export function createMcpHandles(database: Database, keyring: Keyring, { clock, ids }: { clock: Clock; ids: Ids }) {
  return {
    /** Returns the ids in the same order. */
    async add(accountId: string, kind: HandleKind, handles: readonly NewHandle[]): Promise<string[]> {
      const rows = handles.map(({ content, expiresAt }) => ({
        handle: ids.prefixed(kind),
        account_id: accountId,
        content: sealJson(keyring, CONTENT, content),
        expires_at: expiresAt,
      }))
      if (rows.length > 0) await database.write((tx) => tx.insertInto('mcp_handles').values(rows).execute())
      return rows.map(({ handle }) => handle)
    },

    /** Adds or replaces the content of a handle that the caller names. */
    async put(accountId: string, handle: string, { content, expiresAt }: NewHandle): Promise<void> {
      const row = { handle, account_id: accountId, content: sealJson(keyring, CONTENT, content), expires_at: expiresAt }
      await database.write((tx) => putHandle(tx, row))
    },

    /** Undefined if it does not exist, or belongs to another account or kind. */
    async read<T>(
      accountId: string,
      kind: HandleKind,
      handle: string,
    ): Promise<{ content: T; isExpired: boolean } | undefined> {
      const row = await findHandle(database, accountId, kind, handle)
      const content = row && openJson<T>(keyring, CONTENT, row.content)
      return row === undefined || content === undefined
        ? undefined
        : { content, isExpired: Number(row.expires_at) <= clock.now() }
    },

    /** Replaces the content unless `change` returns undefined. Repeats the change if another process made one meanwhile. */
    async change<T>(accountId: string, kind: HandleKind, handle: string, change: (content: T) => T | undefined) {
      for (let isChanged = false; !isChanged; ) {
        const row = await findHandle(database, accountId, kind, handle)
        const content = row && openJson<T>(keyring, CONTENT, row.content)
        if (row === undefined || content === undefined || Number(row.expires_at) <= clock.now()) return
        const next = change(content)
        if (next === undefined) return
        const sealed = sealJson(keyring, CONTENT, next)
        isChanged = await database.write((tx) => replaceContent(tx, row, sealed))
      }
    },

    /** Deletes in batches of `atOnce`, so that others can write in between. Returns the number. */
    async deleteExpired(atOnce = DELETED_AT_ONCE): Promise<number> {
      let total = 0
      for (const [kind, keepMs] of Object.entries(KEEP_EXPIRED_MS)) {
        for (let deleted = atOnce; deleted >= atOnce; total += deleted)
          deleted = await database.write((tx) => deleteBatch(tx, kind, clock.now() - keepMs, atOnce))
      }
      return total
    },
  }
}

async function findHandle({ read }: Database, accountId: string, kind: HandleKind, handle: string) {
  if (!handle.startsWith(`${kind}_`) || !/^\w{1,64}$/.test(handle)) return undefined
  const rows = read.selectFrom('mcp_handles').selectAll().where('handle', '=', handle)
  return rows.where('account_id', '=', accountId).executeTakeFirst()
}

const putHandle = (tx: Tx, row: Insertable<Tables['mcp_handles']>) =>
  tx
    .insertInto('mcp_handles')
    .values(row)
    .onConflict((old) => old.column('handle').doUpdateSet(row).where('mcp_handles.account_id', '=', row.account_id))
    .execute()

/** False if another process has changed the row since it was read. */
async function replaceContent(tx: Tx, { handle, content }: { handle: string; content: string }, sealed: string) {
  const rows = tx.updateTable('mcp_handles').set({ content: sealed }).where('handle', '=', handle)
  return (await rows.where('content', '=', content).returning('handle').execute()).length > 0
}

async function deleteBatch(tx: Tx, kind: string, before: number, limit: number): Promise<number> {
  const old = tx
    .selectFrom('mcp_handles')
    .select('handle')
    .where('expires_at', '<', before)
    .where('handle', 'like', `${kind}_%`)
    .limit(limit)
  const deleted = await tx.deleteFrom('mcp_handles').where('handle', 'in', old).returning('handle').execute()
  return deleted.length
}
