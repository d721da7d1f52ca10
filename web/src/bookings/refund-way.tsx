import type { Booking } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { useSession } from '../session/session.ts'

/** Says who pays a refund back. Empty for cards, which have texts of their own. */
export function RefundWay({ booking: { payment } }: { booking: Pick<Booking, 'payment'> }) {
  const { t } = useI18n()
  const { session } = useSession()
  if (payment !== undefined) return null
  return t(session === undefined ? 'refund_by_seller' : 'refund_on_account')
}
