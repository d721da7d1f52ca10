import type { FieldError } from '../../domain/errors.ts'
import { errorMeta } from '../../lists/meta.ts'
import { parseListQuery } from '../../lists/parse-list-query.ts'
import type { ListParams, ListPlan } from '../../lists/plan.ts'
import { AVAILABILITY_LIST } from '../list-availability.ts'
import { VIEWS } from '../schemas/property-card.ts'

type FirstPage = {
  readonly plan: ListPlan
  readonly errors: readonly FieldError[]
  /** False if the response has all properties. */
  readonly isPaged: boolean
  readonly asCards: boolean
  readonly warnings: readonly string[]
}

/** Blank means the default. */
export function readView({ view }: ListParams): { asCards: boolean; errors: FieldError[] } {
  const isKnown = view === undefined || view === '' || VIEWS.some((known) => known === view)
  const error = { field: 'view', code: 'not_allowed', message: `view must be one of ${VIEWS.join(', ')}.` }
  return { asCards: view === 'card', errors: isKnown ? [] : [error] }
}

const SIZES = ['page_size', 'limit'] as const
const FILTERS_IGNORED = '`filters` was ignored because neither `page_size` nor `limit` was sent'
const NO_CURSORS = { scope: 'search.create', cursors: { seal: () => '', open: () => undefined } }
const UNPAGED = { type: 'none', size: null } as const

/** A new search always answers with the first page, or with all properties if no size is sent. */
export function readPage(params: ListParams): FirstPage {
  const { asCards, errors: viewErrors } = readView(params)
  const isSent = (name: string) => params[name] !== undefined && params[name] !== ''
  const isPaged = SIZES.some(isSent)
  const names = ['order_by', 'order_directions', ...(isPaged ? [...SIZES, 'filters'] : [])]
  const own = Object.fromEntries(names.filter((name) => params[name] !== undefined).map((name) => [name, params[name]]))
  // Without a size, the list would be read with the default one.
  const parsed = parseListQuery(AVAILABILITY_LIST, isPaged ? own : { ...own, limit: '1' }, NO_CURSORS)
  const warnings = !isPaged && isSent('filters') ? [FILTERS_IGNORED] : []
  if (parsed.ok)
    return {
      plan: isPaged ? parsed.plan : { ...parsed.plan, paging: UNPAGED },
      errors: viewErrors,
      isPaged,
      asCards,
      warnings,
    }
  const defaults = parseListQuery(AVAILABILITY_LIST, { limit: '1' }, NO_CURSORS)
  if (!defaults.ok) throw new Error('the default order of a search is invalid')
  const { errors } = errorMeta(AVAILABILITY_LIST, parsed.issues, parsed.params)
  return { plan: defaults.plan, errors: [...viewErrors, ...errors], isPaged, asCards, warnings }
}
