import type { ReactNode } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { chargeOf, dueNow } from '../offer/charge.ts'
import { VendorTerms } from '../offer/notices.tsx'
import { CARD_FAULT } from '../payment/card-section.tsx'
import { useSession } from '../session/session.ts'
import { usePageConfig } from '../session/use-page-config.ts'
import { formatVendorName } from '../ui/badges.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { TextField } from '../ui/text-field.tsx'
import { type Checkout, checkGuests } from './checkout.ts'

type Props = {
  checkout: Checkout
  /** `unsure`: it is unknown whether the payment or the booking was received; it offers no second button. */
  phase: 'open' | 'paying' | 'sending' | 'unsure'
  /** The card form, if this booking is paid by card. */
  card: ReactNode
  /** True if the card form is needed and cannot be used. */
  lacksCard: boolean
  /** Result of the last attempt, shown next to the button. */
  message: ReactNode
  onChange(checkout: Checkout): void
  onSend(checkout: Checkout): void
}

export function GuestForm({ checkout, phase, card, lacksCard, message, onChange, onSend }: Props) {
  const { t } = useI18n()
  const isBusy = phase !== 'open'
  const form = useForm({
    isBusy,
    check: () => {
      const faults = [...checkGuests(checkout.guests, checkout.contact)]
      const fields = Object.fromEntries(faults.map(([name, fault]) => [name, t(`field_${fault}`)]))
      return lacksCard ? { ...fields, [CARD_FAULT]: t('card_wait') } : fields
    },
    send: () => {
      // Submitting with Enter disables the focused field, which would lose the focus.
      form.ref.current?.querySelector<HTMLElement>('[type="submit"]')?.focus()
      onSend(checkout)
    },
  })
  const faultCount = Object.keys(form.faults).length

  return (
    <Form form={form} className="flex flex-col gap-6">
      <LeadGuests checkout={checkout} isBusy={isBusy} onChange={onChange} />
      <ContactFields checkout={checkout} isBusy={isBusy} onChange={onChange} />
      {card}
      {faultCount > 0 && <Notice tone="bad">{t('faults_title', { n: faultCount })}</Notice>}
      {message}
      <p role="status" className="sr-only">
        {phase === 'sending' && t('booking_under_way')}
        {phase === 'paying' && t('paying_under_way')}
      </p>
      <div>
        {phase !== 'unsure' && (
          <button
            type="submit"
            className="btn btn-primary min-h-14 w-full text-base sm:w-auto sm:px-10"
            aria-disabled={isBusy}
          >
            <ButtonText checkout={checkout} phase={phase} />
          </button>
        )}
        <p className="mt-3 max-w-prose text-xs text-muted">
          <WhoPays checkout={checkout} /> {t('booking_text', { vendor: formatVendorName(checkout.room.vendor_id) })}
        </p>
        <VendorTerms notices={checkout.room.notices} />
      </div>
    </Form>
  )
}

function ButtonText({ checkout: { room, charge }, phase }: Pick<Props, 'checkout' | 'phase'>) {
  const { t, money } = useI18n()
  const { total, currency } = chargeOf(room)
  if (phase === 'paying') return t('paying_under_way')
  if (phase !== 'open') return t('booking_under_way')
  return charge === undefined
    ? t('book_now', { price: money(total, currency) })
    : t('pay_and_book', { price: money(charge.amount, charge.currency) })
}

/** Names who charges the guest, and when. The payer is unknown until the price check returns. */
function WhoPays({ checkout: { room, charge, termsDigest } }: Pick<Props, 'checkout'>) {
  const { t, money } = useI18n()
  const { isCharged } = useSession()
  const { data: config } = usePageConfig()
  const offer = chargeOf(room)
  const { dueAtProperty, currency } = offer
  const namePayer = () => {
    if (charge !== undefined) return t('payment_by_card', { price: money(charge.amount, charge.currency) })
    if (config?.payments != null && termsDigest === undefined) return ''
    if (!isCharged) return t('payment_by_seller')
    return t('payment_on_account', { price: money(dueNow(offer), currency) })
  }
  const there = dueAtProperty > 0 ? t('payment_there', { price: money(dueAtProperty, currency) }) : ''
  return `${namePayer()} ${there}`.trim()
}

type PartProps = {
  checkout: Checkout
  isBusy: boolean
  onChange(checkout: Checkout): void
}

function LeadGuests({ checkout, isBusy, onChange }: PartProps) {
  const { t } = useI18n()
  const { guests, rooms } = checkout
  const setGuest = (index: number, change: Partial<(typeof guests)[number]>) =>
    onChange({ ...checkout, guests: guests.map((guest, i) => (i === index ? { ...guest, ...change } : guest)) })
  return (
    <Section title={t('lead_guests', { n: guests.length })} isBusy={isBusy}>
      <p className="mb-4 text-sm text-muted">{t('lead_guest_text')}</p>
      {guests.map((guest, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rooms have no id
        <div key={index} className="mb-4 last:mb-0">
          {guests.length > 1 && (
            <p className="mb-2 text-sm font-semibold">
              {t('lead_guest_room', { n: index + 1, party: formatParty(rooms[index], t) })}
            </p>
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              id={`given-${index}`}
              label={t('given_name')}
              value={guest.given}
              onValue={(given) => setGuest(index, { given })}
              autoComplete={index === 0 ? 'given-name' : `section-room${index + 1} given-name`}
            />
            <TextField
              id={`family-${index}`}
              label={t('family_name')}
              value={guest.family}
              onValue={(family) => setGuest(index, { family })}
              autoComplete={index === 0 ? 'family-name' : `section-room${index + 1} family-name`}
            />
          </div>
        </div>
      ))}
    </Section>
  )
}

function ContactFields({ checkout, isBusy, onChange }: PartProps) {
  const { t } = useI18n()
  const { contact } = checkout
  const setContact = (change: Partial<typeof contact>) => onChange({ ...checkout, contact: { ...contact, ...change } })
  return (
    <Section title={t('contact_title')} isBusy={isBusy}>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <TextField
          id="email"
          type="email"
          label={t('email')}
          value={contact.email}
          onValue={(email) => setContact({ email })}
          autoComplete="email"
          maxLength={254}
        />
        <TextField
          id="phone"
          type="tel"
          label={t('phone')}
          value={contact.phone}
          onValue={(phone) => setContact({ phone })}
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
          hint={t('requests_hint')}
          autoComplete="off"
          maxLength={1000}
          lines={3}
        />
      </div>
    </Section>
  )
}

function Section({ title, isBusy, children }: { title: string; isBusy: boolean; children: ReactNode }) {
  return (
    <fieldset className="card min-w-0 p-5 sm:p-6" disabled={isBusy}>
      <legend className="contents">
        <span className="font-serif text-xl font-semibold">{title}</span>
      </legend>
      {children}
    </fieldset>
  )
}

type Translate = ReturnType<typeof useI18n>['t']

export function formatParty(party: Checkout['rooms'][number] | undefined, t: Translate): string {
  if (party === undefined) return ''
  const children = party.children.length
  return [t('adults', { n: party.adults }), ...(children === 0 ? [] : [t('children', { n: children })])].join(', ')
}
