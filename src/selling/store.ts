import type { Actor } from '../domain/actor.ts'
import { type Database, lockByName } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'

export type StoredRules = {
  readonly version: number
  /** As JSON. */
  readonly rules: string
  readonly changedAt: number
  readonly by: Actor
}

export type SellingStore = ReturnType<typeof createSellingStore>

/** Selling rules in immutable versions, and the permission to see net prices. */
export function createSellingStore(database: Database) {
  const all = database.read.selectFrom('selling_rules').selectAll()
  return {
    async latest(): Promise<StoredRules | undefined> {
      const row = await all.orderBy('version', 'desc').limit(1).executeTakeFirst()
      return row && fromRow(row)
    },

    async version(version: number): Promise<StoredRules | undefined> {
      const row = await all.where('version', '=', version).executeTakeFirst()
      return row && fromRow(row)
    },

    /** Newest first. */
    async versions(limit: number): Promise<StoredRules[]> {
      const rows = await all.orderBy('version', 'desc').limit(limit).execute()
      return rows.map(fromRow)
    },

    /** Undefined if `basedOn` is given and not the latest. */
    add: (rules: string, by: Actor, at: number, basedOn?: number): Promise<StoredRules | undefined> =>
      database.write(async (tx) => {
        await lockByName(database, tx, 'selling rules')
        const last = await tx
          .selectFrom('selling_rules')
          .select((select) => select.fn.max('version').as('version'))
          .executeTakeFirst()
        const latest = Number(last?.version ?? 0)
        if (basedOn !== undefined && basedOn !== latest) return undefined
        const version = latest + 1
        const row = { version, rules, changed_at: at, actor_kind: by.kind, actor_id: by.id }
        await tx.insertInto('selling_rules').values(row).execute()
        return fromRow(row)
      }),

    async seesNet(accountId: string): Promise<boolean> {
      const row = await database.read
        .selectFrom('accounts')
        .select('see_net')
        .where('id', '=', accountId)
        .executeTakeFirst()
      return Number(row?.see_net ?? 0) === 1
    },
  }
}

const fromRow = (row: Tables['selling_rules']): StoredRules => ({
  version: row.version,
  rules: row.rules,
  changedAt: row.changed_at,
  by: { kind: row.actor_kind, id: row.actor_id },
})
