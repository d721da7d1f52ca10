import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { BookingLinks } from '../../booking/booking-links.ts'
import { unknownBooking } from '../../booking/show-bookings.ts'
import type { GuestLimiters } from '../../http/limits/guests.ts'
import { spend } from '../../http/limits/rate-limits.ts'
import type { PageCallers } from '../../http/middleware/page-callers.ts'
import { operation } from '../../http/operation.ts'
import { moment } from '../../http/present/moment.ts'
import { dataEnvelope, jsonResponse } from '../../http/schemas/answer.ts'
import { Moment } from '../../http/schemas/scalars.ts'
import { onClose } from '../../http/streams/on-close.ts'
import { hasIdShape } from '../../lib/crypto/ids.ts'
import { addressKey } from '../../lib/net/address-key.ts'
import { EMAIL } from '../../lib/text/email.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { normalizeReference, type SendLink } from '../../mail/send-link.ts'

type Deps = {
  bookingLinks: BookingLinks
  sendLink: SendLink
  pageCallers: PageCallers
  guestLimiters: GuestLimiters
  clock: Clock
}

/** Bookings opened by the link in a mail, without an account. */
export const bookingLinkRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  const { bookingLinks, sendLink, pageCallers, guestLimiters } = deps

  app.post('/api/session/booking', OPEN, async (request, reply) => {
    pageCallers.refuseOtherSites(request)
    const link = await bookingLinks.open(request.body.token)
    if (link === undefined) throw unknownBooking()
    pageCallers.setLinkCookie(reply, link, deps.clock.now())
    return { data: { booking_id: link.bookingId, expires_at: moment(link.expiresAt) } }
  })

  app.delete('/api/session/booking/:booking_id', CLOSE, async (request, reply) => {
    pageCallers.refuseOtherSites(request)
    const { booking_id: bookingId } = request.params
    if (!hasIdShape(bookingId)) throw unknownBooking()
    pageCallers.clearLinkCookie(reply, bookingId)
    return reply.code(204).send(null)
  })

  app.post('/api/session/booking_link', SEND, async (request, reply) => {
    pageCallers.refuseOtherSites(request)
    const { reference, email } = request.body
    await spend(guestLimiters.linkMailsPerAddress, addressKey(request.ip))
    await spend(guestLimiters.linkMailsPerBooking, normalizeReference(reference))
    // Looked up after the response, whose time would otherwise tell if the booking exists.
    onClose(reply.raw, () => sendLink.start({ reference, email }))
    return reply.code(202).send({ data: { accepted: true } })
  })
}

const OpenedBooking = Type.Object({ booking_id: Type.String(), expires_at: Moment }, { title: 'OpenedBooking' })
const LinkAccepted = Type.Object({ accepted: Type.Boolean() }, { title: 'BookingLinkAccepted' })
const BookingId = Type.Object({ booking_id: Type.String() })
const OpenRequest = Type.Object({ token: Type.String({ maxLength: 300 }) }, { title: 'OpenBookingRequest' })
const SendRequest = Type.Object(
  {
    reference: Type.String({ minLength: 1, maxLength: 60, description: 'Our booking reference.' }),
    email: Type.String({
      maxLength: 254,
      pattern: EMAIL.source,
      description: 'Contact of the booking.',
      'x-errors': { pattern: { code: 'wrong_type', message: 'email must be an e-mail such as name@example.com.' } },
    }),
  },
  { title: 'BookingLinkRequest' },
)

const OPEN = operation('session.open_booking', {
  access: 'public',
  summary: 'Open a booking with the link of a mail',
  description:
    'For the page only: exchanges the token of the link for an HttpOnly cookie that shows, prints and cancels this booking for a day, and permits nothing else.',
  body: OpenRequest,
  answers: {
    200: jsonResponse(
      'Opened; `set-cookie` contains the session.',
      dataEnvelope('OpenedBookingResponse', OpenedBooking),
    ),
  },
  problems: ['unauthenticated', 'booking_not_found', 'invalid_request'],
})

const CLOSE = operation('session.close_booking', {
  access: 'public',
  summary: 'Close a booking that was opened with a link',
  description: 'For the page only: removes the cookie. The link stays valid.',
  params: BookingId,
  answers: { 204: { type: 'null', description: 'The cookie is removed.' } },
  problems: ['unauthenticated', 'booking_not_found'],
})

const SEND = operation('session.send_booking_link', {
  access: 'public',
  summary: 'Mail the link to a booking',
  description:
    'For the page only: mails the link to the contact of the booking if reference and e-mail belong together. The response is always the same.',
  body: SendRequest,
  answers: { 202: jsonResponse('Accepted.', dataEnvelope('BookingLinkResponse', LinkAccepted)) },
  problems: ['unauthenticated', 'invalid_request'],
})
