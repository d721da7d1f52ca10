import { useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { useWide } from '../state/media.ts'
import { guestsOf, type StayForm } from '../state/stay-form.ts'
import { Icon } from './icon.tsx'
import { LazySearchForm } from './search-form-lazy.tsx'

type Props = { stay: StayForm; onSearch(form: StayForm): void }

/** The current search; on phones one line that opens the form. */
export function SearchSummary({ stay, onSearch }: Props) {
  const { t, day } = useI18n()
  const wide = useWide('64rem')
  const [opened, setOpened] = useState(false)
  const { adults, children } = guestsOf(stay.rooms)
  const formKey = JSON.stringify(stay)
  return (
    <div className="no-print border-b border-line bg-sunk">
      <div className="mx-auto max-w-[108rem] px-4 py-3 sm:px-6 lg:px-10">
        {wide || opened ? (
          <LazySearchForm
            key={formKey}
            initial={stay}
            onSearch={(form) => {
              setOpened(false)
              onSearch(form)
            }}
          />
        ) : (
          <button
            type="button"
            className="card flex min-h-14 w-full items-center gap-3 px-4 text-left"
            onClick={() => setOpened(true)}
          >
            <Icon name="search" className="size-5 text-accent" />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-semibold">{stay.place.split(', ')[0]}</span>
              <span className="block truncate text-xs text-muted">
                {day(stay.checkIn)} – {day(stay.checkOut)} · {t('guests', { n: adults + children })}
              </span>
            </span>
            <span className="link text-sm">{t('change_search')}</span>
          </button>
        )}
      </div>
    </div>
  )
}
