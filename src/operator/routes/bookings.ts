import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { presentCancel } from '../../booking/present/booking.ts'
import { type CancelQuery, readCancelQuery } from '../../booking/schemas/cancel-query.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { sendList } from '../../http/body/list-request.ts'
import { sendJson } from '../../http/body/send-json.ts'
import { requestContext, requireCaller, toOperator } from '../../http/middleware/request-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import type { SeesNet } from '../../selling/can-see-net-price.ts'
import { sendVoucher, type VoucherSettings } from '../../voucher/routes/voucher.ts'
import type { ActOnBooking } from '../act-on-booking.ts'
import type { ReadBookingFile } from '../booking-file.ts'
import type { FindBookings } from '../find-bookings.ts'
import { presentAsked, presentBookingFile, presentOperatorBooking, presentSearchedRange } from '../present/booking.ts'
import type { MailBody, OperatorCancelBody, ResolveBody } from '../schemas/bookings.ts'
import { CANCEL, LIST, MAIL, READ, RESOLVE, REVOKE_LINKS, SHOW, VOUCHER } from './booking-operations.ts'

export type OperatorBookingRouteDeps = VoucherSettings & {
  findBookings: FindBookings
  readBookingFile: ReadBookingFile
  actOnBooking: ActOnBooking
  seesNet: SeesNet
  cursors: CursorCodec
  clock: Clock
}

type BookingRoute = { Params: { booking_id: string } }
type ListRoute = { Querystring: { q?: string | null } }
type CancelRoute = BookingRoute & { Querystring: CancelQuery; Body: OperatorCancelBody }

const PATH = '/api/operator/bookings/:booking_id'

export const operatorBookingRoutes: FastifyPluginAsyncTypebox<OperatorBookingRouteDeps> = async (app, deps) => {
  const { actOnBooking, clock } = deps
  const seesNet = (request: FastifyRequest) => deps.seesNet(requireCaller(request).accountId)

  app.get<ListRoute>('/api/operator/bookings', LIST, (request, reply) => list(deps, request, reply))

  app.get<BookingRoute>(PATH, SHOW, async (request) => {
    const file = await deps.readBookingFile(request.params.booking_id)
    return { data: presentBookingFile(file, clock.now(), await seesNet(request)) }
  })

  app.post<BookingRoute>(`${PATH}/read`, READ, async (request) => {
    const asked = await actOnBooking.read(request.params.booking_id)
    return { data: presentAsked(asked, clock.now(), await seesNet(request)) }
  })

  app.post<BookingRoute & { Body: ResolveBody }>(`${PATH}/resolve`, RESOLVE, async (request) => {
    const { status: to, reason, vendor_reference: vendorReference, rooms } = request.body
    const end = { to, reason, vendorReference: vendorReference?.trim() ?? '', rooms: rooms ?? undefined }
    const booking = await actOnBooking.resolve(request.params.booking_id, end, toOperator(request))
    request.changes = { status: ['needs_review', booking.state] }
    return { data: presentOperatorBooking(booking, clock.now(), await seesNet(request)) }
  })

  app.post<CancelRoute>(`${PATH}/cancel`, CANCEL, (request, reply) => cancel(deps, request, reply))

  app.get<BookingRoute>(`${PATH}/voucher`, VOUCHER, async (request, reply) => {
    const { booking } = await deps.readBookingFile(request.params.booking_id)
    return sendVoucher(booking, deps, request, reply)
  })

  app.post<BookingRoute & { Body: MailBody }>(`${PATH}/mail`, MAIL, async (request, reply) => {
    await actOnBooking.sendMail(request.params.booking_id, request.body.sequence ?? undefined)
    return reply.code(202).send({ data: { queued: 1 } })
  })

  app.post<BookingRoute>(`${PATH}/revoke_links`, REVOKE_LINKS, async (request, reply) => {
    await actOnBooking.revokeLinks(request.params.booking_id)
    return reply.code(204).send(null)
  })
}

async function list(deps: OperatorBookingRouteDeps, request: FastifyRequest<ListRoute>, reply: FastifyReply) {
  const seesNet = await deps.seesNet(requireCaller(request).accountId)
  return sendList(request, reply, {
    cursors: deps.cursors,
    async run(plan, charge) {
      const { page, looked } = await deps.findBookings(plan, charge, request.query.q ?? '')
      return { ...page, ...(looked && { looked_at: presentSearchedRange(looked) }) }
    },
    present: (booking) => presentOperatorBooking(booking, deps.clock.now(), seesNet),
  })
}

async function cancel(deps: OperatorBookingRouteDeps, request: FastifyRequest<CancelRoute>, reply: FastifyReply) {
  const query = readCancelQuery(request.query)
  const reason = request.body.reason?.trim() || undefined
  if (!query.preview && reason === undefined)
    throw invalidRequest([{ field: 'reason', code: 'required', message: 'reason is required to cancel.' }])
  const { actor } = toOperator(request)
  const context = requestContext(request)
  const outcome = await deps.actOnBooking.cancel(
    request.params.booking_id,
    { ...query, reason, simulation: request.simulation },
    actor,
    context,
  )
  const isPending = !query.preview && outcome.booking.state === 'cancelling'
  return sendJson(reply, JSON.stringify({ data: presentCancel(outcome, deps.clock.now()) }), isPending ? 202 : 200)
}
