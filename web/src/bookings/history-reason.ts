import type { Booking } from '../api/shapes.ts'
import type { MessageKey } from '../i18n/en.ts'

type Event = Pick<NonNullable<Booking['events']>[number], 'to' | 'reason'>
type Reason = { readonly key: MessageKey; readonly values?: { readonly text: string } }

/** Messages for the service's reason codes. Discrepancies share the messages of the booking page. */
const MESSAGE_KEYS: ReadonlyMap<string, MessageKey> = new Map<string, MessageKey>([
  ['timeout', 'reason_no_answer'],
  ['no_answer', 'reason_no_answer'],
  ['unreachable', 'reason_unreachable'],
  ['throttled', 'reason_unavailable'],
  ['unavailable', 'reason_unavailable'],
  ['credentials', 'reason_no_access'],
  ['misconfigured', 'reason_unusable'],
  ['refused', 'reason_refused'],
  ['condition_refused', 'reason_refused'],
  ['vendor_rejected', 'reason_refused'],
  ['sold_out', 'reason_sold_out'],
  ['price_changed', 'reason_price_changed'],
  ['expired', 'reason_expired'],
  ['duplicate', 'reason_duplicate'],
  ['malformed', 'reason_malformed'],
  ['internal', 'reason_internal'],
  ['not_sent', 'reason_not_sent'],
  ['cut_off', 'reason_cut_off'],
  ['pending', 'reason_pending'],
  ['confirmed', 'reason_found'],
  ['found', 'reason_found'],
  ['adopted', 'reason_adopted'],
  ['still_confirmed', 'reason_still_confirmed'],
  ['rejected', 'reason_refused'],
  ['cancelled', 'reason_cancelled'],
  ['vendor_cancelled', 'reason_cancelled'],
  ['found_cancelled', 'reason_cancelled'],
  ['not_found', 'reason_not_found'],
  ['guest_link', 'reason_guest_link'],
  ['partly_cancelled', 'differs_room_cancelled'],
  ['room_cancelled', 'differs_room_cancelled'],
  ['property_differs', 'differs_property_differs'],
  ['dates_differ', 'differs_dates_differ'],
  ['price_differs', 'differs_price_differs'],
  ['rooms_differ', 'differs_rooms_differ'],
  ['guests_differ', 'differs_guests_differ'],
  ['terms_differ', 'differs_terms_differ'],
  ['cancelled_by_vendor', 'differs_cancelled_by_vendor'],
])

/** Entered by an operator: "operator: the hotel has called". */
const STAFF_REASON = /^operator: (.*)$/s
/** Stored by the service if an operator gave no reason. */
const NO_REASON_GIVEN = 'resolved manually'

type Timed = Event & { readonly type: string; readonly at: string }

/** Leaves out steps without a reason that the next state replaced within the same minute. */
export const mergeQuickEvents = <T extends Timed>(events: readonly T[], toMinute: (at: string) => string): T[] =>
  events.filter((event, index) => {
    const next = events[index + 1]
    const isStep = event.to === 'pending' || event.to === 'submitting' || event.to === 'cancelling'
    return !isStep || next === undefined || event.reason !== null || toMinute(event.at) !== toMinute(next.at)
  })

/** Explains an event to the guest. Undefined if the status already says it, or for an unknown code: guests never see codes. */
export function describeReason({ to, reason }: Event): Reason | undefined {
  if (reason === null || reason === to) return undefined
  const [, text] = STAFF_REASON.exec(reason) ?? []
  if (text === NO_REASON_GIVEN) return { key: 'reason_staff' }
  if (text !== undefined) return { key: 'reason_staff_says', values: { text } }
  const key = MESSAGE_KEYS.get(reason)
  return key && { key }
}
