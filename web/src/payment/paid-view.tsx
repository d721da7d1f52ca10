import { getLocalTimeZone } from '@internationalized/date'
import type { PaymentStatus } from '../api/shapes.ts'
import type { MessageKey } from '../i18n/en.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Notice } from '../ui/notice.tsx'
import { useCardName, usePaymentText } from './booked-payment.tsx'
import type { LinkedPayment } from './use-pay-link.ts'

const TITLES: Readonly<Record<PaymentStatus, MessageKey>> = {
  requires_payment: 'pay_title',
  authorised: 'pay_authorised_title',
  held: 'pay_booked_title',
  capturing: 'pay_booked_title',
  captured: 'pay_booked_title',
  refunding: 'pay_booked_title',
  partly_refunded: 'pay_booked_title',
  refunded: 'pay_booked_title',
  voiding: 'pay_ended_title',
  voided: 'pay_ended_title',
  failed: 'pay_ended_title',
  needs_review: 'pay_review_title',
}

export function usePayTitle(status: PaymentStatus | undefined, isUnknown: boolean): string {
  const { t } = useI18n()
  if (isUnknown) return t('pay_unknown_title')
  return t(status === undefined ? 'pay_title' : TITLES[status])
}

/** A payment that is not open any more, and the way on. */
export function PaidView({ payment }: { payment: LinkedPayment }) {
  const { t } = useI18n()
  return (
    <div className="flex flex-col items-start gap-4">
      <PaidNotice payment={payment} />
      {payment.booking_id === null ? (
        <a className="btn btn-quiet" href="/">
          {t('to_start')}
        </a>
      ) : (
        <a className="btn btn-primary" href={`/bookings/${encodeURIComponent(payment.booking_id)}`}>
          {t('pay_to_booking')}
        </a>
      )}
    </div>
  )
}

function PaidNotice({ payment }: { payment: LinkedPayment }) {
  const { t } = useI18n()
  const text = usePaymentText({ payment })
  const { status, authorised } = payment
  if (status === 'authorised') return <Authorised payment={payment} />
  const isEnded = TITLES[status] === 'pay_ended_title'
  return (
    <Notice tone={isEnded || status === 'needs_review' ? 'warn' : 'good'} role="status">
      <p>{isEnded && authorised === 0 ? t('pay_ended_unused') : text}</p>
      {isEnded && <p>{t('pay_ended_text')}</p>}
    </Notice>
  )
}

function Authorised({ payment: { amount, currency, card, expires_at } }: { payment: LinkedPayment }) {
  const { t, money, moment } = useI18n()
  const cardName = useCardName()
  const values = {
    price: money(amount, currency),
    card: cardName(card),
    moment: moment(expires_at, getLocalTimeZone()),
  }
  return (
    <Notice tone="good" role="status">
      <p className="font-semibold">{t('pay_authorised_text')}</p>
      <p>{t('pay_kept', values)}</p>
    </Notice>
  )
}
