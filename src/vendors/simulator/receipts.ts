import type { Money } from '../../domain/money.ts'
import type { BookingLookup, Receipt } from '../contract.ts'
import { draw } from './draw.ts'
import { type Priced, priceOf } from './price.ts'
import { freeUntil, lateFee } from './rate-plans.ts'

const WITH_TERMS = /^SIM-[0-9A-F]{8}-([A-Z]{3})-(\d{1,15})-(\d{1,12})$/

/**
 * Nothing is kept: the vendor's reference itself carries what cancelling costs and from when (epoch seconds), so any
 * process can answer for a booking that another one made.
 */
export function receiptOf(reference: string, asked: Priced, timezone: string): Receipt {
  const { total } = priceOf(asked)
  const fee = lateFee(asked.plan, total, asked.stay)
  const from = asked.plan.isRefundable ? Math.floor(freeUntil(asked.stay, timezone) / 1000) : 0
  return { state: 'confirmed', vendorReference: `${stem(reference)}-${fee.currency}-${fee.minor}-${from}`, total }
}

/** Whatever was sent has arrived: a lost answer is only ever simulated, and so is the booking behind it. */
export const foundReceipt = ({ reference, vendorReference }: BookingLookup): Receipt => ({
  state: 'confirmed',
  vendorReference: vendorReference ?? stem(reference),
})

/** Undefined for a booking whose answer was lost: its terms then are those of the offer. */
export function cancelFeeOf({ vendorReference = '' }: BookingLookup, now: number): Money | undefined {
  const [, currency, minor, from] = WITH_TERMS.exec(vendorReference) ?? []
  if (currency === undefined) return undefined
  return { minor: now < Number(from) * 1000 ? 0 : Number(minor), currency }
}

export function cancelledReceipt(lookup: BookingLookup, now: number): Receipt {
  const cancelFee = cancelFeeOf(lookup, now)
  return { ...foundReceipt(lookup), state: 'cancelled', ...(cancelFee === undefined ? {} : { cancelFee }) }
}

const stem = (reference: string) => `SIM-${draw('booking', reference).toString(16).toUpperCase().padStart(8, '0')}`
