import type { ApiProblem } from '../api/problem.ts'
import type { Summary, VendorReport } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { hasConditions } from '../search/conditions.ts'
import { useConditionNames } from '../search/use-condition-names.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { listActiveFilters, removeFilter, suggestRelaxations } from './filters/facets.ts'
import { useFilterLabel } from './filters/filter-chips.tsx'
import { type Filters, NO_FILTERS } from './filters/filters.ts'
import { ResultsSkeleton } from './results-list.tsx'
import type { Results } from './use-results.ts'

type NoMatchProps = {
  all: readonly Summary[]
  filters: Filters
  currency: string
  onFilters(filters: Filters): void
}

/** Suggests which filter to remove and how many stays that would show. */
function NoMatch({ all, filters, currency, onFilters }: NoMatchProps) {
  const { t } = useI18n()
  const getLabel = useFilterLabel(filters, currency)
  return (
    <EmptyState title={t('no_match_title')}>
      <ul className="flex flex-wrap gap-2">
        {suggestRelaxations(all, filters).map(({ without, gained }) => (
          <li key={`${without.group}${'value' in without ? without.value : ''}`}>
            <button type="button" className="btn btn-quiet" onClick={() => onFilters(removeFilter(filters, without))}>
              {t('relax', { name: getLabel(without), n: gained })}
            </button>
          </li>
        ))}
        <li>
          <button type="button" className="btn btn-primary" onClick={() => onFilters(NO_FILTERS)}>
            {t('clear_all')}
          </button>
        </li>
      </ul>
    </EmptyState>
  )
}

/** No stay has a room that meets the conditions; each can be removed. */
function NoneMeets({ filters, currency, onFilters }: Omit<NoMatchProps, 'all'>) {
  const { t } = useI18n()
  const getLabel = useFilterLabel(filters, currency)
  const names = useConditionNames(filters)
  const conditions = listActiveFilters(filters).filter(({ group }) => group === 'free' || group === 'boards')
  return (
    <EmptyState title={t('none_meets_title', { names })} text={t('none_meets_text')}>
      <ul className="flex flex-wrap gap-2">
        {conditions.map((condition) => (
          <li key={getLabel(condition)}>
            <button type="button" className="btn btn-quiet" onClick={() => onFilters(removeFilter(filters, condition))}>
              {t('search_without', { name: getLabel(condition) })}
            </button>
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}

type FailureProps = { problem: ApiProblem; onAgain(): void; onPlace(id: string, name: string): void }

function SearchFailure({ problem, onAgain, onPlace }: FailureProps) {
  const { t } = useI18n()
  if (problem.code === 'search_expired')
    return (
      <EmptyState title={t('search_expired_title')} text={t('search_expired_text')}>
        <button type="button" className="btn btn-primary" onClick={onAgain}>
          {t('search_again')}
        </button>
      </EmptyState>
    )
  const parts = problem.body.choose_instead
  if (problem.code === 'location_too_large' && Array.isArray(parts))
    return (
      <EmptyState title={t('too_large_title')} text={t('too_large_text')}>
        <ul className="flex flex-wrap gap-2">
          {(parts as { id: string; name: string }[]).map(({ id, name }) => (
            <li key={id}>
              <button type="button" className="btn btn-quiet" onClick={() => onPlace(id, name)}>
                {name}
              </button>
            </li>
          ))}
        </ul>
      </EmptyState>
    )
  return <ProblemNotice error={problem} onRetry={onAgain} />
}

type StateProps = { results: Results; onPlace(id: string, name: string): void }

/** Messages shown above the list or instead of it. */
export function ResultsState({ results, onPlace }: StateProps) {
  const { t } = useI18n()
  const { run, listing, filters, currency, searchAgain, onFilters } = results
  if (run.status === 'failed' && run.problem !== undefined)
    return <SearchFailure problem={run.problem} onAgain={searchAgain} onPlace={onPlace} />
  if (run.status === 'signed_out')
    return (
      <EmptyState title={t('sign_in_to_go_on')} text={t('sign_in_needed')}>
        <button type="button" className="btn btn-primary" onClick={searchAgain}>
          {t('sign_in')}
        </button>
      </EmptyState>
    )
  if (listing.isGathering) return <ResultsSkeleton />
  if (listing.shown.length > 0) return null
  if (listing.all.length > 0)
    return <NoMatch all={listing.all} filters={filters} currency={currency} onFilters={onFilters} />
  if (run.status !== 'done') return null
  if (hasConditions(filters)) return <NoneMeets filters={filters} currency={currency} onFilters={onFilters} />
  if (wereAllSkipped(run.vendors)) return <EmptyState title={t('not_sold_title')} text={t('not_sold_text')} />
  return <EmptyState title={t('no_results_title')} text={t('no_results_text')} />
}

/** No vendor sells such a stay, which differs from a place without free rooms. */
const wereAllSkipped = (vendors: readonly VendorReport[]): boolean =>
  vendors.length > 0 && vendors.every(({ status }) => status === 'skipped')
