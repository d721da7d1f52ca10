import type { Actor } from '../../domain/actor.ts'
import type { Database } from '../../store/database.ts'

/** What an operator has settled: the entry, as it was at `since`. */
type AttentionMark = {
  readonly entryId: string
  readonly since: number
  readonly at: number
  readonly actor: Actor
  readonly reason: string
}

export type AttentionMarkStore = ReturnType<typeof createAttentionMarkStore>

/** Which entries of the attention list are settled. */
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

    /** The `since` of those that are marked, by their ids. */
    async among(entryIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
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
