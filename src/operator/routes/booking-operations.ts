import { Type } from 'typebox'
import { CANCEL_PROBLEMS } from '../../booking/routes/bookings.ts'
import { CancelResponse } from '../../booking/schemas/bookings.ts'
import { CancelQuery } from '../../booking/schemas/cancel-query.ts'
import { operation } from '../../http/operation.ts'
import { answer, listAnswers } from '../../http/schemas/answer.ts'
import { VOUCHER_ANSWERS, VOUCHER_PROBLEMS } from '../../voucher/routes.ts'
import { OPERATOR_BOOKING_LIST } from '../find-bookings.ts'
import {
  AskedResponse,
  BookingFileResponse,
  MailRequest,
  OperatorBookingList,
  OperatorBookingQuery,
  OperatorBookingResponse,
  OperatorCancelRequest,
  QueuedResponse,
  ResolveRequest,
} from '../schemas/bookings.ts'

const params = Type.Object({ booking_id: Type.String() })

export const LIST = operation('operator.bookings', {
  access: 'operator',
  cost: 5,
  list: OPERATOR_BOOKING_LIST,
  summary: 'Find bookings of all accounts',
  description:
    'With `q` by any reference, guest, property or date. Guests are stored encrypted, so the newest 10,000 bookings are looked through; `looked_at` says how far. Filters are applied to what `q` finds, which are at most 500 bookings.',
  querystring: OperatorBookingQuery,
  answers: listAnswers('The bookings, newest first.', OperatorBookingList),
  attachValidation: true,
})

export const SHOW = operation('operator.bookings.show', {
  access: 'operator',
  summary: 'Read all that is known of one booking',
  description:
    'The booking, its account, every event with who caused it, what the vendor has told when it was read again, the calls to the vendor, and what was sent to webhooks and to the guest.',
  params,
  answers: { 200: answer('The booking and its records.', BookingFileResponse) },
  problems: ['booking_not_found'],
})

export const READ = operation('operator.bookings.read', {
  access: 'operator',
  cost: 5,
  summary: 'Ask the vendor now how a booking stands',
  description:
    'A booking whose outcome is unknown is settled if the vendor tells it; a confirmed one, or one that needs a review, is read again and compared.',
  params,
  answers: { 200: answer('The booking as it stands now.', AskedResponse) },
  problems: ['booking_not_found', 'not_possible'],
})

export const RESOLVE = operation('operator.bookings.resolve', {
  access: 'operator',
  summary: 'End the review of a booking',
  description:
    'Records how a booking that needs_review ends. Nothing is sent to the vendor: settle it with the vendor first. Webhooks are called and the guest is written to as with any change.',
  params,
  body: ResolveRequest,
  answers: { 200: answer('Resolved.', OperatorBookingResponse) },
  problems: ['booking_not_found', 'not_possible', 'invalid_request'],
})

export const CANCEL = operation('operator.bookings.cancel', {
  access: 'operator',
  safe: 'preview',
  cost: 5,
  summary: 'Cancel a booking for its account, or see what that would cost',
  description:
    '`preview=true` computes the penalty and changes nothing; otherwise a reason is needed. Cancel with that penalty as `accept_penalty_up_to`, and no higher one is charged.',
  params,
  querystring: CancelQuery,
  body: OperatorCancelRequest,
  answers: {
    200: answer('Cancelled, or previewed.', CancelResponse),
    202: answer('The vendor has not confirmed the cancellation yet.', CancelResponse),
  },
  problems: CANCEL_PROBLEMS,
})

export const VOUCHER = operation('operator.bookings.voucher', {
  access: 'operator',
  cost: 3,
  summary: 'The voucher of a confirmed booking of any account',
  description: 'As JSON, HTML or PDF, by `accept`, as its account gets it.',
  params,
  answers: VOUCHER_ANSWERS,
  problems: VOUCHER_PROBLEMS,
})

export const MAIL = operation('operator.bookings.mail', {
  access: 'operator',
  summary: 'Send a mail about a booking again',
  description: 'To the guest, about how the booking stands now; or, by its `sequence`, one that was given up.',
  params,
  body: MailRequest,
  answers: { 202: answer('On its way.', QueuedResponse) },
  problems: ['booking_not_found', 'not_possible', 'invalid_request'],
})
