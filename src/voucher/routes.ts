import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { ShowBookings } from '../booking/show-bookings.ts'
import type { Booking } from '../domain/booking/booking.ts'
import { AppError } from '../domain/errors.ts'
import { fairnessKey } from '../domain/guest-access.ts'
import { chooseMediaType } from '../http/body/accepted-media.ts'
import { createOneAtATime } from '../http/limits/one-at-a-time.ts'
import { bookingOwner, requireCaller } from '../http/middleware/request-context.ts'
import { operation } from '../http/operation.ts'
import { jsonResponse } from '../http/schemas/answer.ts'
import { buildCalendar } from './calendar.ts'
import { presentVoucher } from './present.ts'
import { printVoucher } from './print-voucher.ts'
import { VoucherResponse } from './schemas.ts'
import { createVoucher, type Voucher } from './voucher.ts'
import { voucherHtml } from './voucher-html.ts'

/** A PDF takes 50 to 300 ms of processor time, so the last one waits a few seconds at most. */
const PDFS_WAITING_MAX = 4
const inTurn = createOneAtATime(
  PDFS_WAITING_MAX,
  () =>
    new AppError('rate_limited', 'Too many of your vouchers are being printed. Wait until one is finished.', {
      retryAfterMs: 1_000,
    }),
)

type VoucherRoute = { Params: Static<typeof BookingId> }
const BookingId = Type.Object({ booking_id: Type.String() })

/** The first is the default. */
const MEDIA = ['application/json', 'text/html', 'application/pdf', 'text/calendar'] as const
/** The document has inline styles and loads nothing. */
const HTML_POLICY = "default-src 'none';style-src 'unsafe-inline';frame-ancestors 'none'"

type Deps = {
  readonly showBookings: ShowBookings
  /** Domain in the ids of calendar entries, as in mails. */
  readonly calendarDomain: string
}

export const voucherRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  app.get<VoucherRoute>('/api/accommodation/bookings/:booking_id/voucher', VOUCHER, (request, reply) =>
    send(deps, request, reply),
  )
}

async function send(
  { showBookings, calendarDomain }: Deps,
  request: FastifyRequest<VoucherRoute>,
  reply: FastifyReply,
) {
  const { booking_id: bookingId } = request.params
  const { booking } = await showBookings.show(bookingOwner(request), bookingId, request.simulation)
  return sendVoucher(booking, calendarDomain, request, reply)
}

export async function sendVoucher(booking: Booking, domain: string, request: FastifyRequest, reply: FastifyReply) {
  reply.header('vary', 'accept')
  const media = chooseMediaType(request.headers.accept, MEDIA)
  if (booking.state !== 'confirmed')
    throw new AppError('no_voucher', `Only a confirmed booking has a voucher. This one is ${booking.state}.`)
  return media === 'text/calendar'
    ? sendCalendar(booking, domain, reply)
    : sendAs(media, createVoucher(booking), request, reply)
}

function sendCalendar(booking: Booking, domain: string, reply: FastifyReply) {
  const entry = { isCancelled: false, sequence: 0, at: booking.updatedAt, domain }
  reply.header('content-disposition', `attachment; filename="booking-${booking.reference}.ics"`)
  return reply.type('text/calendar; charset=utf-8').send(buildCalendar(booking, entry).text)
}

type DocumentMedia = Exclude<(typeof MEDIA)[number], 'text/calendar'>

async function sendAs(media: DocumentMedia, voucher: Voucher, request: FastifyRequest, reply: FastifyReply) {
  const fileName = `voucher-${voucher.reference}`
  switch (media) {
    case 'application/json':
      return { data: presentVoucher(voucher) }
    case 'text/html':
      reply.header('content-security-policy', HTML_POLICY).type('text/html; charset=utf-8')
      return reply.send(voucherHtml(voucher))
    case 'application/pdf': {
      const pdf = await inTurn(fairnessKey(requireCaller(request).accountId, request.ip), reply.raw, () =>
        printVoucher(voucher),
      )
      reply.header('content-disposition', `inline; filename="${fileName}.pdf"`).type('application/pdf')
      return reply.send(pdf)
    }
  }
}

const text = (description: string) => ({ schema: Type.String({ description }) })

export const VOUCHER_ANSWERS = {
  200: {
    description: 'The voucher.',
    content: {
      ...jsonResponse('', VoucherResponse).content,
      'text/html': text('A document without scripts.'),
      'application/pdf': { schema: Type.String({ contentMediaType: 'application/pdf' }) },
      'text/calendar': text('The stay as a calendar entry (RFC 5545).'),
    },
  },
}
export const VOUCHER_PROBLEMS = ['booking_not_found', 'not_acceptable', 'no_voucher'] as const

const VOUCHER = operation('booking.voucher', {
  access: 'read',
  cost: 3,
  summary: 'Read the voucher of a confirmed booking',
  description:
    'The document a guest shows at check-in: names, dates, room, confirmation numbers and the vendor’s required texts, without prices. As JSON, HTML or PDF, by `accept`; `text/calendar` returns the stay as a calendar entry. The PDF prints all common scripts, and � for a character without a font, such as an emoji.',
  params: BookingId,
  answers: VOUCHER_ANSWERS,
  problems: VOUCHER_PROBLEMS,
})
