import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components/ComboBox'
import { findPlaces } from '../api/operations.ts'
import type { Place } from '../api/shapes.ts'
import { type I18n, useI18n } from '../i18n/i18n.tsx'
import { useSession } from '../state/session.ts'
import { Icon, type IconName } from './icon.tsx'

const ICONS: Record<string, IconName> = {
  city: 'city',
  airport: 'airport',
  region: 'region',
  country: 'region',
  neighbourhood: 'pin',
  landmark: 'landmark',
  station: 'station',
}
const LETTERS_MIN = 3

type Props = {
  text: string
  onText(text: string): void
  onPlace(place: Place): void
  error: string | undefined
}

/** Suggests as you type; a name that was only typed is looked up when the form is sent. */
export function DestinationField({ text, onText, onPlace, error }: Props) {
  const { t, ...i18n } = useI18n()
  const { session } = useSession()
  const wanted = useDeferredValue(text.trim())
  const isLong = [...wanted].length >= LETTERS_MIN
  const { data = [] } = useQuery({
    queryKey: ['places', wanted.toLowerCase()],
    queryFn: ({ signal }) => findPlaces(wanted, signal),
    enabled: session !== undefined && isLong,
    placeholderData: keepPreviousData,
    staleTime: 600_000,
  })
  const places = isLong ? data : []
  const hint = session === undefined ? t('where_signed_out') : isLong ? t('where_none') : t('where_more_letters')
  return (
    <ComboBox
      className="segment"
      items={places}
      inputValue={text}
      onInputChange={onText}
      onChange={(id) => {
        const place = places.find((each) => each.id === id)
        if (place !== undefined) onPlace(place)
      }}
      allowsCustomValue
      allowsEmptyCollection
      menuTrigger="input"
      isInvalid={error !== undefined}
    >
      <Label className="segment-label">
        <Icon name="pin" className="size-4" />
        {t('where')}
      </Label>
      <Input className="segment-input" placeholder={t('where_hint')} autoComplete="off" spellCheck="false" />
      <FieldError className="field-error">{error}</FieldError>
      <Popover className="w-(--trigger-width) min-w-72 overflow-auto rounded-md border border-line bg-surface shadow-lift">
        <ListBox<Place>
          aria-label={t('where_suggestions')}
          className="max-h-96 overflow-auto p-1.5 outline-none"
          renderEmptyState={() => <p className="px-3 py-2 text-sm text-muted">{hint}</p>}
        >
          {(place) => <PlaceOption place={place} i18n={{ t, ...i18n }} />}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}

function PlaceOption({ place, i18n: { t, has } }: { place: Place; i18n: I18n }) {
  const [name = place.name, ...context] = place.name.split(', ')
  const type = `type_${place.type}`
  return (
    <ListBoxItem
      id={place.id}
      textValue={place.name}
      className="flex cursor-pointer items-center gap-3 rounded-sm px-3 py-2 outline-none data-focused:bg-accent-wash"
    >
      <Icon name={ICONS[place.type] ?? 'pin'} className="size-5 text-muted" />
      <span className="min-w-0">
        <span className="block truncate font-semibold">{name}</span>
        <span className="block truncate text-xs text-muted">
          {[has(type) ? t(type) : place.type, ...context].join(' · ')}
        </span>
      </span>
    </ListBoxItem>
  )
}
