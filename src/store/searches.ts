import { sql } from 'kysely'
import type { SavedSearch } from '../domain/saved-search.ts'
import type { Database, ReadOnly } from './database.ts'
import type { SearchRow } from './tables.ts'

const LISTED = Object.fromEntries(
  ['search_id', 'destination', 'check_in', 'check_out', 'created_at', 'expires_at'].map((name) => [name, name]),
)

export type SearchStore = ReturnType<typeof createSearchStore>

/** Saved searches; every read names the owner, so that nobody else's can come back. */
export function createSearchStore(database: Database) {
  const owned = (db: ReadOnly, accountId: string) => db.selectFrom('searches').where('account_id', '=', accountId)
  return {
    /** All of one account's, for whoever pages through them; newest or otherwise is the reader's business. */
    listing: (accountId: string) => ({
      dialect: database.dialect,
      query: owned(database.read, accountId).select(['search_id', 'head']),
      columns: LISTED,
    }),

    async save(search: SavedSearch, results: Uint8Array): Promise<void> {
      await database.write(async (tx) => {
        await tx.insertInto('searches').values(toRow(search, results)).execute()
      })
    },

    async head(accountId: string, searchId: string): Promise<SavedSearch | undefined> {
      const row = await owned(database.read, accountId)
        .select('head')
        .where('search_id', '=', searchId)
        .executeTakeFirst()
      return row && fromHead(row.head)
    },

    async withResults(
      accountId: string,
      searchId: string,
    ): Promise<{ search: SavedSearch; results: Uint8Array } | undefined> {
      const row = await owned(database.read, accountId)
        .select(['head', 'results'])
        .where('search_id', '=', searchId)
        .executeTakeFirst()
      return row && { search: fromHead(row.head), results: row.results }
    },

    /**
     * Empties what has expired by `now`: its results are most of its bytes. What expired before `gone` is removed, and until then
     * a client is told "expired" and not "unknown". Answers how many; bounded, so that no request waits for a long clean-up.
     */
    async forgetExpired(now: number, gone: number, most = 500): Promise<number> {
      return database.write(async (tx) => {
        const full = await tx
          .selectFrom('searches')
          .select('search_id')
          .where('expires_at', '<', now)
          .where(sql<boolean>`length(results) > 0`)
          .limit(most)
          .execute()
        const old = await tx
          .selectFrom('searches')
          .select('search_id')
          .where('expires_at', '<', gone)
          .limit(most)
          .execute()
        const idsOf = (rows: readonly { search_id: string }[]) => rows.map((row) => row.search_id)
        if (full.length > 0) {
          await tx
            .updateTable('searches')
            .set({ results: new Uint8Array() })
            .where('search_id', 'in', idsOf(full))
            .execute()
        }
        if (old.length > 0) await tx.deleteFrom('searches').where('search_id', 'in', idsOf(old)).execute()
        return full.length + old.length
      })
    },
  }
}

function toRow(search: SavedSearch, results: Uint8Array): SearchRow {
  return {
    search_id: search.searchId,
    account_id: search.accountId,
    created_at: search.createdAt,
    expires_at: search.expiresAt,
    simulated: search.simulated ? 1 : 0,
    destination: search.terms.location.name,
    check_in: search.terms.stay.checkIn,
    check_out: search.terms.stay.checkOut,
    found: search.found,
    head: JSON.stringify(search),
    results,
  }
}

export const fromHead = (head: string): SavedSearch => JSON.parse(head) as SavedSearch
