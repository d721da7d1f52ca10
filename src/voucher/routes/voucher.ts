import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { adviseByState } from '../../booking/refusals.ts'
import type { ShowBookings } from '../../booking/show-bookings.ts'
import type { Booking } from '../../domain/booking/booking.ts'
import { AppError } from '../../domain/errors.ts'
import { bookingOwner } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import { buildCalendar } from '../calendar.ts'
import { presentVoucher } from '../present.ts'
import { VoucherResponse } from '../schemas.ts'
import { createVoucher } from '../voucher.ts'
import { voucherDocument } from '../voucher-document.ts'
import { chooseDocumentMedia, DOCUMENT_TEXTS, sendDocument } from './send-document.ts'

type VoucherRoute = { Params: Static<typeof BookingId> }
const BookingId = Type.Object({ booking_id: Type.String() })

export type VoucherSettings = {
  /** Domain in the ids of calendar entries, as in mails. */
  readonly calendarDomain: string
  /** Marks every document as simulated: all vendors are sandboxes. */
  readonly isSandbox: boolean
}
type Deps = VoucherSettings & { readonly showBookings: ShowBookings }

export const voucherRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  app.get<VoucherRoute>('/api/accommodation/bookings/:booking_id/voucher', VOUCHER, (request, reply) =>
    send(deps, request, reply),
  )
}

async function send(deps: Deps, request: FastifyRequest<VoucherRoute>, reply: FastifyReply) {
  const { booking_id: bookingId } = request.params
  const { booking } = await deps.showBookings.show(bookingOwner(request), bookingId, request.simulation)
  return sendVoucher(booking, deps, request, reply)
}

export async function sendVoucher(
  booking: Booking,
  { calendarDomain, isSandbox }: VoucherSettings,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const media = chooseDocumentMedia(request, reply, ['text/calendar'])
  const { state } = booking
  if (state !== 'confirmed')
    throw new AppError(
      'no_voucher',
      `Only a confirmed booking has a voucher. This one is ${state}.${adviseByState(state)}`,
    )
  if (media === 'text/calendar') return sendCalendar(booking, calendarDomain, reply)
  const voucher = createVoucher(booking)
  const formats = {
    fileName: `voucher-${voucher.reference}`,
    document: voucherDocument({ ...voucher, simulated: voucher.simulated || isSandbox }),
    toJson: () => presentVoucher(voucher),
  }
  return sendDocument(media, formats, request, reply)
}

function sendCalendar(booking: Booking, domain: string, reply: FastifyReply) {
  const entry = { isCancelled: false, sequence: 0, at: booking.updatedAt, domain }
  reply.header('content-disposition', `attachment; filename="booking-${booking.reference}.ics"`)
  return reply.type('text/calendar; charset=utf-8').send(buildCalendar(booking, entry).text)
}

export const VOUCHER_ANSWERS = {
  200: {
    description: 'The voucher.',
    content: {
      ...jsonResponse('', VoucherResponse).content,
      ...DOCUMENT_TEXTS,
      'text/calendar': { schema: Type.String({ description: 'The stay as a calendar entry (RFC 5545).' }) },
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
