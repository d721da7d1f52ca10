import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { findPlaces } from '../api/operations.ts'
import { SignInDeclined } from '../api/problem.ts'
import type { Place } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { useSession } from '../session/session.ts'
import { useFault } from '../ui/form.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { LiveRegion } from '../ui/live-region.tsx'
import { useProblemText } from '../ui/notice.tsx'

const MIN_LETTERS = 3
/** Two of these can be a whole name: 東京, パリ, 서울. */
const WHOLE_SYLLABLE =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Katakana}\p{Script_Extensions=Hiragana}\p{Script=Hangul}]/u
const countLetters = (text: string) => [...text].reduce((sum, letter) => sum + (WHOLE_SYLLABLE.test(letter) ? 2 : 1), 0)
const NO_PLACES: readonly Place[] = []

type Props = {
  text: string
  onText(text: string): void
  onPlace(place: Place): void
  autoFocus: boolean
}

/** True if one text is a prefix of the other. */
const isPrefixOfOther = (typed: string, before = ''): boolean =>
  typed.toLowerCase().startsWith(before) || before.startsWith(typed.toLowerCase())

/** Suggestions for the typed text, and a hint while there are none. */
function useSuggestions(text: string) {
  const { t } = useI18n()
  const { canSearch } = useSession()
  const wanted = useDeferredValue(text.trim())
  const isLong = countLetters(wanted.normalize('NFC')) >= MIN_LETTERS
  const problemText = useProblemText()
  const {
    data = NO_PLACES,
    isFetching,
    error,
  } = useQuery({
    queryKey: ['places', wanted.toLowerCase()],
    queryFn: ({ signal }) => findPlaces(wanted, signal),
    enabled: canSearch && isLong,
    // Keeps the last places while the name is being typed; those of another name would be misleading.
    placeholderData: (places, query) => (isPrefixOfOther(wanted, query?.queryKey[1]) ? places : undefined),
    staleTime: 600_000,
  })
  const hint = () => {
    if (!canSearch) return t('where_signed_out')
    if (!isLong) return t('where_more_letters')
    if (isFetching) return t('loading')
    if (error instanceof SignInDeclined) return t('where_signed_out')
    return error === null ? t('where_none') : problemText(error)
  }
  return { places: isLong ? data : NO_PLACES, hint: hint() }
}

/**
 * A combobox per the ARIA Authoring Practices; focus stays in the field. React Aria's version hides the rest of the
 * page while its list is open, which the accessibility tests report.
 */
export function DestinationField({ text, onText, onPlace, autoFocus }: Props) {
  const { t } = useI18n()
  const { error, clear } = useFault('place')
  const [isOpen, setOpen] = useState(false)
  // By id, so that later suggestions do not change the highlighted one.
  const [marked, setMarked] = useState<string>()
  const id = useId()
  const { places, hint } = useSuggestions(text)
  const active = places.findIndex((place) => place.id === marked)

  const choose = (place: Place | undefined) => {
    setOpen(false)
    setMarked(undefined)
    if (place !== undefined) onPlace(place)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveSelection(event.key, isOpen ? active : -1, places.length)
    if (next !== undefined && places.length > 0 && (isOpen || event.key.startsWith('Arrow'))) {
      event.preventDefault()
      setOpen(true)
      setMarked(places[next]?.id)
    } else if (event.key === 'Enter' && isOpen && active >= 0) {
      event.preventDefault()
      choose(places[active])
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      choose(undefined)
    }
  }
  const onInput = (value: string) => {
    clear()
    onText(value)
    setOpen(value.trim() !== '')
    setMarked(undefined)
  }

  return (
    <div className="segment">
      <label className="segment-label" htmlFor={`${id}-input`}>
        <Icon name="pin" className="size-4" />
        {t('where')}
      </label>
      <PlaceInput
        {...{ id, text, error, isOpen, active, onInput, onKeyDown, autoFocus }}
        onClose={() => setOpen(false)}
      />
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
      <LiveRegion text={isOpen ? (places.length > 0 ? t('where_count', { n: places.length }) : hint) : ''} />
      <PlaceList {...{ id, places, hint, isOpen, active }} onPoint={setMarked} onChoose={choose} />
    </div>
  )
}

type InputProps = {
  id: string
  text: string
  error: string | undefined
  isOpen: boolean
  active: number
  autoFocus: boolean
  onInput(text: string): void
  onKeyDown(event: KeyboardEvent): void
  onClose(): void
}

function PlaceInput({ id, text, error, isOpen, active, autoFocus, onInput, onKeyDown, onClose }: InputProps) {
  const { t } = useI18n()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (autoFocus) input.current?.focus()
  }, [autoFocus])
  return (
    <input
      ref={input}
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
      onChange={(event) => onInput(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={onClose}
      onKeyDown={onKeyDown}
    />
  )
}

type ListProps = {
  id: string
  places: readonly Place[]
  hint: string
  isOpen: boolean
  active: number
  onPoint(placeId: string): void
  onChoose(place: Place): void
}

function PlaceList({ id, places, hint, isOpen, active, onPoint, onChoose }: ListProps) {
  const { t } = useI18n()
  return (
    <div
      className={`absolute top-full left-0 z-40 mt-1 w-full min-w-[min(18rem,100vw-2rem)] overflow-hidden rounded-md border border-line bg-surface shadow-lift ${isOpen ? '' : 'hidden'}`}
    >
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t('where_suggestions')}
        className={places.length > 0 ? 'p-1.5' : ''}
      >
        {places.map((place, index) => (
          <PlaceOption
            key={place.id}
            id={`${id}-${index}`}
            place={place}
            isActive={index === active}
            onPoint={() => onPoint(place.id)}
            onChoose={() => onChoose(place)}
          />
        ))}
      </div>
      {places.length === 0 && <p className="px-4 py-3 text-sm text-muted">{hint}</p>}
    </div>
  )
}

/** Index after a key press, wrapping at both ends; undefined for other keys. */
function moveSelection(key: string, active: number, count: number): number | undefined {
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
  property: 'bed',
}

type OptionProps = { id: string; place: Place; isActive: boolean; onPoint(): void; onChoose(): void }

function PlaceOption({ id, place, isActive, onPoint, onChoose }: OptionProps) {
  const { t } = useI18n()
  const [name, ...context] = place.name.split(', ')
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, which points at the option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field listens to the keys
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={`flex min-h-12 cursor-pointer items-center gap-3 rounded-sm px-3 py-1.5 ${isActive ? 'bg-accent-wash' : ''}`}
      onPointerMove={onPoint}
      // Keeps focus in the field until the click is handled.
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
