import { sql } from 'kysely'
import { currentOwner } from '../../accounts/store/guests.ts'
import type { SavedSearch } from '../../domain/saved-search.ts'
import { DELETED_AT_ONCE } from '../../store/batches.ts'
import type { Database, ReadOnly, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { deleteUndated, keepSearchDays } from './search-days.ts'

export type SearchStore = ReturnType<typeof createSearchStore>

/** Every read is limited to the owner, which is the row's: a guest's search may have become an account's. */
export function createSearchStore(database: Database) {
  /** The results of all searches up to here, in the order of expiry, have been dropped. */
  let emptiedUpTo: Position = { expiresAt: 0, searchId: '' }
  return {
    /** Reads an account's searches; `run` orders and pages them. */
    listing: <T>(accountId: string, onlySimulated: boolean, run: (source: SearchListing) => Promise<T>): Promise<T> =>
      database.readFresh((db) => run(describeListing(database, db, accountId, onlySimulated))),

    async save(search: SavedSearch, results: Uint8Array): Promise<void> {
      await database.write(async (tx) => {
        const row = { ...toRow(search, results), account_id: await currentOwner(tx, search.accountId) }
        await tx.insertInto('searches').values(row).execute()
      })
    },

    async withResults(
      accountId: string,
      searchId: string,
    ): Promise<{ search: SavedSearch; results: Uint8Array } | undefined> {
      const row = await database.readUnchanging((db) =>
        owned(db, accountId).select(['head', 'results']).where('search_id', '=', searchId).executeTakeFirst(),
      )
      return row && { search: { ...fromHead(row.head), accountId }, results: row.results }
    },

    /**
     * Empties results that expired before `now` and removes rows that expired before `gone`, on PostgreSQL by whole days. Returns
     * the number of rows read.
     */
    async forgetExpired(now: number, gone: number, limit = DELETED_AT_ONCE): Promise<number> {
      const isPostgres = database.dialect === 'postgres'
      if (isPostgres) await keepSearchDays(database, now, gone)
      const { checked, last, removed } = await database.write(async (tx) => ({
        ...(await emptyExpired(tx, now, emptiedUpTo, limit)),
        removed: await (isPostgres ? deleteUndated : removeOld)(tx, gone, limit),
      }))
      emptiedUpTo = last ?? emptiedUpTo
      return checked + removed
    },
  }
}

const owned = (db: ReadOnly, accountId: string) => db.selectFrom('searches').where('account_id', '=', accountId)

type SearchListing = ReturnType<typeof describeListing>

function describeListing({ dialect }: Database, db: ReadOnly, accountId: string, onlySimulated: boolean) {
  const own = owned(db, accountId).select(['search_id', 'head'])
  return { dialect, query: onlySimulated ? own.where('simulated', '=', 1) : own }
}

type Position = { readonly expiresAt: number; readonly searchId: string }

async function emptyExpired(tx: Tx, now: number, after: Position, limit: number) {
  const rows = await tx
    .selectFrom('searches')
    .select(['search_id', 'expires_at', sql<number>`length(results)`.as('bytes')])
    .where('expires_at', '<', now)
    .where(sql<boolean>`(expires_at, search_id) > (${after.expiresAt}, ${after.searchId})`)
    .orderBy('expires_at')
    .orderBy('search_id')
    .limit(limit)
    .execute()
  const full = rows.filter(({ bytes }) => Number(bytes) > 0).map(({ search_id }) => search_id)
  if (full.length > 0) {
    await tx.updateTable('searches').set({ results: new Uint8Array() }).where('search_id', 'in', full).execute()
  }
  const last = rows.at(-1)
  return {
    checked: rows.length,
    last: last && { expiresAt: Number(last.expires_at), searchId: last.search_id },
  }
}

async function removeOld(tx: Tx, gone: number, limit: number): Promise<number> {
  const rows = await tx.selectFrom('searches').select('search_id').where('expires_at', '<', gone).limit(limit).execute()
  const ids = rows.map(({ search_id }) => search_id)
  if (ids.length > 0) await tx.deleteFrom('searches').where('search_id', 'in', ids).execute()
  return ids.length
}

function toRow(search: SavedSearch, results: Uint8Array): Tables['searches'] {
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

export const fromHead = (head: string): SavedSearch => JSON.parse(head)
