import { useI18n } from '../../i18n/i18n.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type ActiveFilter, listActiveFilters, removeFilter } from './facets.ts'
import { type Filters, NO_FILTERS } from './filters.ts'

export function useFilterLabel(filters: Filters, currency: string): (active: ActiveFilter) => string {
  const { t, number, money, amenity, named } = useI18n()
  const priceName = ({ priceMin: min, priceMax: max }: Filters): string => {
    if (max === undefined) return t('filter_price_from', { price: money(min ?? 0, currency) })
    if (min === undefined) return t('filter_price_to', { price: money(max, currency) })
    return `${money(min, currency)} – ${money(max, currency)}`
  }
  return (active) => {
    switch (active.group) {
      case 'stars':
        return active.value === 0 ? t('filter_unrated') : t('filter_stars_value', { n: active.value })
      case 'price':
        return priceName(filters)
      case 'rating':
        return t('filter_rating_value', { rating: number(active.value, 1) })
      case 'amenities':
        return amenity(active.value)
      case 'boards':
        return t(`board_${active.value}`)
      case 'free':
        return t('filter_free')
      case 'kinds':
        return named(`kind_${active.value}`, active.value)
      case 'distance':
        return t('filter_distance_value', { km: number(active.value, active.value < 1 ? 1 : 0) })
      case 'chains':
      case 'neighbourhoods':
      case 'name':
        return active.value
    }
  }
}

type Props = { filters: Filters; currency: string; onFilters(filters: Filters): void }

export function FilterChips({ filters, currency, onFilters }: Props) {
  const { t } = useI18n()
  const getLabel = useFilterLabel(filters, currency)
  const active = listActiveFilters(filters)
  if (active.length === 0) return null
  return (
    <ul className="mb-1.5 flex flex-wrap items-center gap-2">
      {active.map((filter) => (
        <li key={`${filter.group}${'value' in filter ? filter.value : ''}`}>
          <button
            type="button"
            className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-accent bg-accent-wash px-3 text-sm text-accent-strong hover:bg-accent hover:text-accent-ink"
            aria-label={t('remove_filter', { name: getLabel(filter) })}
            onClick={() => onFilters(removeFilter(filters, filter))}
          >
            {getLabel(filter)}
            <Icon name="close" className="size-3.5" />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="link min-h-8 px-1 text-sm" onClick={() => onFilters(NO_FILTERS)}>
          {t('clear_all')}
        </button>
      </li>
    </ul>
  )
}
