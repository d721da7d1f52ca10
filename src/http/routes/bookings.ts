import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { BookingDesk } from '../../booking/booking-desk.ts'
import type { CancelOutcome } from '../../booking/cancel-booking.ts'
import { BOOKING_LIST, type ReadBookings } from '../../booking/list-bookings.ts'
import { invalidRequest } from '../../domain/app-error.ts'
import { toMajor } from '../../domain/money.ts'
import type { Clock } from '../../lib/clock.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { listQuerySchema } from '../../lists/query-schema.ts'
import type { SearchDesk } from '../../search/search-desk.ts'
import type { StoredAnswer } from '../../store/bookings.ts'
import { answerList, documentedOnly, queryOf } from '../list-request.ts'
import { presentBooking, refundOf } from '../present-booking.ts'
import { presentPolicy } from '../present-detail.ts'
import { problems } from '../problem.ts'
import { callerOf, contextOf, type Simulation } from '../request-context.ts'
import { BookingList, BookingResponse, BookRequest, CancelResponse } from '../schemas/bookings.ts'
import { bookingExample, cancelExample } from '../schemas/examples.ts'
import { sendJson } from '../send-json.ts'

type Deps = {
  /** The real world's, or as the simulation header says. */
  bookingsFor(simulation: Simulation | undefined): BookingDesk
  listBookings: ReadBookings['list']
  desk: Pick<SearchDesk, 'forgetDetails'>
  cursors: CursorCodec
  clock: Clock
}

const bookingAnswers = (description: string) => ({
  ...BookingResponse,
  description,
  examples: [{ data: bookingExample }],
})
const params = { type: 'object', required: ['booking_id'], properties: { booking_id: { type: 'string' } } } as const

export const bookingRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  app.post(
    '/api/accommodation/book',
    {
      config: { operation: 'booking.create', access: 'account', cost: 5 },
      ...documentedOnly,
      schema: {
        tags: ['Booking'],
        summary: 'Book a room',
        description:
          'Send the room’s `booking_info` as it was received; guests and the like beside it, all optional. The same `idempotency-key` with the same body gets the first answer again, byte for byte; without the header the offer itself is the key, so it is never booked twice.',
        security: [{ bearer: [] }],
        headers: {
          type: 'object',
          properties: {
            'idempotency-key': {
              type: 'string',
              maxLength: 255,
              description: 'Scoped to the account; kept for the booking’s whole life.',
            },
          },
        },
        body: BookRequest,
        response: {
          201: bookingAnswers('Booked; `location` names it.'),
          202: bookingAnswers('The vendor has not told the outcome yet; poll `location`. Never book again meanwhile.'),
          ...problems(
            'malformed_request',
            'unauthenticated',
            'price_changed',
            'sold_out',
            'booking_rejected',
            'request_in_progress',
            'offer_expired',
            'body_too_large',
            'unsupported_media_type',
            'invalid_request',
            'offer_invalid',
            'card_data_not_accepted',
            'idempotency_mismatch',
            'rate_limited',
            'vendors_failed',
            'vendor_timeout',
          ),
        },
      },
    },
    async (request, reply) => {
      const { accountId, email, name } = callerOf(request)
      const idempotencyKey = readKey(request.headers['idempotency-key'])
      const order = { account: { id: accountId, email, name }, body: request.body, idempotencyKey }
      const { signal: _, ...context } = contextOf(request, NEVER)
      const answer = await deps.bookingsFor(request.simulation).book(order, context)
      deps.desk.forgetDetails(accountId)
      reply.header('location', `/api/accommodation/bookings/${answer.bookingId}`)
      if (answer.replayed) reply.header('idempotent-replayed', 'true')
      return sendStored(reply, answer)
    },
  )

  app.get(
    '/api/accommodation/bookings',
    {
      config: { operation: 'booking.list', access: 'account' },
      ...documentedOnly,
      schema: {
        tags: ['Booking'],
        summary: 'List your bookings',
        security: [{ bearer: [] }],
        querystring: listQuerySchema(BOOKING_LIST),
        response: {
          200: BookingList,
          422: { ...BookingList, description: 'A list parameter is wrong.' },
          ...problems('malformed_request', 'unauthenticated', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request)
      return answerList(request, reply, {
        definition: BOOKING_LIST,
        cursors: deps.cursors,
        scope: `booking.list ${accountId}`,
        async run(plan) {
          const found = await deps.listBookings(accountId, plan)
          return { ...found, data: found.data.map((booking) => presentBooking(booking, deps.clock.now())) }
        },
      })
    },
  )

  app.get(
    '/api/accommodation/bookings/:booking_id',
    {
      config: { operation: 'booking.show', access: 'account' },
      ...documentedOnly,
      schema: {
        tags: ['Booking'],
        summary: 'Read one booking with its history',
        security: [{ bearer: [] }],
        params,
        response: {
          200: bookingAnswers('The booking as it stands.'),
          ...problems('unauthenticated', 'booking_not_found', 'rate_limited'),
        },
      },
    },
    async (request) => {
      const { booking_id: bookingId } = request.params as { booking_id: string }
      const { booking, events } = await deps
        .bookingsFor(request.simulation)
        .show(callerOf(request).accountId, bookingId)
      return { data: presentBooking(booking, deps.clock.now(), events) }
    },
  )

  app.post(
    '/api/accommodation/bookings/:booking_id/cancel',
    {
      config: { operation: 'booking.cancel', access: 'account', cost: 5 },
      ...documentedOnly,
      schema: {
        tags: ['Booking'],
        summary: 'Cancel a booking, or see what that would cost',
        description: '`preview=true` computes the penalty and changes nothing. Cancelling again answers the same.',
        security: [{ bearer: [] }],
        params,
        querystring: { type: 'object', properties: { preview: { type: 'boolean' } } },
        response: {
          200: { ...CancelResponse, description: 'Cancelled, or previewed.', examples: [cancelExample] },
          202: {
            ...CancelResponse,
            description: 'The vendor has not confirmed the cancellation yet; poll the booking.',
            examples: [cancelExample],
          },
          ...problems(
            'malformed_request',
            'unauthenticated',
            'booking_not_found',
            'not_cancellable',
            'invalid_request',
            'rate_limited',
          ),
        },
      },
    },
    async (request, reply) => {
      const { booking_id: bookingId } = request.params as { booking_id: string }
      const { preview } = queryOf(request)
      if (preview !== undefined && preview !== 'true' && preview !== 'false') {
        throw invalidRequest([{ field: 'preview', code: 'not_allowed', message: 'preview must be true or false.' }])
      }
      const { signal: _, ...context } = contextOf(request, NEVER)
      const order = { accountId: callerOf(request).accountId, bookingId, preview: preview === 'true' }
      const outcome = await deps.bookingsFor(request.simulation).cancel(order, context)
      const waiting = !outcome.preview && outcome.booking.state === 'cancelling'
      return sendJson(reply, JSON.stringify({ data: presentCancel(outcome, deps.clock.now()) }), waiting ? 202 : 200)
    },
  )
}

/** The first answer's bytes, a problem's too. */
function sendStored(reply: FastifyReply, { status, body }: StoredAnswer): FastifyReply {
  const media = status < 400 ? 'application/json' : 'application/problem+json'
  return reply.code(status).header('content-type', `${media}; charset=utf-8`).send(body)
}

/** Bookings outlive the connection that asked for them. */
const NEVER = new AbortController().signal

function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = String(header)
    .trim()
    .replace(/^"(.*)"$/, '$1')
  if (key === '' || key.length > 255) {
    throw invalidRequest([
      { field: 'idempotency-key', code: 'wrong_length', message: 'idempotency-key must have 1 to 255 characters.' },
    ])
  }
  return key
}

function presentCancel({ booking, penalty, preview }: CancelOutcome, now: number) {
  const { price, property, stay } = booking
  return {
    booking_id: booking.bookingId,
    status: booking.state,
    preview,
    penalty: toMajor(penalty),
    refund: toMajor(refundOf(price, penalty)),
    currency: penalty.currency,
    cancel_policy: presentPolicy(booking.cancel, {
      total: price.total,
      dueAtProperty: price.dueAtProperty,
      stay,
      timezone: property.timezone,
      checkInTime: property.checkInTime,
      now,
    }),
  }
}
