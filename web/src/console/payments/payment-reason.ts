import type { components } from '../../../../packages/client/src/index.ts'

type Reason = components['schemas']['PaymentReason']

const TEXTS: Readonly<Record<Reason, string>> = {
  uncollected: 'The room is booked and the amount could not be charged',
  refund_failed: 'The refund failed or came back',
  not_released: 'The reservation could not be released',
  amount_differs: 'Another amount was charged than ordered',
  short: 'More was refunded than ordered',
  captured_elsewhere: 'Charged without our order',
  unknown_object: 'The provider’s object is not the expected one',
  unknown_fee: 'The cancellation fee is in another currency',
  vendor_fee: 'The vendor cancelled and named a fee',
  hold_ending: 'The reservation of an undecided booking ends within a day',
  lapsed: 'The reservation has ended',
}

export const describePaymentReason = (reason: Reason): string => TEXTS[reason]
