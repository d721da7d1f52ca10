import { type FormEvent, useRef, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { type Checkout, chargeOf, checkGuests, type FieldFault, type FieldName } from '../state/checkout.ts'
import { vendorName } from './marks.tsx'
import { Notice } from './notice.tsx'
import { TextField } from './text-field.tsx'

type Props = {
  checkout: Checkout
  isBusy: boolean
  onChange(checkout: Checkout): void
  onSend(checkout: Checkout): void
}

export function GuestForm({ checkout, isBusy, onChange, onSend }: Props) {
  const { t, money } = useI18n()
  const [faults, setFaults] = useState(new Map<FieldName, FieldFault>())
  const form = useRef<HTMLFormElement>(null)
  const errorOf = (name: FieldName) => {
    const fault = faults.get(name)
    return fault === undefined ? undefined : t(`field_${fault}`)
  }
  const { guests, contact, room } = checkout
  const charge = chargeOf(room)
  const setGuest = (place: number, change: Partial<(typeof guests)[number]>) =>
    onChange({ ...checkout, guests: guests.map((guest, i) => (i === place ? { ...guest, ...change } : guest)) })
  const setContact = (change: Partial<typeof contact>) => onChange({ ...checkout, contact: { ...contact, ...change } })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = checkGuests(guests, contact)
    setFaults(found)
    const [first] = found.keys()
    if (first === undefined) onSend(checkout)
    else form.current?.querySelector<HTMLElement>(`[id="${first}"]`)?.focus()
  }

  return (
    <form ref={form} className="flex flex-col gap-6" onSubmit={submit} noValidate>
      <fieldset className="card p-5 sm:p-6" disabled={isBusy}>
        <legend className="contents">
          <span className="font-serif text-xl font-semibold">{t('lead_guests')}</span>
        </legend>
        <p className="mb-4 text-sm text-muted">{t('lead_guest_words')}</p>
        {guests.map((guest, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a room has no identity but its place
          <div key={place} className="mb-4 last:mb-0">
            {guests.length > 1 && (
              <p className="mb-2 text-sm font-semibold">
                {t('lead_guest_room', { n: place + 1, party: partyWords(checkout.rooms[place], t) })}
              </p>
            )}
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                id={`given-${place}`}
                label={t('given_name')}
                value={guest.given}
                onValue={(given) => setGuest(place, { given })}
                error={errorOf(`given-${place}`)}
                autoComplete={place === 0 ? 'given-name' : `section-room${place + 1} given-name`}
              />
              <TextField
                id={`family-${place}`}
                label={t('family_name')}
                value={guest.family}
                onValue={(family) => setGuest(place, { family })}
                error={errorOf(`family-${place}`)}
                autoComplete={place === 0 ? 'family-name' : `section-room${place + 1} family-name`}
              />
            </div>
          </div>
        ))}
      </fieldset>
      <fieldset className="card p-5 sm:p-6" disabled={isBusy}>
        <legend className="contents">
          <span className="font-serif text-xl font-semibold">{t('contact_title')}</span>
        </legend>
        <div className="mt-4 grid gap-4 sm:grid-cols-2">
          <TextField
            id="email"
            type="email"
            label={t('email')}
            value={contact.email}
            onValue={(email) => setContact({ email })}
            error={errorOf('email')}
            autoComplete="email"
            maxLength={254}
          />
          <TextField
            id="phone"
            type="tel"
            label={t('phone')}
            value={contact.phone}
            onValue={(phone) => setContact({ phone })}
            error={errorOf('phone')}
            hint={t('phone_hint')}
            autoComplete="tel"
            maxLength={25}
          />
        </div>
        <div className="mt-4">
          <TextField
            id="requests"
            label={t('requests')}
            value={contact.requests}
            onValue={(requests) => setContact({ requests })}
            error={undefined}
            hint={t('requests_hint')}
            autoComplete="off"
            maxLength={1000}
            lines={3}
          />
        </div>
      </fieldset>
      {faults.size > 0 && (
        <Notice tone="bad" role="alert">
          {t('faults_title', { n: faults.size })}
        </Notice>
      )}
      <div>
        <button
          type="submit"
          className="btn btn-primary min-h-14 w-full text-base sm:w-auto sm:px-10"
          disabled={isBusy}
        >
          {isBusy ? t('booking_under_way') : t('book_now', { price: money(charge.total, charge.currency) })}
        </button>
        <p className="mt-3 max-w-prose text-xs text-muted">
          {t('booking_words', { vendor: vendorName(room.vendor_id) })}
        </p>
      </div>
    </form>
  )
}

type Words = ReturnType<typeof useI18n>['t']

export function partyWords(party: Checkout['rooms'][number] | undefined, t: Words): string {
  if (party === undefined) return ''
  const children = party.children.length
  return [t('adults', { n: party.adults }), ...(children === 0 ? [] : [t('children', { n: children })])].join(', ')
}
