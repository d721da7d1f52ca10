import type { Room } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { chargeOf, dueNow } from '../offer/charge.ts'
import { NoticeList } from '../offer/notices.tsx'
import { useMarkedText } from '../offer/price.tsx'

/** Collapsed: a rate may have a page of notices. */
export function RateNotices({ notices }: { notices: Room['notices'] }) {
  const { t } = useI18n()
  if (notices.length === 0) return null
  return (
    <details className="mt-1 text-xs">
      <summary className="link inline-block min-h-6 py-0.5">{t('notices_count', { n: notices.length })}</summary>
      <div className="mt-2">
        <NoticeList notices={notices} />
      </div>
    </details>
  )
}

/** Space between lines that wrap on tablets. */
const LINE = 'block md:max-lg:not-first:mt-1'

/** Amounts due now and at the property, in the currency charged, as in the checkout and the booking. */
export function Payment({ room, nights, isCharged }: { room: Room; nights: number; isCharged: boolean }) {
  const { t, money } = useI18n()
  const charge = chargeOf(room)
  const now = dueNow(charge)
  const marked = useMarkedText()
  const { total_inclusive: total, public_price: before, currency } = room
  const shown = (amount: number) => marked(amount, currency, room.converted_from !== null)
  return (
    <>
      {now > 0 && (
        <span className={LINE}>
          {t(isCharged ? 'pay_on_account' : 'pay_to_seller', { price: money(now, charge.currency) })}
        </span>
      )}
      {charge.dueAtProperty > 0 && (
        <span className={LINE}>{t('pay_at_property', { price: money(charge.dueAtProperty, charge.currency) })}</span>
      )}
      {nights > 1 && <span className={LINE}>{t('per_night', { price: shown(total / nights) })}</span>}
      {before > total && <span className={LINE}>{t('without_discount', { price: shown(before) })}</span>}
    </>
  )
}
