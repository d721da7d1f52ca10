import type { Database } from '../../store/database.ts'
import type { MatchProgressRow } from '../../store/tables/tables.ts'
import { upsert } from '../../store/upsert.ts'

export type MatchProgressStore = ReturnType<typeof createMatchProgressStore>

/** Before every cell of the earth. */
const BEFORE_ALL = -1

/** How far judging all links by new rules has come. One process at a time does it, as long as its lease lasts. */
export function createMatchProgressStore(database: Database) {
  const read = () => database.read.selectFrom('match_progress').selectAll().where('id', '=', 1).executeTakeFirst()
  return {
    read,

    /** The progress, if there is something left to do and no other process does it; undefined otherwise. */
    claim(rules: number, owner: string, now: number, leaseUntil: number): Promise<MatchProgressRow | undefined> {
      return database.write(async (tx) => {
        const row = await tx.selectFrom('match_progress').selectAll().where('id', '=', 1).executeTakeFirst()
        const isStale = row === undefined || row.rules < rules
        // A newer version has judged already: its rules stay.
        if (!isStale && (row.rules > rules || row.finished_at !== null)) return undefined
        if (!isStale && row.owner !== owner && row.lease_until > now) return undefined
        const base = isStale ? { id: 1, rules, after_cell: BEFORE_ALL, joined: 0, split: 0, finished_at: null } : row
        const claimed = { ...base, owner, lease_until: leaseUntil }
        await upsert(tx, 'match_progress', ['id'], [claimed])
        return claimed
      })
    },

    /** Saves the progress, unless another process has taken over meanwhile. */
    async save(row: MatchProgressRow): Promise<boolean> {
      const { numUpdatedRows } = await database.write((tx) =>
        tx
          .updateTable('match_progress')
          .set(row)
          .where('id', '=', 1)
          .where('owner', '=', row.owner)
          .where('rules', '=', row.rules)
          .executeTakeFirst(),
      )
      return numUpdatedRows > 0n
    },

    /** Lets the whole catalogue be judged once more. */
    async startAgain(): Promise<void> {
      await database.write((tx) => tx.deleteFrom('match_progress').execute())
    },
  }
}
