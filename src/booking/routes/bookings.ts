import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { sendList } from '../../http/body/list-request.ts'
import { sendJson } from '../../http/body/send-json.ts'
import { isUnchanged } from '../../http/middleware/entity-tags.ts'
import { readIdempotencyKey } from '../../http/middleware/idempotency.ts'
import { bookingOwner, requestContext, requireCaller, toActor } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse, listResponses } from '../../http/schemas/answer.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import type { SeesNet } from '../../selling/can-see-net-price.ts'
import type { BookStay } from '../book-stay.ts'
import type { CancelBooking } from '../cancel-booking.ts'
import { presentBooking, presentCancel } from '../present/booking.ts'
import { bookingTag } from '../present/booking-tag.ts'
import { presentHistory } from '../present/history.ts'
import { HistoryResponse } from '../schemas/after-booking.ts'
import {
  type BookBody,
  BookHeaders,
  BookingList,
  BookingResponse,
  BookRequest,
  CancelResponse,
} from '../schemas/bookings.ts'
import { CancelQuery, readCancelQuery } from '../schemas/cancel-query.ts'
import { BOOKING_LIST, type ShowBookings } from '../show-bookings.ts'
import type { StoredAnswer } from '../store/answers.ts'
import { callerSeesNet, readBooking, readPrecondition, refuseCards } from './read-booking.ts'

export type BookingRouteDeps = {
  bookStay: BookStay
  cancelBooking: CancelBooking
  showBookings: ShowBookings
  seesNet: SeesNet
  cursors: CursorCodec
  clock: Clock
}

type BookingId = Static<typeof BookingId>
const BookingId = Type.Object({ booking_id: Type.String() })

type BookRoute = { Body: BookBody; Headers: Static<typeof BookHeaders> }
type CancelRoute = { Params: BookingId; Querystring: CancelQuery }

export const bookingRoutes: FastifyPluginAsyncTypebox<BookingRouteDeps> = async (app, deps) => {
  app.post<BookRoute>('/api/accommodation/book', BOOK, (request, reply) => book(deps, request, reply))

  app.get('/api/accommodation/bookings', LIST, async (request, reply) => {
    const { accountId } = requireCaller(request)
    const seesNet = await deps.seesNet(accountId)
    return sendList(request, reply, {
      cursors: deps.cursors,
      owner: [accountId],
      run: (plan, charge) => deps.showBookings.list(bookingOwner(request), plan, charge),
      present: ({ booking, payment }) => presentBooking(booking, deps.clock.now(), undefined, seesNet, payment),
    })
  })

  app.get('/api/accommodation/bookings/:booking_id', SHOW, async (request, reply) => {
    const { booking_id: bookingId } = request.params
    const owner = bookingOwner(request)
    const { booking, payment, isSample, readEvents } = await deps.showBookings.show(
      owner,
      bookingId,
      request.simulation,
    )
    const now = deps.clock.now()
    const seesNet = await callerSeesNet(deps.seesNet, request)
    if (!isSample && isUnchanged(request, reply, bookingTag(booking, now, seesNet))) return reply.send()
    return { data: presentBooking(booking, now, await readEvents(), seesNet, payment) }
  })

  app.get('/api/accommodation/bookings/:booking_id/history', HISTORY, async (request) => {
    const { booking_id: bookingId } = request.params
    const owner = bookingOwner(request)
    const history = await deps.showBookings.history(owner, bookingId, request.simulation)
    return { data: presentHistory(history, deps.clock.now(), await deps.seesNet(owner.accountId)) }
  })

  app.post<CancelRoute>('/api/accommodation/bookings/:booking_id/cancel', CANCEL, (request, reply) =>
    cancel(deps, request, reply),
  )
}

async function book(deps: BookingRouteDeps, request: FastifyRequest<BookRoute>, reply: FastifyReply) {
  const { accountId, email, name, isGuest = false } = requireCaller(request)
  const order = {
    account: { id: accountId, email, name, isGuest },
    request: readBooking(request.body),
    idempotencyKey: readIdempotencyKey(request.headers['idempotency-key']),
    actor: toActor(request),
    simulation: request.simulation,
  }
  const stored = await deps.bookStay(order, requestContext(request))
  request.about = { bookingId: stored.bookingId }
  reply.header('location', `/api/accommodation/bookings/${stored.bookingId}`)
  if (stored.replayed) reply.header('idempotent-replayed', 'true')
  return sendStored(reply, stored, stored.replayed)
}

async function cancel(deps: BookingRouteDeps, request: FastifyRequest<CancelRoute>, reply: FastifyReply) {
  const order = {
    ...bookingOwner(request),
    bookingId: request.params.booking_id,
    ...readCancelQuery(request.query),
    actor: toActor(request),
    simulation: request.simulation,
    ...(requireCaller(request).isLinked === true && { reason: 'guest_link' }),
    precondition: await readPrecondition(deps, request),
  }
  const outcome = await deps.cancelBooking(order, requestContext(request))
  const isOpen = !outcome.preview && outcome.booking.state === 'cancelling'
  return sendJson(reply, JSON.stringify({ data: presentCancel(outcome, deps.clock.now()) }), isOpen ? 202 : 200)
}

const BOOK = operation('booking.create', {
  access: 'book',
  idempotency: 'own',
  cost: 5,
  summary: 'Book a room',
  description:
    'Send the room’s `booking_info` as received, with optional fields such as guests beside it. A repeated `idempotency-key` with the same body returns the first response, byte for byte; after a `202` it returns the current state until the outcome is final. Without the header the offer itself is the key, so it is never booked twice.',
  headers: BookHeaders,
  body: BookRequest,
  answers: {
    201: jsonResponse('Booked; `location` is its address.', BookingResponse),
    202: jsonResponse(
      'The outcome is not known yet. Poll `location` and do not book again meanwhile.',
      BookingResponse,
    ),
  },
  problems: [
    'budget_exceeded',
    'payment_required',
    'payment_invalid',
    'payment_expired',
    'payment_in_review',
    'payment_not_found',
    'payments_unavailable',
    'price_changed',
    'terms_changed',
    'sold_out',
    'booking_rejected',
    'request_in_progress',
    'offer_expired',
    'invalid_request',
    'offer_invalid',
    'offer_used',
    'guests_required',
    'card_data_not_accepted',
    'idempotency_mismatch',
    'vendors_failed',
    'vendor_timeout',
  ],
  preValidation: async ({ body }: FastifyRequest) => refuseCards(body),
})

const LIST = operation('booking.list', {
  access: 'read',
  list: BOOKING_LIST,
  summary: 'List your bookings',
  description:
    'To catch up after an interruption, filter by `updated_at`: `filters[]=updated_at:><2027-01-15T12:00:00Z`.',
  answers: listResponses('The bookings, newest first.', BookingList),
})

const SHOW = operation('booking.show', {
  access: 'read',
  etag: 'own',
  summary: 'Read one booking with its history',
  description: '`events` lists every change of state, oldest first.',
  params: BookingId,
  answers: { 200: jsonResponse('The booking.', BookingResponse) },
  problems: ['booking_not_found'],
})

const HISTORY = operation('booking.history', {
  access: 'read',
  summary: 'Export the whole history of a booking',
  description:
    'The booking, every event with its actor, and every version of the booking that the vendor has reported.',
  params: BookingId,
  answers: { 200: jsonResponse('The history, oldest event first.', HistoryResponse) },
  problems: ['booking_not_found'],
})

export const CANCEL_PROBLEMS = [
  'booking_not_found',
  'terms_changed',
  'not_cancellable',
  'invalid_request',
  'vendors_failed',
  'vendor_timeout',
] as const

const CANCEL = operation('booking.cancel', {
  access: 'cancel',
  safe: 'preview',
  idempotency: 'repeatable',
  ifMatch: true,
  cost: 5,
  summary: 'Cancel a booking, or preview the cost',
  description:
    '`preview=true` computes the penalty and changes nothing. Cancel with that penalty as `accept_penalty_up_to`, and no higher one is charged. Cancelling again returns the same.',
  params: BookingId,
  querystring: CancelQuery,
  answers: {
    200: jsonResponse('Cancelled, or previewed.', CancelResponse),
    202: jsonResponse('The vendor has not confirmed the cancellation yet; poll the booking.', CancelResponse),
  },
  problems: CANCEL_PROBLEMS,
})

/** Earlier versions stored a 503, which is final when it is replayed. */
function sendStored(reply: FastifyReply, { status, body }: StoredAnswer, replayed: boolean): FastifyReply {
  const media = status < 400 ? 'application/json' : 'application/problem+json'
  if (status === 503 && !replayed) reply.header('retry-after', '10')
  return reply.code(status).header('content-type', `${media}; charset=utf-8`).send(body)
}
