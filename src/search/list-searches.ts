import type { SavedSearch } from '../domain/saved-search.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runOnSql } from '../lists/sql/run.ts'
import type { Charge } from '../lists/work.ts'
import { fromHead, type SearchStore } from './store/searches.ts'

export const SAVED_SEARCH_LIST = defineList({
  fields: {
    search_id: { type: 'string', filterable: true, nullable: false },
    destination: { type: 'string', sortable: true, filterable: true, nullable: false },
    check_in: { type: 'date', sortable: true, filterable: true, nullable: false },
    check_out: { type: 'date', sortable: true, filterable: true, nullable: false },
    simulated: { type: 'boolean', sortable: true, filterable: true, nullable: false },
    created_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
    expires_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
  },
  tiebreaker: 'search_id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['desc'] },
})

export async function listSavedSearches(
  searches: SearchStore,
  accountId: string,
  plan: ListPlan,
  charge: Charge,
  onlySimulated = false,
): Promise<ListPage<SavedSearch>> {
  const page = await searches.listing(accountId, onlySimulated, (source) => runOnSql(plan, source, charge))
  return { ...page, data: page.data.map(({ head }) => fromHead(head)) }
}
