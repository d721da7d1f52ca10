import { getLocalTimeZone } from '@internationalized/date'
import { useState } from 'react'
import { findPlaces } from '../api/operations.ts'
import { SignInDeclined } from '../api/problem.ts'
import type { Place } from '../api/shapes.ts'
import { useIsMounted } from '../browser/use-is-mounted.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { useProblemText } from '../ui/notice.tsx'
import { useCurrency } from './currency.ts'
import { checkDates, type Dates, DatesField } from './dates-field.tsx'
import { DestinationField } from './destination-field.tsx'
import { PartyField } from './party-field.tsx'
import { isPointType } from './point-type.ts'
import { hasAllAges, type StayForm } from './stay-form.ts'

export type SearchFormProps = {
  initial: Omit<StayForm, 'currency'>
  onSearch(form: StayForm): void
  /** False on a property page, where only dates and guests can be changed. */
  hasPlace?: boolean
  /** Time zone of the destination, if known. */
  zone?: string | undefined
  autoFocus?: boolean
  /** Called when a field gets focus. */
  onFocus?: (() => void) | undefined
}

type Chosen = {
  readonly id: string
  readonly name: string
  readonly shown: string
  readonly isPoint?: boolean | undefined
  readonly zone?: string
  /** Of a property that was chosen as the destination. */
  readonly property_id?: string | undefined
}

/** Uses the first matching place if a name was typed without choosing a suggestion. */
function useSearchForm({ initial, onSearch, hasPlace = true, zone: known }: SearchFormProps) {
  const { t } = useI18n()
  const currency = useCurrency()
  const problemText = useProblemText()
  const [text, setText] = useState(initial.place)
  const [place, setPlace] = useState<Chosen | undefined>(
    initial.placeId === ''
      ? undefined
      : { id: initial.placeId, name: initial.place, shown: text, isPoint: initial.isPoint },
  )
  const [dates, setDates] = useState<Dates>({ checkIn: initial.checkIn, checkOut: initial.checkOut })
  const [rooms, setRooms] = useState(initial.rooms)
  const [busy, setBusy] = useState(false)
  const isMounted = useIsMounted()
  const chosen = place !== undefined && place.shown === text ? place : undefined
  const zone = chosen?.zone ?? known ?? getLocalTimeZone()
  const choose = (found: Place) => {
    setPlace(toChosen(found))
    setText(found.name)
  }

  async function send() {
    const { placeId: idBefore, place: before, isPoint: wasPoint, conditions } = initial
    const stay = { placeId: idBefore, place: before, isPoint: wasPoint, ...dates, rooms, currency, conditions }
    if (!hasPlace) return onSearch(stay)
    setBusy(true)
    try {
      const target = chosen ?? (await findFirstPlace(text))
      if (!isMounted.current) return
      if (target === undefined) form.refuse({ place: t('where_unknown', { name: text.trim() }) })
      else {
        const { name, isPoint, property_id: propertyId } = target
        const placeId = propertyId ?? target.id
        onSearch({ ...stay, placeId, place: name, isPoint, propertyId, area: keepArea(placeId, initial) })
      }
    } catch (error) {
      if (!(error instanceof SignInDeclined)) form.refuse({ place: problemText(error) })
    } finally {
      setBusy(false)
    }
  }
  const check = () => {
    const datesFault = checkDates(dates, zone)
    return {
      place: hasPlace && text.trim() === '' ? t('where_missing') : undefined,
      dates: datesFault && t(datesFault),
      rooms: hasAllAges(rooms) ? undefined : t('age_missing'),
    }
  }
  const form = useForm({ check, send, isBusy: busy })
  return { form, text, setText, choose, dates, setDates, rooms, setRooms, zone, busy }
}

export function SearchForm(props: SearchFormProps) {
  const { t } = useI18n()
  const { hasPlace = true, autoFocus = false } = props
  const { form, text, setText, choose, dates, setDates, rooms, setRooms, zone, busy } = useSearchForm(props)
  return (
    <Form
      form={form}
      role="search"
      className={`search-bar ${hasPlace ? 'search-bar-place' : 'search-bar-stay'}`}
      {...(props.onFocus && { onFocus: props.onFocus })}
    >
      {hasPlace && <DestinationField text={text} onText={setText} onPlace={choose} autoFocus={autoFocus} />}
      <DatesField dates={dates} onDates={setDates} zone={zone} autoFocus={autoFocus && !hasPlace} />
      <PartyField rooms={rooms} onRooms={setRooms} />
      <SubmitButton isBusy={busy} label={hasPlace ? t('search') : t('update_prices')} />
    </Form>
  )
}

function SubmitButton({ isBusy, label }: { isBusy: boolean; label: string }) {
  return (
    <button
      type="submit"
      className="btn btn-primary min-h-14 text-base lg:m-2 lg:rounded-sm lg:px-7"
      aria-disabled={isBusy}
    >
      <Icon name="search" />
      {label}
    </button>
  )
}

/** Keeps the map area while only dates or guests change. */
const keepArea = (placeId: string, initial: SearchFormProps['initial']) =>
  placeId === initial.placeId ? initial.area : undefined

async function findFirstPlace(text: string): Promise<Chosen | undefined> {
  const [first] = await findPlaces(text.trim())
  return first && toChosen(first)
}

const toChosen = ({ id, name, type, timezone, property_id }: Place): Chosen => ({
  ...{ id, name, shown: name, zone: timezone, property_id },
  isPoint: property_id === undefined && isPointType(type),
})
