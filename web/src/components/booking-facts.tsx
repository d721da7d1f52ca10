import type { ReactNode } from 'react'
import type { Booking } from '../api/shapes.ts'
import type { MessageKey } from '../i18n/en.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { vendorName } from './badges.tsx'
import { CancelLine, CancelTimeline } from './cancel-terms.tsx'
import { partyText } from './guest-form.tsx'
import { MapFrame } from './map-frame.tsx'
import { NoticeList } from './notices.tsx'
import { PriceLines } from './price-lines.tsx'

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card p-5 sm:p-6">
      <h2 className="mb-3 text-lg">{title}</h2>
      {children}
    </section>
  )
}

export function References({ booking }: { booking: Booking }) {
  const { t } = useI18n()
  const references = [
    [t('our_reference'), booking.reference],
    ...(booking.vendor_reference === null
      ? []
      : [[t('hotel_reference', { vendor: vendorName(booking.vendor_id) }), booking.vendor_reference]]),
    ...(booking.confirmation.property === null ? [] : [[t('property_number'), booking.confirmation.property]]),
  ]
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3">
      {references.map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="font-mono text-lg font-semibold select-all">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function StayBlock({ booking }: { booking: Booking }) {
  const { t, longDay } = useI18n()
  const { property, room } = booking
  return (
    <Block title={t('booking_stay')}>
      <dl className="grid grid-cols-2 gap-4 text-sm">
        <div>
          <dt className="text-xs text-muted">{t('check_in')}</dt>
          <dd className="font-semibold">{longDay(booking.check_in)}</dd>
          {property.check_in_time !== '' && (
            <dd className="text-muted">{t('check_in_from', { time: property.check_in_time })}</dd>
          )}
        </div>
        <div>
          <dt className="text-xs text-muted">{t('check_out')}</dt>
          <dd className="font-semibold">{longDay(booking.check_out)}</dd>
          {property.check_out_time !== '' && (
            <dd className="text-muted">{t('check_out_until', { time: property.check_out_time })}</dd>
          )}
        </div>
        <div className="col-span-2">
          <dt className="text-xs text-muted">{t('rooms', { n: booking.occupancies.length })}</dt>
          <dd className="font-semibold">{room.name}</dd>
          <dd className="text-muted">{[t(`board_${room.board}`), ...room.beds].join(' · ')}</dd>
          {booking.rooms.some(({ status }) => status !== booking.status) &&
            booking.rooms.map(({ number, status }) => (
              <dd key={number}>
                {t('room_number', { n: number })}: {t(`status_${status}`)}
              </dd>
            ))}
        </div>
        <div className="col-span-2">
          <dt className="text-xs text-muted">{t('booking_guests')}</dt>
          {booking.guests.map((guest, place) => {
            const party = booking.occupancies[place]
            const text = partyText(party && { adults: party.adults, children: party.children_ages }, t)
            return (
              <dd
                key={`${guest.given_name}${guest.family_name}${booking.occupancies.indexOf(party ?? booking.occupancies[0] ?? { adults: 0, children_ages: [] })}`}
              >
                {guest.given_name} {guest.family_name} <span className="text-muted">{text}</span>
              </dd>
            )
          })}
          {booking.special_requests !== '' && <dd className="mt-1 text-muted">“{booking.special_requests}”</dd>}
        </div>
      </dl>
    </Block>
  )
}

export function PropertyBlock({ booking }: { booking: Booking }) {
  const { t } = useI18n()
  const { property } = booking
  return (
    <Block title={t('booking_property')}>
      <p className="text-sm font-semibold">{property.name}</p>
      <p className="text-sm text-muted">{property.address}</p>
      {property.phone !== '' && (
        <p className="text-sm">
          <a className="link" href={`tel:${property.phone}`}>
            {property.phone}
          </a>
        </p>
      )}
      <div className="no-print mt-4 h-52 overflow-hidden rounded-md border border-line">
        <MapFrame properties={[]} centre={property.location} marked={undefined} hrefOf={() => ''} />
      </div>
    </Block>
  )
}

export function PriceBlock({ booking }: { booking: Booking }) {
  const { t } = useI18n()
  return (
    <Block title={t('price_title')}>
      <PriceLines
        total={booking.total_price}
        taxesFees={booking.taxes_fees}
        dueAtProperty={booking.due_at_property}
        fees={booking.fees}
        currency={booking.currency}
        nights={booking.nights}
        rooms={booking.occupancies.length}
      />
    </Block>
  )
}

export function TermsBlock({ booking }: { booking: Booking }) {
  const { t } = useI18n()
  return (
    <Block title={t('cancellation')}>
      <CancelLine policy={booking.cancel_policy} charged={booking.total_price - booking.due_at_property} />
      <div className="mt-4">
        <CancelTimeline policy={booking.cancel_policy} total={booking.total_price} />
      </div>
    </Block>
  )
}

/** What the vendor wants the guest to know, from before the booking and with it. */
export function NoticesBlock({ booking }: { booking: Booking }) {
  const { t } = useI18n()
  const shown = booking.notices.filter(({ kind }) => kind !== 'vendor_terms')
  if (shown.length === 0) return null
  return (
    <Block title={t('notices_title')}>
      <NoticeList notices={shown} />
    </Block>
  )
}

/** Events that change no state. */
const EVENT_NAMES: ReadonlyMap<string, MessageKey> = new Map([
  ['booking.confirmation_number', 'event_confirmation_number'],
  ['booking.discrepancy', 'event_discrepancy'],
  ['booking.amended', 'event_amended'],
])

export function HistoryBlock({ booking }: { booking: Booking }) {
  const { t, has, moment } = useI18n()
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (booking.events === undefined || booking.events.length === 0) return null
  return (
    <Block title={t('booking_history')}>
      <ol className="relative flex flex-col gap-3 border-l-2 border-line pl-5 text-sm">
        {booking.events.map((event) => {
          const key = EVENT_NAMES.get(event.type) ?? `status_${event.to}`
          return (
            <li
              key={event.sequence}
              className="relative before:absolute before:top-2 before:-left-[1.56rem] before:size-2 before:rounded-full before:bg-accent"
            >
              <span className="font-semibold">{has(key) ? t(key) : event.to}</span>
              <span className="block text-xs text-muted">
                {moment(event.at, zone)}
                {event.reason !== null && event.reason !== event.to && ` · ${event.reason}`}
              </span>
            </li>
          )
        })}
      </ol>
    </Block>
  )
}
