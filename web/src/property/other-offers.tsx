import type { Room } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { nameBeds } from '../offer/beds.tsx'
import { CancelLine, classifyTerms } from '../offer/cancel-terms.tsx'
import { chargeOf, dueNow, exactTerms } from '../offer/charge.ts'
import { useMarkedText } from '../offer/price.tsx'
import { TextFees } from '../offer/text-fees-note.tsx'
import { formatVendorName } from '../ui/badges.tsx'
import { Payment, RateNotices } from './rate-terms.tsx'
import { findOtherVendors, type RateGroup } from './room-groups.ts'
import { findOwnNotices, type VendorNotices } from './shared-notices.ts'

type Frame = {
  readonly isCharged: boolean
  readonly nights: number
  readonly rooms: number
  readonly guests: number
  readonly shared: readonly VendorNotices[]
  onChoose(room: Room): void
}

/** The same rate from other vendors and with other beds. */
export function OtherOffers({ rate, frame }: { rate: RateGroup; frame: Frame }) {
  const { t } = useI18n()
  const formatPrice = usePrice()
  const vendors = findOtherVendors(rate).map((room) => `${formatVendorName(room.vendor_id)} (${formatPrice(room)})`)
  return (
    <tr className="border-b border-line last:border-0 max-md:block max-md:pb-2">
      <td colSpan={4} className="px-4 pb-2 max-md:block max-md:pt-2">
        <details className="text-xs">
          <summary className="link inline-block min-h-6 py-0.5">
            {vendors.length > 0
              ? t('also_at', { vendors: vendors.join(', ') })
              : t('more_choices', { n: rate.others.length })}
          </summary>
          <ul className="mt-1 flex flex-col divide-y divide-line">
            {rate.others.map((room) => (
              <OtherOffer key={`${room.vendor_id}${room.booking_info.price_check_uri}`} room={room} frame={frame} />
            ))}
          </ul>
        </details>
      </td>
    </tr>
  )
}

function OtherOffer({ room, frame }: { room: Room; frame: Frame }) {
  const i18n = useI18n()
  const { t } = i18n
  const price = usePrice()(room)
  const terms = t(classifyTerms({ policy: exactTerms(room), charged: dueNow(chargeOf(room)) }))
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 py-2 md:grid-cols-[1fr_auto_auto]">
      <div className="min-w-0 max-md:col-span-2">
        <span className="block font-semibold">{formatVendorName(room.vendor_id)}</span>
        <span className="block text-muted">
          <span lang={room.languages.name}>{room.name}</span>
          {nameBeds(room, i18n).map((beds) => ` · ${beds}`)}
        </span>
        <CancelLine policy={exactTerms(room)} charged={dueNow(chargeOf(room))} />
        <span className="block text-muted">
          <Payment room={room} nights={frame.nights} isCharged={frame.isCharged} />
        </span>
        <RateNotices notices={findOwnNotices(room, frame.shared)} />
      </div>
      <div>
        <span className="figures text-sm font-semibold">{price}</span>
        <TextFees notices={room.notices} stay={frame} hasPricedFees={room.due_at_property > 0} className="max-w-44" />
      </div>
      <button
        type="button"
        className="btn btn-quiet"
        aria-label={t('choose_label', { room: room.name, board: t(`board_${room.board}`), terms, price })}
        onClick={() => frame.onChoose(room)}
      >
        {t('choose')}
      </button>
    </li>
  )
}

function usePrice() {
  const marked = useMarkedText()
  return ({ total_inclusive, currency, converted_from }: Room) =>
    marked(total_inclusive, currency, converted_from !== null)
}
