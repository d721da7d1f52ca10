import type { Static } from 'typebox'
import type { TermChange } from '../../domain/booking/compare-terms.ts'
import { toMajor } from '../../domain/money/money.ts'
import { presentMoney } from '../../http/present/money.ts'
import { zonedIso } from '../../lib/time/zoned-time.ts'
import { presentNotice, presentRoom } from '../../search/present/property-detail.ts'
import type { CheckedPrice } from '../offer/check-price.ts'
import type { OfferChange } from '../refusals.ts'
import type { ChangeSchema, PriceCheckResponse } from '../schemas/price-check.ts'
import { presentQuote } from './payment.ts'

export const presentOfferChange = ({ room, currency, oldTotal, newTotal, changes }: OfferChange, seesNet = false) => ({
  room: room === undefined ? null : presentRoom(room.choice, room, seesNet),
  old_total: oldTotal && toMajor(oldTotal),
  new_total: newTotal && toMajor(newTotal),
  currency,
  changes: changes.map((change) => presentChange(change, room?.timezone ?? 'UTC')),
})

export function presentPriceCheck(checked: CheckedPrice, seesNet = false): Static<typeof PriceCheckResponse>['data'] {
  if (checked.status === 'sold_out') return { status: 'sold_out', changes: [], room: null, terms_digest: null }
  const { room, changes } = presentOfferChange(checked.change, seesNet)
  const { status, termsDigest, payment } = checked
  return { status, changes, room, terms_digest: termsDigest, ...(payment && { payment: presentQuote(payment) }) }
}

export function presentChange(change: TermChange, timezone: string): Static<typeof ChangeSchema> {
  switch (change.what) {
    case 'cancellation_fee': {
      const from = zonedIso(change.from, timezone)
      return {
        what: change.what,
        shown: { ...presentMoney(change.shown), from },
        now: { ...presentMoney(change.now), from },
      }
    }
    case 'total_price':
    case 'due_now':
    case 'due_at_property':
      return { what: change.what, shown: presentMoney(change.shown), now: presentMoney(change.now) }
    case 'notices':
      return { what: change.what, shown: change.shown.map(presentNotice), now: change.now.map(presentNotice) }
    default:
      return change
  }
}
