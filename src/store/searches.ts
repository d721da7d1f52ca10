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

    /** Removes some of what has expired; answers how many. Bounded, so that no request waits for a long clean-up. */
    async deleteExpired(before: number, most = 500): Promise<number> {
      return database.write(async (tx) => {
        const rows = await tx
          .selectFrom('searches')
          .select('search_id')
          .where('expires_at', '<', before)
          .limit(most)
          .execute()
        if (rows.length === 0) return 0
        await tx
          .deleteFrom('searches')
          .where(
            'search_id',
            'in',
            rows.map((row) => row.search_id),
          )
          .execute()
        return rows.length
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
