import { useI18n } from '../i18n/i18n.tsx'
import type { Checkout } from '../state/checkout.ts'
import { CancelLine, CancelTimeline } from './cancel-terms.tsx'
import { partyWords } from './guest-form.tsx'
import { Stars } from './marks.tsx'
import { Picture } from './picture.tsx'
import { PriceLines } from './price-lines.tsx'

/** What is about to be booked, beside the form and always in view on a desk. */
export function StaySummary({ checkout }: { checkout: Checkout }) {
  const { t, longDay } = useI18n()
  const { property, room, rooms, nights } = checkout
  return (
    <aside className="card overflow-hidden lg:sticky lg:top-6" aria-label={t('booking_stay')}>
      <Picture src={property.image} alt="" className="h-36 w-full max-lg:hidden" eager />
      <div className="flex flex-col gap-5 p-5">
        <div>
          <Stars value={property.stars} />
          <h2 className="text-xl">{property.name}</h2>
          <p className="text-sm text-muted">{property.address}</p>
        </div>
        <dl className="grid grid-cols-2 gap-3 text-sm">
          <div>
            <dt className="text-xs text-muted">{t('check_in')}</dt>
            <dd className="font-semibold">{longDay(checkout.checkIn)}</dd>
            {property.checkInTime !== '' && (
              <dd className="text-xs text-muted">{t('check_in_from', { time: property.checkInTime })}</dd>
            )}
          </div>
          <div>
            <dt className="text-xs text-muted">{t('check_out')}</dt>
            <dd className="font-semibold">{longDay(checkout.checkOut)}</dd>
            {property.checkOutTime !== '' && (
              <dd className="text-xs text-muted">{t('check_out_until', { time: property.checkOutTime })}</dd>
            )}
          </div>
        </dl>
        <div className="border-t border-line pt-4 text-sm">
          <p className="font-semibold">{room.name}</p>
          <p className="text-muted">{t(`board_${room.board}`)}</p>
          {room.beds.length > 0 && <p className="text-muted">{room.beds.join(', ')}</p>}
          <p className="text-muted">{rooms.map((party) => partyWords(party, t)).join(' + ')}</p>
        </div>
        <div className="border-t border-line pt-4">
          <CancelLine policy={room.cancel_policy} charged={room.total_inclusive - room.due_at_property} />
          {room.cancel_policy.penalties.length > 0 && (
            <div className="mt-3">
              <CancelTimeline policy={room.cancel_policy} total={room.total_inclusive} />
            </div>
          )}
        </div>
        <div className="border-t border-line pt-4">
          <PriceLines
            total={room.total_inclusive}
            taxesFees={room.taxes_fees}
            dueAtProperty={room.due_at_property}
            fees={room.fees}
            currency={room.currency}
            nights={nights}
            rooms={rooms.length}
            charged={room.converted_from}
          />
        </div>
      </div>
    </aside>
  )
}
