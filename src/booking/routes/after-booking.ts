import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { AppError, invalidRequest } from '../../domain/errors.ts'
import { bookingOwner, requestContext, requireCaller, toActor } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { moment } from '../../http/present/moment.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { SeesNet } from '../../selling/can-see-net-price.ts'
import type { Vendor } from '../../vendors/contract.ts'
import type { AmendBooking } from '../amend-booking.ts'
import type { MoveTestClock } from '../move-test-clock.ts'
import { presentBooking } from '../present/booking.ts'
import { AmendRequest, ClockRequest, ClockResponse, NotificationResponse } from '../schemas/after-booking.ts'
import { BookingResponse } from '../schemas/bookings.ts'
import type { BookingStore } from '../store/bookings.ts'
import type { ClockOwner } from '../store/test-clocks.ts'
import { readGuests, readPrecondition, refuseCards } from './read-booking.ts'

export type AfterBookingDeps = {
  seesNet: SeesNet
  amendBooking: AmendBooking
  moveTestClock: MoveTestClock
  bookings: Pick<BookingStore, 'readTestOffset' | 'resetTestTime'>
  /** For vendor notifications. */
  notified: { readonly vendors: readonly Vendor[]; readonly bookings: Pick<BookingStore, 'promptReadings'> }
  clock: Clock
  settings: { mode: string }
}

type AmendRoute = { Params: { booking_id: string }; Body: Static<typeof AmendRequest> }
type NotifyRoute = { Params: { vendor_id: string }; Body: unknown }

/** Amendments, the test clock and vendor notifications. */
export const afterBookingRoutes: FastifyPluginAsyncTypebox<AfterBookingDeps> = async (app, deps) => {
  app.patch<AmendRoute>('/api/accommodation/bookings/:booking_id', AMEND, async (request) => {
    const { guests, special_requests: requests, accept_price_up_to: limit } = request.body
    if (guests == null && requests == null) throw invalidRequest([NOTHING_TO_CHANGE])
    const order = {
      ...bookingOwner(request),
      bookingId: request.params.booking_id,
      guests: guests == null ? undefined : readGuests(guests),
      specialRequests: requests ?? undefined,
      acceptPriceUpTo: limit ?? undefined,
      actor: toActor(request),
      simulation: request.simulation,
      precondition: await readPrecondition(deps, request),
    }
    const booking = await deps.amendBooking(order, requestContext(request))
    return { data: presentBooking(booking, deps.clock.now()) }
  })

  app.post<{ Body: Static<typeof ClockRequest> }>('/api/test/clock', CLOCK, async (request) => {
    const { advance_hours: hours, booking_id: bookingId } = request.body
    const now = await deps.moveTestClock(clockOwner(deps, request), hours, bookingId ?? undefined)
    return { data: { now: moment(now) } }
  })
  app.get('/api/test/clock', READ_CLOCK, async (request) => {
    const offsetMs = await deps.bookings.readTestOffset(clockOwner(deps, request))
    return { data: { now: moment(deps.clock.now() + offsetMs) } }
  })
  app.delete('/api/test/clock', RESET_CLOCK, async (request) => {
    await deps.bookings.resetTestTime(clockOwner(deps, request))
    return { data: { now: moment(deps.clock.now()) } }
  })

  app.post<NotifyRoute>('/api/vendors/:vendor_id/notifications', NOTIFY, (request) => notify(deps, request))
}

function clockOwner({ settings }: AfterBookingDeps, request: FastifyRequest): ClockOwner {
  const { accountId, key } = requireCaller(request)
  const testKeyId = key?.mode === 'test' ? key.id : undefined
  if (settings.mode === 'production' && testKeyId === undefined)
    throw new AppError('not_found', 'The test clock needs a test key, or a service in development mode.')
  return { accountId, testKeyId }
}

async function notify({ notified, clock }: AfterBookingDeps, { params, headers, body }: FastifyRequest<NotifyRoute>) {
  const vendor = notified.vendors.find(({ id }) => id === params.vendor_id)
  if (vendor?.readNotification === undefined)
    throw new AppError('not_found', 'This vendor does not send notifications.')
  const reference = vendor.readNotification({ headers, body })
  if (reference === 'unsigned') throw new AppError('unauthenticated', 'The notification is not signed by the vendor.')
  const known =
    reference === undefined ? 0 : await notified.bookings.promptReadings(vendor.id, [reference], clock.now())
  return { data: { known: known > 0 } }
}

const NOTHING_TO_CHANGE = {
  field: 'body',
  code: 'required',
  message: 'Nothing to change. Send guests, special_requests or both.',
}

const AMEND = operation('booking.amend', {
  access: 'book',
  idempotency: 'repeatable',
  ifMatch: true,
  cost: 5,
  summary: 'Change the guests or the special requests of a booking',
  description:
    'Omitted fields stay unchanged. If the `contact` is the lead guest, a new lead guest with an e-mail or phone becomes the contact. Some vendors charge for a change: `price_changed` shows the new total, and nothing is changed until it is sent as `accept_price_up_to`. The request may be repeated.',
  params: Type.Object({ booking_id: Type.String() }),
  body: AmendRequest,
  answers: { 200: jsonResponse('The changed booking.', BookingResponse) },
  problems: [
    'booking_not_found',
    'not_amendable',
    'price_changed',
    'invalid_request',
    'card_data_not_accepted',
    'vendors_failed',
    'vendor_timeout',
    'change_unconfirmed',
  ],
  preValidation: async ({ body }: FastifyRequest) => refuseCards(body),
})

const CLOCK = operation('test.clock', {
  access: 'book',
  cost: 5,
  summary: 'Advance the time of your simulated bookings',
  description:
    'With a test key, or in development. A test key has a clock of its own, for the bookings made with it. Readings, deadlines and webhooks that fall due are processed before the response, or soon after it if that takes longer than 20 seconds. Real bookings are unaffected.',
  body: ClockRequest,
  answers: { 200: jsonResponse('The current time of your simulated bookings.', ClockResponse) },
  problems: ['not_found', 'booking_not_found', 'invalid_request'],
})

const READ_CLOCK = operation('test.read_clock', {
  access: 'read',
  summary: 'Read the time of your simulated bookings',
  description: 'With a test key, or in development.',
  answers: { 200: jsonResponse('The current time of your simulated bookings.', ClockResponse) },
  problems: ['not_found'],
})

const RESET_CLOCK = operation('test.reset_clock', {
  access: 'book',
  cost: 5,
  summary: 'Set the time of your simulated bookings back to now',
  description: 'With a test key, or in development. Events that have happened stay in the history of a booking.',
  answers: { 200: jsonResponse('The real time.', ClockResponse) },
  problems: ['not_found'],
})

const NOTIFY = operation('vendor.notify', {
  access: 'public',
  summary: 'Receive a vendor’s notification that a booking has changed',
  description:
    'For vendors, which sign their requests. The booking is read again at the vendor immediately. A repeated notification is harmless.',
  params: Type.Object({ vendor_id: Type.String() }),
  body: Type.Object({}, { title: 'VendorNotification', additionalProperties: true }),
  answers: { 200: jsonResponse('Received.', NotificationResponse) },
  problems: ['unauthenticated', 'not_found', 'invalid_request'],
})
