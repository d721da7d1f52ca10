import type { Room } from '../api/shapes.ts'
import { nameCountry } from '../i18n/format.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Beds } from '../offer/beds.tsx'
import { CancelLine, CancelTimeline } from '../offer/cancel-terms.tsx'
import { chargeOf, dueNow, exactTerms } from '../offer/charge.ts'
import { NoticeList, selectNotices } from '../offer/notices.tsx'
import { Money, useTotalText } from '../offer/price.tsx'
import { PriceLines } from '../offer/price-lines.tsx'
import { TextFees } from '../offer/text-fees-note.tsx'
import { RoomName } from '../offer/vendor-text.tsx'
import { countGuests } from '../search/stay-form.ts'
import { useSession } from '../session/session.ts'
import { SimulatedTag, Stars } from '../ui/badges.tsx'
import { Notice } from '../ui/notice.tsx'
import { Picture } from '../ui/picture.tsx'
import type { Checkout } from './checkout.ts'
import { formatParty } from './guest-form.tsx'

/** Stay and total in three lines, above the form on narrow screens, where the summary follows the form. */
export function StayBrief({ checkout: { property, room, rooms, nights, checkIn, checkOut } }: { checkout: Checkout }) {
  const { t, day } = useI18n()
  const { adults, children } = countGuests(rooms)
  const { currency, total, dueAtProperty } = chargeOf(room)
  return (
    <section className="card p-4 text-sm" aria-label={t('booking_stay')}>
      <p className="font-semibold">{property.name}</p>
      <p className="text-muted">
        {day(checkIn)} – {day(checkOut)} · {room.room_type_name}
      </p>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <Money amount={total} currency={currency} className="font-serif text-lg font-semibold" />
        <span className="text-xs text-muted">{useTotalText(nights, rooms.length)}</span>
      </p>
      <TextFees
        isBrief
        notices={room.notices}
        stay={{ nights, rooms: rooms.length, guests: adults + children }}
        hasPricedFees={dueAtProperty > 0}
        className="text-xs"
      />
      <a className="link mt-1 inline-flex min-h-6 items-center max-sm:min-h-11" href="#stay">
        {t('checkout_details')}
      </a>
    </section>
  )
}

/** Summary of the booking; on wide screens it stays in view next to the form. */
export function StaySummary({ checkout }: { checkout: Checkout }) {
  const { t, language } = useI18n()
  const { isCharged } = useSession()
  const { property, room, rooms, nights } = checkout
  const charge = chargeOf(room)
  const { adults, children } = countGuests(rooms)
  const parties = rooms.map((party) => formatParty(party, t))
  const policy = exactTerms(room)
  const shown = room.converted_from === null ? {} : { shown: { currency: room.currency, total: room.total_inclusive } }
  return (
    <aside id="stay" className="card scroll-mt-4 overflow-hidden lg:sticky lg:top-6" aria-label={t('booking_stay')}>
      <Picture src={property.image} alt="" className="h-36 w-full max-lg:hidden" eager />
      <div className="flex flex-col gap-5 p-5">
        <div>
          <span className="flex flex-wrap gap-2">
            <Stars value={property.stars} />
            {checkout.simulated && <SimulatedTag />}
          </span>
          <h2 className="text-xl">{property.name}</h2>
          <p className="text-sm text-muted">{nameCountry(property.address, language)}</p>
        </div>
        <StayDates checkout={checkout} />
        <div className="border-t border-line pt-4 text-sm">
          <p>
            <RoomName room={room} />
          </p>
          <p className="text-muted">{t(`board_${room.board}`)}</p>
          <p className="text-muted">
            <Beds room={room} parties={parties} />
          </p>
          {room.each_room === undefined && <p className="text-muted">{parties.join(' + ')}</p>}
        </div>
        <div className="border-t border-line pt-4">
          <PriceFell checkout={checkout} />
          <PriceLines
            charge={charge}
            nights={nights}
            rooms={rooms.length}
            guests={adults + children}
            notices={room.notices}
            isCharged={isCharged}
            {...shown}
          />
        </div>
        <div className="border-t border-line pt-4">
          <CancelLine policy={policy} charged={dueNow(charge)} />
          {policy.penalties.length > 0 && (
            <div className="mt-3">
              <CancelTimeline policy={policy} charged={dueNow(charge)} />
            </div>
          )}
        </div>
        <Notices room={room} />
      </div>
    </aside>
  )
}

/** A lower price is shown but does not need to be accepted. */
function PriceFell({ checkout: { chosen, room } }: { checkout: Checkout }) {
  const { t, money } = useI18n()
  const { currency, total } = chargeOf(room)
  if (chosen === undefined || chosen.currency !== currency || total >= chosen.total) return null
  return (
    <div className="mb-3">
      <Notice tone="good" role="status">
        {t('price_fell', { old: money(chosen.total, currency), now: money(total, currency) })}
      </Notice>
    </div>
  )
}

/** Notices that the vendor requires before booking, in its own words. */
function Notices({ room }: { room: Room }) {
  const { t } = useI18n()
  const shown = selectNotices(room.notices, 'checkout')
  if (shown.length === 0) return null
  return (
    <section className="border-t border-line pt-4" aria-label={t('notices_title')}>
      <h3 className="mb-2 text-sm font-semibold">{t('notices_title')}</h3>
      <NoticeList notices={shown} />
    </section>
  )
}

function StayDates({ checkout: { checkIn, checkOut, property } }: { checkout: Checkout }) {
  const { t, longDay } = useI18n()
  return (
    <dl className="grid grid-cols-2 gap-3 text-sm">
      <div>
        <dt className="text-xs text-muted">{t('check_in')}</dt>
        <dd className="font-semibold text-balance">{longDay(checkIn)}</dd>
        {property.checkInTime !== '' && (
          <dd className="text-xs text-muted">{t('check_in_from', { time: property.checkInTime })}</dd>
        )}
      </div>
      <div>
        <dt className="text-xs text-muted">{t('check_out')}</dt>
        <dd className="font-semibold text-balance">{longDay(checkOut)}</dd>
        {property.checkOutTime !== '' && (
          <dd className="text-xs text-muted">{t('check_out_until', { time: property.checkOutTime })}</dd>
        )}
      </div>
    </dl>
  )
}
