import { useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../ui/icon.tsx'
import { Modal } from '../ui/modal.tsx'
import { SORT_ORDERS, type Sort } from './filters/filters.ts'

type Props = {
  sort: Sort
  onSort(sort: Sort): void
  filterCount: number
  onFilters: (() => void) | undefined
  view: 'list' | 'map'
  onView: ((view: 'list' | 'map') => void) | undefined
}

export function ResultsToolbar({ sort, onSort, filterCount, onFilters, view, onView }: Props) {
  const { t } = useI18n()
  return (
    <div className="ml-auto flex flex-wrap items-center gap-x-2 gap-y-1 max-sm:w-full max-xs:gap-x-1.5">
      {onFilters && (
        <button type="button" className="btn btn-quiet px-2.5 max-xs:px-2" onClick={onFilters}>
          <Icon name="filter" className="size-4 max-xs:hidden" />
          {filterCount === 0 ? t('filters') : t('filters_count', { n: filterCount })}
        </button>
      )}
      {onView && (
        <button
          type="button"
          className="btn btn-quiet px-2.5 max-xs:px-2"
          onClick={() => onView(view === 'map' ? 'list' : 'map')}
        >
          <Icon name={view === 'map' ? 'list' : 'map'} className="size-4 max-xs:hidden" />
          {view === 'map' ? t('list') : t('map')}
        </button>
      )}
      <div className="flex items-center gap-x-2 max-sm:flex-1">
        <label className="flex min-w-28 items-center gap-2 text-sm max-sm:flex-1">
          <span className="text-muted max-sm:sr-only">{t('sort')}</span>
          <select
            className="field w-auto min-w-0 py-1 pr-1 text-sm max-sm:w-full max-sm:px-2 max-xs:px-1 sm:min-h-9"
            value={sort}
            onChange={(event) => onSort(event.target.value as Sort)}
          >
            {SORT_ORDERS.map((each) => (
              <option key={each} value={each}>
                {t(`sort_${each}`)}
              </option>
            ))}
          </select>
        </label>
        <HowWeSort className="max-sm:hidden" />
      </div>
    </div>
  )
}

/** Beside the order, on phones an icon. */
export function HowWeSort({ className }: { className: string }) {
  const { t } = useI18n()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={`link min-h-8 px-1 text-sm max-sm:-my-1.5 max-sm:grid max-sm:size-11 max-sm:place-items-center ${className}`}
        onClick={() => setOpen(true)}
      >
        <span className="max-sm:sr-only">{t('how_we_sort')}</span>
        <Icon name="info" className="size-5 sm:hidden" />
      </button>
      <Modal title={t('how_we_sort')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{t('how_we_sort_text')}</p>
      </Modal>
    </>
  )
}
