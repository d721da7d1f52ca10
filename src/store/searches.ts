import { sql } from 'kysely'
import type { SavedSearch } from '../domain/saved-search.ts'
import type { Database, ReadOnly, Tx } from './database.ts'
import type { SearchRow } from './tables.ts'

const LISTED = Object.fromEntries(
  ['search_id', 'destination', 'check_in', 'check_out', 'created_at', 'expires_at'].map((name) => [name, name]),
)

export type SearchStore = ReturnType<typeof createSearchStore>

/** Saved searches; every read names the owner, so that nobody else's can come back. */
export function createSearchStore(database: Database) {
  const owned = (db: ReadOnly, accountId: string) => db.selectFrom('searches').where('account_id', '=', accountId)
  /** Up to here, in the order of expiry, everything has been emptied. What is saved later expires later. */
  let emptied: Place = { expiresAt: 0, searchId: '' }
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
     * a client is told "expired" and not "unknown". Answers how many it looked at. Bounded, so that no request waits for a long
     * clean-up, and what was emptied once is never looked at again: a day of empty searches costs a round nothing.
     */
    async forgetExpired(now: number, gone: number, most = 500): Promise<number> {
      const { looked, last, removed } = await database.write(async (tx) => ({
        ...(await emptyExpired(tx, now, emptied, most)),
        removed: await removeOld(tx, gone, most),
      }))
      emptied = last ?? emptied
      return looked + removed
    },
  }
}

type Place = { readonly expiresAt: number; readonly searchId: string }

async function emptyExpired(tx: Tx, now: number, after: Place, most: number) {
  const rows = await tx
    .selectFrom('searches')
    .select(['search_id', 'expires_at', sql<number>`length(results)`.as('bytes')])
    .where('expires_at', '<', now)
    .where(sql<boolean>`(expires_at, search_id) > (${after.expiresAt}, ${after.searchId})`)
    .orderBy('expires_at')
    .orderBy('search_id')
    .limit(most)
    .execute()
  const full = rows.filter(({ bytes }) => Number(bytes) > 0).map(({ search_id }) => search_id)
  if (full.length > 0) {
    await tx.updateTable('searches').set({ results: new Uint8Array() }).where('search_id', 'in', full).execute()
  }
  const last = rows.at(-1)
  return {
    looked: rows.length,
    last: last && { expiresAt: Number(last.expires_at), searchId: last.search_id },
  }
}

async function removeOld(tx: Tx, gone: number, most: number): Promise<number> {
  const rows = await tx.selectFrom('searches').select('search_id').where('expires_at', '<', gone).limit(most).execute()
  const ids = rows.map(({ search_id }) => search_id)
  if (ids.length > 0) await tx.deleteFrom('searches').where('search_id', 'in', ids).execute()
  return ids.length
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
