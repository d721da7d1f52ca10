import { Type } from 'typebox'
import { CANCEL_PROBLEMS } from '../../booking/routes/bookings.ts'
import { CancelResponse } from '../../booking/schemas/bookings.ts'
import { CancelQuery } from '../../booking/schemas/cancel-query.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse, listResponses } from '../../http/schemas/answer.ts'
import { VOUCHER_ANSWERS, VOUCHER_PROBLEMS } from '../../voucher/routes/voucher.ts'
import { OPERATOR_BOOKING_LIST } from '../find-bookings.ts'
import { ReasonRequest } from '../schemas/attention.ts'
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
    '`q` finds bookings by reference, guest, property or date. Guests are stored encrypted, so only the newest 10,000 bookings are searched; `looked_at` reports how far. Filters apply to the bookings that `q` finds, at most 500.',
  querystring: OperatorBookingQuery,
  answers: listResponses('The bookings, newest first.', OperatorBookingList),
  attachValidation: true,
})

export const SHOW = operation('operator.bookings.show', {
  access: 'operator',
  summary: 'Read a booking with all its records',
  description:
    'The booking, its account, every event and who caused it, the readings from the vendor, the calls to the vendor, and the messages to webhooks and to the guest.',
  params,
  answers: { 200: jsonResponse('The booking and its records.', BookingFileResponse) },
  problems: ['booking_not_found'],
})

export const READ = operation('operator.bookings.read', {
  access: 'operator',
  cost: 5,
  summary: 'Read a booking from the vendor now',
  description:
    'Settles a booking with an unknown outcome if the vendor reports it. Reads and compares a booking that is confirmed or needs a review.',
  params,
  answers: { 200: jsonResponse('The booking after the reading.', AskedResponse) },
  problems: ['booking_not_found', 'not_possible'],
})

export const RESOLVE = operation('operator.bookings.resolve', {
  access: 'operator',
  summary: 'End the review of a booking',
  description:
    'Records the outcome of a booking in needs_review. Nothing is sent to the vendor: clarify it with the vendor first. Webhooks and the guest are notified as for any change.',
  params,
  body: ResolveRequest,
  answers: { 200: jsonResponse('Resolved.', OperatorBookingResponse) },
  problems: ['booking_not_found', 'not_possible', 'invalid_request'],
})

export const CANCEL = operation('operator.bookings.cancel', {
  access: 'operator',
  safe: 'preview',
  idempotency: 'repeatable',
  cost: 5,
  summary: 'Cancel a booking for its account, or preview the penalty',
  description:
    '`preview=true` computes the penalty and changes nothing; otherwise a reason is required. Send the previewed penalty as `accept_penalty_up_to`, so that no higher one is charged.',
  params,
  querystring: CancelQuery,
  body: OperatorCancelRequest,
  answers: {
    200: jsonResponse('Cancelled, or previewed.', CancelResponse),
    202: jsonResponse('The vendor has not confirmed the cancellation yet.', CancelResponse),
  },
  problems: CANCEL_PROBLEMS,
})

export const VOUCHER = operation('operator.bookings.voucher', {
  access: 'operator',
  cost: 3,
  summary: 'Read the voucher of a confirmed booking of any account',
  description: 'JSON, HTML or PDF, depending on `accept`; the same as for its account.',
  params,
  answers: VOUCHER_ANSWERS,
  problems: VOUCHER_PROBLEMS,
})

export const MAIL = operation('operator.bookings.mail', {
  access: 'operator',
  summary: 'Resend a mail about a booking',
  description: 'Mails the current status to the guest or, with a `sequence`, resends a mail that failed.',
  params,
  body: MailRequest,
  answers: { 202: jsonResponse('Queued.', QueuedResponse) },
  problems: ['booking_not_found', 'not_possible', 'invalid_request'],
})

export const REVOKE_LINKS = operation('operator.bookings.revoke_links', {
  access: 'operator',
  summary: 'Revoke the links to a booking',
  description:
    'Invalidates the links in all mails sent so far, and the browsers that opened one. Later mails contain a new link.',
  params,
  body: ReasonRequest,
  answers: { 204: { type: 'null', description: 'Revoked.' } },
  problems: ['booking_not_found', 'invalid_request'],
})
