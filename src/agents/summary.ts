import type { Static } from 'typebox'
import type { CancelResponse } from '../booking/schemas/bookings.ts'
import { digitsOf } from '../domain/money/currency.ts'
import { cleanName } from './clean-text.ts'
import type { Terms } from './schemas.ts'

type Cancellation = Static<typeof CancelResponse>['data']

/** What the user is shown before money moves. Amounts stand in lines of their own, where no name can imitate them. */
export function summaryOf(terms: Terms): string {
  const { property, room, occupancies, nights, currency, about, due_at_property: due } = terms
  const rooms = occupancies.length === 1 ? '1 room' : `${occupancies.length} rooms`
  const atProperty = due === 0 ? '' : `, of which ${amount(due, currency)} is paid at the property`
  const inAsked = about === null ? '' : ` (about ${amount(about.total_price, about.currency)})`
  return [
    `Book "${property.name}", ${terms.check_in} to ${terms.check_out} (${nights === 1 ? '1 night' : `${nights} nights`}), ${rooms}: "${room.name}", ${room.board.replaceAll('_', ' ')}, for ${terms.guests.map((name) => `"${name}"`).join(', ')}.`,
    `Total: ${amount(terms.total_price, currency)}${inAsked}${atProperty}.`,
    `Cancellation: ${cancelWords(terms)}`,
    ...terms.terms_urls.map((url) => `Supplier terms and conditions: ${url}`),
  ].join('\n')
}

export function cancelSummaryOf({ property, check_in, check_out, penalty, refund, currency }: Cancellation): string {
  return [
    `Cancel "${cleanName(property.name)}", ${check_in} to ${check_out}, now.`,
    `Fee: ${amount(penalty, currency)}. Refund: ${amount(refund, currency)}.`,
  ].join('\n')
}

const amount = (major: number, currency: string): string => `${currency} ${major.toFixed(digitsOf(currency) ?? 2)}`

function cancelWords({ cancel_policy: { cancelation, expires, penalties, timezone } }: Terms): string {
  const steps = penalties.map(({ from, amount: fee, currency }) => `${amount(fee, currency)} from ${from}`)
  const ladder = steps.length === 0 ? '' : ` Fees: ${steps.join('; ')} (${timezone}).`
  if (cancelation === 'free') return `free until ${expires}.${ladder}`
  return cancelation === 'none' ? 'not refundable.' : `costs a fee from now on.${ladder}`
}
