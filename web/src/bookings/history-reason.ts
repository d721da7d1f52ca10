import type { Booking } from '../api/shapes.ts'
import type { MessageKey } from '../i18n/en.ts'

type Event = Pick<NonNullable<Booking['events']>[number], 'to' | 'reason'>
type Reason = { readonly key: MessageKey; readonly values?: { readonly text: string } }

/** The service's codes for why something happened to a booking. What its vendor says otherwise has the words of the notice. */
const KEYS: ReadonlyMap<string, MessageKey> = new Map<string, MessageKey>([
  ['timeout', 'reason_no_answer'],
  ['no_answer', 'reason_no_answer'],
  ['unreachable', 'reason_unreachable'],
  ['throttled', 'reason_unavailable'],
  ['unavailable', 'reason_unavailable'],
  ['credentials', 'reason_no_access'],
  ['refused', 'reason_refused'],
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
  ['still_confirmed', 'reason_still_confirmed'],
  ['rejected', 'reason_refused'],
  ['cancelled', 'reason_cancelled'],
  ['vendor_cancelled', 'reason_cancelled'],
  ['found_cancelled', 'reason_cancelled'],
  ['not_found', 'reason_not_found'],
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

/** Written by a person: "operator: the hotel has called". */
const BY_STAFF = /^operator: (.*)$/s
/** What the service stores when an operator gave no reason. */
const NO_WORDS = 'resolved manually'

/**
 * In the guest's words, why a booking came where it did. Nothing where the event says it all, and nothing for a code that this
 * version of the page does not know: codes are not for guests.
 */
export function reasonOf({ to, reason }: Event): Reason | undefined {
  if (reason === null || reason === to) return undefined
  const [, text] = BY_STAFF.exec(reason) ?? []
  if (text === NO_WORDS) return { key: 'reason_staff' }
  if (text !== undefined) return { key: 'reason_staff_says', values: { text } }
  const key = KEYS.get(reason)
  return key && { key }
}
