import type { ReactNode } from 'react'
import type { ApiProblem } from '../api/problem.ts'
import type { Summary } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { relaxations, withoutFilter } from '../state/facets.ts'
import { type Filters, NO_FILTERS } from '../state/filters.ts'
import { useFilterName } from './filter-chips.tsx'
import { ProblemNotice } from './notice.tsx'

/** A quiet page in place of the list, with a way on. */
export function Blank({ title, words, children }: { title: string; words?: string; children?: ReactNode }) {
  return (
    <div className="card flex flex-col items-start gap-3 p-6 sm:p-8">
      <h2 className="text-xl">{title}</h2>
      {words !== undefined && <p className="max-w-prose text-muted">{words}</p>}
      {children}
    </div>
  )
}

type NoMatchProps = {
  all: readonly Summary[]
  filters: Filters
  currency: string
  onFilters(filters: Filters): void
}

/** Says which filter to let go, and what that would bring. */
export function NoMatch({ all, filters, currency, onFilters }: NoMatchProps) {
  const { t } = useI18n()
  const nameOf = useFilterName(filters, currency)
  return (
    <Blank title={t('no_match_title')}>
      <ul className="flex flex-wrap gap-2">
        {relaxations(all, filters).map(({ without, gained }) => (
          <li key={`${without.group}${'value' in without ? without.value : ''}`}>
            <button type="button" className="btn btn-quiet" onClick={() => onFilters(withoutFilter(filters, without))}>
              {t('relax', { name: nameOf(without), n: gained })}
            </button>
          </li>
        ))}
        <li>
          <button type="button" className="btn btn-primary" onClick={() => onFilters(NO_FILTERS)}>
            {t('clear_all')}
          </button>
        </li>
      </ul>
    </Blank>
  )
}

type FailureProps = { problem: ApiProblem; onAgain(): void; onPlace(id: string, name: string): void }

export function SearchFailure({ problem, onAgain, onPlace }: FailureProps) {
  const { t } = useI18n()
  if (problem.code === 'search_expired')
    return (
      <Blank title={t('search_expired_title')} words={t('search_expired_words')}>
        <button type="button" className="btn btn-primary" onClick={onAgain}>
          {t('search_again')}
        </button>
      </Blank>
    )
  const parts = problem.body.choose_instead
  if (problem.code === 'location_too_large' && Array.isArray(parts))
    return (
      <Blank title={t('problem_title')} words={t('too_large_words')}>
        <ul className="flex flex-wrap gap-2">
          {(parts as { id: string; name: string }[]).map(({ id, name }) => (
            <li key={id}>
              <button type="button" className="btn btn-quiet" onClick={() => onPlace(id, name)}>
                {name}
              </button>
            </li>
          ))}
        </ul>
      </Blank>
    )
  return <ProblemNotice error={problem} onRetry={onAgain} />
}
