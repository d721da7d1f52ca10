import { getLocalTimeZone } from '@internationalized/date'
import { type FormEvent, useState } from 'react'
import { findPlaces } from '../api/operations.ts'
import { SignInDeclined } from '../api/problem.ts'
import type { Place } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { usePreferences } from '../state/preferences.ts'
import { agesAreKnown, type StayForm } from '../state/stay-form.ts'
import { checkDates, type Dates, DatesField } from './dates-field.tsx'
import { DestinationField } from './destination-field.tsx'
import { Icon } from './icon.tsx'
import { useProblemText } from './notice.tsx'
import { PartyField } from './party-field.tsx'

type Faults = { place?: string; dates?: string; rooms?: string }
export type SearchFormProps = { initial: Omit<StayForm, 'currency'>; onSearch(form: StayForm): void }

/** If a name was typed but no suggestion chosen, the first matching place is used. */
export function SearchForm({ initial, onSearch }: SearchFormProps) {
  const { t } = useI18n()
  const { currency } = usePreferences()
  const problemText = useProblemText()
  const [text, setText] = useState(initial.place)
  const [place, setPlace] = useState<{ id: string; name: string; zone?: string } | undefined>(
    initial.placeId === '' ? undefined : { id: initial.placeId, name: initial.place },
  )
  const [dates, setDates] = useState<Dates>({ checkIn: initial.checkIn, checkOut: initial.checkOut })
  const [rooms, setRooms] = useState(initial.rooms)
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const chosen = place !== undefined && place.name === text ? place : undefined
  const zone = chosen?.zone ?? getLocalTimeZone()

  async function submit(event: FormEvent) {
    event.preventDefault()
    const found = faultsOf({ text, dates, zone, rooms }, t)
    setFaults(found)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      const target = chosen ?? (await lookUp(text))
      if (target === undefined) setFaults({ place: t('where_unknown', { name: text.trim() }) })
      else onSearch({ placeId: target.id, place: target.name, ...dates, rooms, currency })
    } catch (error) {
      if (!(error instanceof SignInDeclined)) setFaults({ place: problemText(error) })
    } finally {
      setBusy(false)
    }
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not known to older assistive software
    <form role="search" className="search-bar" onSubmit={submit} noValidate>
      <DestinationField
        text={text}
        onText={setText}
        onPlace={({ id, name, timezone }) => {
          setPlace({ id, name, zone: timezone })
          setText(name)
        }}
        error={faults.place}
      />
      <DatesField dates={dates} onDates={setDates} zone={zone} error={faults.dates} />
      <PartyField rooms={rooms} onRooms={setRooms} error={faults.rooms} />
      <SubmitButton disabled={busy} />
    </form>
  )
}

function SubmitButton({ disabled }: { disabled: boolean }) {
  const { t } = useI18n()
  return (
    <button type="submit" className="btn btn-primary min-h-14 text-base lg:m-2 lg:rounded-sm lg:px-7" {...{ disabled }}>
      <Icon name="search" />
      {t('search')}
    </button>
  )
}

type Entries = { text: string; dates: Dates; zone: string; rooms: StayForm['rooms'] }

function faultsOf({ text, dates, zone, rooms }: Entries, t: ReturnType<typeof useI18n>['t']): Faults {
  const datesFault = checkDates(dates, zone)
  return {
    ...(text.trim() === '' ? { place: t('where_missing') } : {}),
    ...(datesFault === undefined ? {} : { dates: t(datesFault) }),
    ...(agesAreKnown(rooms) ? {} : { rooms: t('age_missing') }),
  }
}

async function lookUp(text: string): Promise<Place | undefined> {
  const [first] = await findPlaces(text.trim())
  return first
}
