import { useEffect, useRef, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../ui/icon.tsx'
import { LazySearchForm, preloadSearchForm } from './search-form-lazy.tsx'
import { countGuests, nightsBetween, type StayForm } from './stay-form.ts'

type Props = {
  stay: StayForm
  onSearch(form: StayForm): void
  /** False on a property page. */
  hasPlace?: boolean
  zone?: string | undefined
  /** Called when a field of the form gets focus. */
  onFocus?: (() => void) | undefined
}

/** The search in one line; a click opens the form in its place. */
export function SearchSummary({ stay, onSearch, hasPlace = true, zone, onFocus }: Props) {
  const { t } = useI18n()
  const [isOpen, setOpen] = useState(false)
  const wasOpen = useRef(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (!isOpen) return <SummaryLine ref={button} stay={stay} hasPlace={hasPlace} onOpen={() => setOpen(true)} />
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the form, wherever in it focus is
    <div
      className="relative"
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && setOpen(false)}
    >
      <LazySearchForm
        initial={stay}
        hasPlace={hasPlace}
        zone={zone}
        autoFocus
        onFocus={onFocus}
        onSearch={(form) => {
          setOpen(false)
          onSearch(form)
        }}
      />
      <button type="button" className="link mt-1 min-h-8 text-sm" onClick={() => setOpen(false)}>
        {t('keep_search')}
      </button>
    </div>
  )
}

type LineProps = {
  ref: React.RefObject<HTMLButtonElement | null>
  stay: StayForm
  hasPlace: boolean
  onOpen(): void
}

function SummaryLine({ ref, stay, hasPlace, onOpen }: LineProps) {
  const { t, day } = useI18n()
  const { adults, children } = countGuests(stay.rooms)
  const party = [
    t('rooms', { n: stay.rooms.length }),
    t('adults', { n: adults }),
    ...(children === 0 ? [] : [t('children', { n: children })]),
  ]
  return (
    <button
      ref={ref}
      type="button"
      className="card flex min-h-12 w-full flex-wrap items-center gap-x-5 px-4 py-1.5 text-left text-sm"
      onClick={onOpen}
      onPointerEnter={preloadSearchForm}
      onFocus={preloadSearchForm}
    >
      {hasPlace && (
        <span className="flex min-w-0 items-center gap-2 font-semibold">
          <Icon name="search" className="size-4 text-accent" />
          <span className="truncate">{stay.place.split(', ')[0]}</span>
        </span>
      )}
      <span className="flex items-center gap-2">
        <Icon name="calendar" className="size-4 text-muted max-sm:hidden" />
        {day(stay.checkIn)} – {day(stay.checkOut)}
        <span className="text-muted max-xs:hidden">
          {t('nights', { n: nightsBetween(stay.checkIn, stay.checkOut) })}
        </span>
      </span>
      <span className="flex items-center gap-2">
        <Icon name="people" className="size-4 text-muted max-sm:hidden" />
        {party.join(', ')}
      </span>
      <span className="link ml-auto">{t(hasPlace ? 'change_search' : 'change_stay')}</span>
    </button>
  )
}
