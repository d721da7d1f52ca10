import type { BookedPayment, Booking, Card, PaymentStatus } from '../api/shapes.ts'
import type { MessageKey } from '../i18n/en.ts'
import { useI18n } from '../i18n/i18n.tsx'

const TEXTS: Partial<Record<PaymentStatus, MessageKey>> = {
  held: 'paid_held',
  authorised: 'paid_held',
  capturing: 'paid_capturing',
  captured: 'paid_captured',
  refunding: 'paid_refunding',
  partly_refunded: 'paid_partly_refunded',
  refunded: 'paid_refunded',
  voiding: 'paid_voided',
  voided: 'paid_voided',
  needs_review: 'paid_needs_review',
}

/** Money of a booking that was paid by card; undefined if it is on account. */
export function usePaymentText({ payment }: Pick<Booking, 'payment'>): string | undefined {
  const { t, money } = useI18n()
  const cardName = useCardName()
  if (payment?.status === undefined) return undefined
  const key = TEXTS[payment.status]
  const { currency, refunded = 0 } = payment
  return (
    key &&
    t(key, {
      price: money(shownAmount(payment), currency),
      refunded: money(refunded, currency),
      card: cardName(payment.card),
    })
  )
}

/** The amount that the status is about. */
function shownAmount({ status, amount, captured = 0, refunded = 0, refund_pending = 0 }: BookedPayment): number {
  switch (status) {
    case 'captured':
    case 'partly_refunded':
      return captured
    case 'refunding':
      return refund_pending
    case 'refunded':
      return refunded
    default:
      return amount
  }
}

/** "Visa ending in 4242". */
export function useCardName(): (card: Card | null) => string {
  const { t } = useI18n()
  return (card) =>
    card === null ? t('card_unnamed') : t('card_name', { brand: formatBrand(card.brand), last4: card.last4 })
}

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

export const formatBrand = (brand: string): string =>
  BRANDS[brand] ?? brand.replaceAll('_', ' ').replace(/^\p{L}/u, (letter) => letter.toUpperCase())
