import type { ReactNode } from 'react'
import type { Booking } from '../api/shapes.ts'
import { formatParty } from '../checkout/guest-form.tsx'
import type { MessageKey } from '../i18n/en.ts'
import { nameCountry } from '../i18n/format.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { DirectionsLink } from '../map/directions-link.tsx'
import { MapFrame } from '../map/map-frame.tsx'
import { nameBeds } from '../offer/beds.tsx'
import { CancelLine, CancelTimeline } from '../offer/cancel-terms.tsx'
import { bookedCharge, dueNow } from '../offer/charge.ts'
import { NoticeList } from '../offer/notices.tsx'
import { PriceLines } from '../offer/price-lines.tsx'
import { RoomName } from '../offer/vendor-text.tsx'
import { useSession } from '../session/session.ts'
import { formatVendorName } from '../ui/badges.tsx'
import { StatusTag } from './booking-status.tsx'
import { describeReason, mergeQuickEvents } from './history-reason.ts'
import { RefundWay } from './refund-way.tsx'

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
      : [[t('hotel_reference', { vendor: formatVendorName(booking.vendor_id) }), booking.vendor_reference]]),
    ...(booking.confirmation.property === null ? [] : [[t('property_number'), booking.confirmation.property]]),
  ]
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3">
      {references.map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="font-mono font-semibold break-all select-all sm:text-lg">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function StayBlock({ booking }: { booking: Booking }) {
  const i18n = useI18n()
  const { t, longDay } = i18n
  const { property, room } = booking
  return (
    <Block title={t('booking_stay')}>
      <dl className="grid grid-cols-2 gap-4 text-sm">
        <div>
          <dt className="text-xs text-muted">{t('check_in')}</dt>
          <dd className="font-semibold text-balance">{longDay(booking.check_in)}</dd>
          {property.check_in_time !== '' && (
            <dd className="text-muted">{t('check_in_from', { time: property.check_in_time })}</dd>
          )}
        </div>
        <div>
          <dt className="text-xs text-muted">{t('check_out')}</dt>
          <dd className="font-semibold text-balance">{longDay(booking.check_out)}</dd>
          {property.check_out_time !== '' && (
            <dd className="text-muted">{t('check_out_until', { time: property.check_out_time })}</dd>
          )}
        </div>
        <div className="col-span-2">
          <dt className="text-xs text-muted">{t('rooms', { n: booking.occupancies.length })}</dt>
          <dd>
            <RoomName room={room} />
          </dd>
          <dd className="text-muted">
            {t(`board_${room.board}`)}
            {room.each_room === undefined && nameBeds(room, i18n).map((beds) => ` · ${beds}`)}
          </dd>
        </div>
        <div className="col-span-2">
          <dt className="text-xs text-muted">{t('booking_guests')}</dt>
          {booking.occupancies.map((party, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rooms have no id
            <dd key={place}>
              <RoomLine booking={booking} place={place} party={party} />
            </dd>
          ))}
          {booking.special_requests !== '' && (
            <dd className="mt-1 text-muted">
              “<bdi>{booking.special_requests}</bdi>”
            </dd>
          )}
        </div>
      </dl>
    </Block>
  )
}

type RoomLineProps = { booking: Booking; place: number; party: Booking['occupancies'][number] }

/** Guests of one room, and its status if the vendor has cancelled only some of the rooms. */
function RoomLine({ booking, place, party }: RoomLineProps) {
  const i18n = useI18n()
  const { t } = i18n
  const kind = booking.room.each_room?.[place]
  const guest = booking.guests[place]
  const status = booking.rooms[place]?.status
  const isPartly = booking.rooms.some((room) => room.status !== booking.status)
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {booking.occupancies.length > 1 && <span className="text-muted">{t('room_number', { n: place + 1 })}:</span>}
      {guest !== undefined && (
        <span>
          {guest.given_name} {guest.family_name}
        </span>
      )}
      <span className="text-muted">{formatParty({ adults: party.adults, children: party.children_ages }, t)}</span>
      {kind && <span className="text-muted">{[kind.name, ...nameBeds(kind, i18n)].filter(Boolean).join(' · ')}</span>}
      {isPartly && status !== undefined && <StatusTag status={status} />}
    </span>
  )
}

export function PropertyBlock({ booking }: { booking: Booking }) {
  const { t, language } = useI18n()
  const { property } = booking
  return (
    <Block title={t('booking_property')}>
      <p className="text-sm font-semibold">{property.name}</p>
      <p className="text-sm text-muted">{nameCountry(property.address, language)}</p>
      {property.phone !== '' && (
        <p className="text-sm">
          <a className="link" href={`tel:${property.phone}`}>
            {property.phone}
          </a>
        </p>
      )}
      <div className="no-print mt-4 h-52 overflow-hidden rounded-md border border-line has-data-map-failed:h-auto">
        <MapFrame properties={[]} centre={property.location} marked={undefined} linkTo={() => ''} />
      </div>
      <div className="no-print mt-2">
        <DirectionsLink {...property.location} />
      </div>
    </Block>
  )
}

export function PriceBlock({ booking }: { booking: Booking }) {
  const { t } = useI18n()
  const { isCharged } = useSession()
  return (
    <Block title={t('price_title')}>
      <PriceLines
        charge={bookedCharge(booking)}
        nights={booking.nights}
        rooms={booking.occupancies.length}
        guests={booking.occupancies.reduce((sum, party) => sum + party.adults + party.children_ages.length, 0)}
        notices={booking.notices}
        isCharged={isCharged || booking.payment !== undefined}
      />
    </Block>
  )
}

export function TermsBlock({ booking }: { booking: Booking }) {
  const { t, money } = useI18n()
  const { status, cancellation } = booking
  if (status === 'rejected') return null
  if (status === 'cancelled' || status === 'cancelling') {
    if (cancellation === null) return null
    const { penalty, refund, currency } = cancellation
    return (
      <Block title={t('cancellation')}>
        <p className="text-sm">
          {t('cancelled_text', { penalty: money(penalty, currency), refund: money(refund, currency) })}{' '}
          {refund > 0 && <RefundWay booking={booking} />}
        </p>
      </Block>
    )
  }
  const terms = { policy: booking.cancel_policy, charged: dueNow(bookedCharge(booking)) }
  return (
    <Block title={t('cancellation')}>
      <CancelLine {...terms} />
      <div className="mt-4">
        <CancelTimeline {...terms} />
      </div>
    </Block>
  )
}

/** Notices of the vendor, from before and after the booking. */
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

/** Events that do not change the status. */
const EVENT_NAMES: ReadonlyMap<string, MessageKey> = new Map([
  ['booking.confirmation_number', 'event_confirmation_number'],
  ['booking.discrepancy', 'event_discrepancy'],
  ['booking.amended', 'event_amended'],
  ['booking.payment_captured', 'event_payment_captured'],
  ['booking.payment_refunded', 'event_payment_refunded'],
  ['booking.payment_failed', 'event_payment_failed'],
  ['booking.payment_needs_review', 'event_payment_needs_review'],
  ['booking.payment_disputed', 'event_payment_disputed'],
])

export function HistoryBlock({ booking }: { booking: Booking }) {
  const { t, moment } = useI18n()
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (booking.events === undefined || booking.events.length === 0) return null
  return (
    <Block title={t('booking_history')}>
      <ol className="relative flex flex-col gap-3 border-l-2 border-line pl-5 text-sm">
        {mergeQuickEvents(booking.events, (at) => moment(at, zone)).map((event) => {
          const key = EVENT_NAMES.get(event.type) ?? (`status_${event.to}` as const)
          const reason = describeReason(event)
          return (
            <li
              key={event.sequence}
              className="relative before:absolute before:top-2 before:-left-[1.56rem] before:size-2 before:rounded-full before:bg-accent"
            >
              <span className="font-semibold">{t(key)}</span>
              <span className="block text-xs text-muted">
                {moment(event.at, zone)}
                {reason !== undefined && ` · ${t(reason.key, reason.values)}`}
              </span>
            </li>
          )
        })}
      </ol>
    </Block>
  )
}
