import type { Actor } from '../../domain/actor.ts'
import type { Database } from '../../store/database.ts'

/** An entry, as of `since`, that an operator has settled. */
type AttentionMark = {
  readonly entryId: string
  readonly since: number
  readonly at: number
  readonly actor: Actor
  readonly reason: string
}

export type AttentionMarkStore = ReturnType<typeof createAttentionMarkStore>

export function createAttentionMarkStore(database: Database) {
  return {
    async set({ entryId, since, at, actor, reason }: AttentionMark): Promise<void> {
      const facts = { since, at, actor_kind: actor.kind, actor_id: actor.id, reason }
      await database.write((tx) =>
        tx
          .insertInto('attention_marks')
          .values({ entry_id: entryId, ...facts })
          .onConflict((conflict) => conflict.column('entry_id').doUpdateSet(facts))
          .execute(),
      )
    },

    /** `since` of the marked entries, by entry id. */
    async findSince(entryIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      if (entryIds.length === 0) return new Map()
      const rows = await database.read
        .selectFrom('attention_marks')
        .select(['entry_id', 'since'])
        .where('entry_id', 'in', [...entryIds])
        .execute()
      return new Map(rows.map(({ entry_id, since }) => [entry_id, since]))
    },
  }
}
