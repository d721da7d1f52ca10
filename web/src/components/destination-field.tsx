import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import { findPlaces } from '../api/operations.ts'
import type { Place } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { useSession } from '../state/session.ts'
import { Icon, type IconName } from './icon.tsx'
import { LiveRegion } from './live-region.tsx'

const LETTERS_MIN = 3
/** So that nobody sees "no place" between two letters. */
const NOTHING: readonly Place[] = []

type Props = {
  text: string
  onText(text: string): void
  onPlace(place: Place): void
  error: string | undefined
}

function useSuggestions(text: string) {
  const { session } = useSession()
  const wanted = useDeferredValue(text.trim())
  const isLong = [...wanted].length >= LETTERS_MIN
  const { data = NOTHING, isFetching } = useQuery({
    queryKey: ['places', wanted.toLowerCase()],
    queryFn: ({ signal }) => findPlaces(wanted, signal),
    enabled: session !== undefined && isLong,
    placeholderData: keepPreviousData,
    staleTime: 600_000,
  })
  return { places: isLong ? data : NOTHING, isLong, isFetching, isSignedIn: session !== undefined }
}

/**
 * A combobox after the ARIA Authoring Practices, with focus kept in the field. Hand-made on purpose: react-aria's hides
 * the rest of the page from assistive software while its list is open, which the accessibility rules count as a fault.
 * A name that was only typed is looked up when the form is sent.
 */
export function DestinationField({ text, onText, onPlace, error }: Props) {
  const { t } = useI18n()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const id = useId()
  const { places, isLong, isFetching, isSignedIn } = useSuggestions(text)
  const hint = !isSignedIn
    ? t('where_signed_out')
    : isLong
      ? isFetching
        ? t('loading')
        : t('where_none')
      : t('where_more_letters')

  const choose = (place: Place | undefined) => {
    setOpen(false)
    setActive(-1)
    if (place !== undefined) onPlace(place)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveActive(event.key, isOpen ? active : -1, places.length)
    if (next !== undefined && places.length > 0 && (isOpen || event.key.startsWith('Arrow'))) {
      event.preventDefault()
      setOpen(true)
      setActive(next)
    } else if (event.key === 'Enter' && isOpen && active >= 0) {
      event.preventDefault()
      choose(places[active])
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      choose(undefined)
    }
  }

  return (
    <div className="segment">
      <label className="segment-label" htmlFor={`${id}-input`}>
        <Icon name="pin" className="size-4" />
        {t('where')}
      </label>
      <input
        id={`${id}-input`}
        className="segment-input"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && active >= 0 ? `${id}-${active}` : undefined}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        placeholder={t('where_hint')}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          onText(event.target.value)
          setOpen(event.target.value.trim() !== '')
          setActive(-1)
        }}
        onFocus={(event) => event.target.select()}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
      <LiveRegion words={isOpen ? (places.length > 0 ? t('where_count', { n: places.length }) : hint) : ''} />
      <div
        className={`absolute top-full left-0 z-40 mt-1 w-full min-w-72 overflow-hidden rounded-md border border-line bg-surface shadow-lift ${isOpen ? '' : 'hidden'}`}
      >
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={t('where_suggestions')}
          className={places.length > 0 ? 'p-1.5' : ''}
        >
          {places.map((place, at) => (
            <PlaceOption
              key={place.id}
              id={`${id}-${at}`}
              place={place}
              isActive={at === active}
              onPoint={() => setActive(at)}
              onChoose={() => choose(place)}
            />
          ))}
        </div>
        {places.length === 0 && <p className="px-4 py-3 text-sm text-muted">{hint}</p>}
      </div>
    </div>
  )
}

/** Where a key leads in a list that goes round; undefined for every other key. */
function moveActive(key: string, active: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return active + 1 >= count ? 0 : active + 1
    case 'ArrowUp':
      return active <= 0 ? count - 1 : active - 1
    case 'Home':
      return active < 0 ? undefined : 0
    case 'End':
      return active < 0 ? undefined : count - 1
    default:
      return undefined
  }
}

const ICONS: Record<Place['type'], IconName> = {
  city: 'city',
  airport: 'airport',
  region: 'region',
  country: 'region',
  neighbourhood: 'pin',
  area: 'pin',
  landmark: 'landmark',
  station: 'station',
}

type OptionProps = { id: string; place: Place; isActive: boolean; onPoint(): void; onChoose(): void }

function PlaceOption({ id, place, isActive, onPoint, onChoose }: OptionProps) {
  const { t } = useI18n()
  const [name = place.name, ...context] = place.name.split(', ')
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, which points at the option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field listens to the keys
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={`flex min-h-12 cursor-pointer items-center gap-3 rounded-sm px-3 py-1.5 ${isActive ? 'bg-accent-wash' : ''}`}
      onPointerMove={onPoint}
      // The field must not lose focus before the press has counted.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon name={ICONS[place.type]} className="size-5 text-muted" />
      <span className="min-w-0">
        <span className="block truncate font-semibold">{name}</span>
        <span className="block truncate text-xs text-muted">{[t(`type_${place.type}`), ...context].join(' · ')}</span>
      </span>
    </div>
  )
}
