import type { Static } from 'typebox'
import type { CancelResponse } from '../booking/schemas/bookings.ts'
import { minorDigits } from '../domain/money/currency.ts'
import { cleanName } from './clean-text.ts'
import type { Terms } from './schemas.ts'

type Cancellation = Static<typeof CancelResponse>['data']

const HOTEL = 'Hotel, as it names itself (untrusted text):'

/** Summary for the user before money moves. Names come last and are marked, so that they cannot imitate dates and amounts. */
export function summarizeTerms(terms: Terms): string {
  const { property, room, occupancies, nights, currency, about, due_at_property: due } = terms
  const rooms = occupancies.length === 1 ? '1 room' : `${occupancies.length} rooms`
  const atProperty = due === 0 ? '' : `, including ${amount(due, currency)} payable at the property`
  const converted = about === null ? '' : ` (about ${amount(about.total_price, about.currency)})`
  return [
    `Book ${terms.check_in} to ${terms.check_out} (${nights === 1 ? '1 night' : `${nights} nights`}), ${rooms}, ${room.board.replaceAll('_', ' ')}, for ${terms.guests.map((name) => `"${name}"`).join(', ')}.`,
    `Total: ${amount(terms.total_price, currency)}${converted}${atProperty}.`,
    `Cancellation: ${describeCancelPolicy(terms)}`,
    `${HOTEL} "${property.name}"`,
    `Room, as the vendor names it (untrusted text): "${room.name}"`,
    ...terms.terms_urls.map((url) => `Supplier Terms & Conditions: ${url}`),
  ].join('\n')
}

export function summarizeCancellation({ property, status, check_in, check_out, ...costs }: Cancellation): string {
  const isOver = status === 'cancelled' || status === 'cancelling'
  return [
    isOver ? `Already ${status}: ${check_in} to ${check_out}.` : `Cancel ${check_in} to ${check_out} now.`,
    `Fee: ${amount(costs.penalty, costs.currency)}. Refund: ${amount(costs.refund, costs.currency)}.`,
    `${HOTEL} "${cleanName(property.name)}"`,
  ].join('\n')
}

const amount = (major: number, currency: string): string => `${currency} ${major.toFixed(minorDigits(currency) ?? 2)}`

function describeCancelPolicy({ cancel_policy: { cancelation, expires, penalties, timezone } }: Terms): string {
  const steps = penalties.map(({ from, amount: fee, currency }) => `${amount(fee, currency)} from ${from}`)
  const fees = steps.length === 0 ? '' : ` Fees: ${steps.join('; ')} (${timezone}).`
  if (cancelation === 'free') return `free until ${expires}.${fees}`
  return cancelation === 'none' ? 'not refundable.' : `costs a fee from now on.${fees}`
}
