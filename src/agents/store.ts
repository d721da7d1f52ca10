import type { Ids } from '../lib/crypto/ids.ts'
import type { Keyring } from '../lib/crypto/keyring.ts'
import { openJson, sealJson } from '../lib/crypto/seal.ts'
import type { Clock } from '../lib/time/clock.ts'
import { HOUR_MS } from '../lib/time/durations.ts'
import { DELETED_AT_ONCE } from '../store/batches.ts'
import type { Database, Tx } from '../store/database.ts'

const CONTENT = 'mcp1'
/** Expired handles are kept, so that agents get "expired" instead of "unknown". */
const KEEP_EXPIRED_MS = { off: HOUR_MS, prp: 24 * HOUR_MS }

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

    /** Undefined if it does not exist, or belongs to another account or kind. */
    async read<T>(
      accountId: string,
      kind: HandleKind,
      handle: string,
    ): Promise<{ content: T; isExpired: boolean } | undefined> {
      if (!handle.startsWith(`${kind}_`) || !/^\w{1,64}$/.test(handle)) return undefined
      const row = await database.read
        .selectFrom('mcp_handles')
        .selectAll()
        .where('handle', '=', handle)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      const content = row && openJson<T>(keyring, CONTENT, row.content)
      return row === undefined || content === undefined
        ? undefined
        : { content, isExpired: Number(row.expires_at) <= clock.now() }
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
