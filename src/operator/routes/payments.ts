import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { BookingStore } from '../../booking/store/bookings.ts'
import { sendList } from '../../http/body/list-request.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse, listResponses } from '../../http/schemas/answer.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { type ManagePayments, PAYMENT_LIST, type PaymentRecords } from '../../payments/manage-payments.ts'
import { presentOperatorPayment, presentPaymentRecords } from '../present/payment.ts'
import {
  OperatorPaymentList,
  PaymentRecordsResponse,
  type RefundBody,
  RefundRequest,
  type ResolvePaymentBody,
  ResolvePaymentRequest,
} from '../schemas/payments.ts'

export type OperatorPaymentRouteDeps = {
  managePayments: ManagePayments
  bookings: Pick<BookingStore, 'any'>
  cursors: CursorCodec
}

type PaymentRoute = { Params: { payment_id: string } }

const PATH = '/api/operator/payments/:payment_id'

export const operatorPaymentRoutes: FastifyPluginAsyncTypebox<OperatorPaymentRouteDeps> = async (app, deps) => {
  const { managePayments: manage } = deps
  const present = async (records: PaymentRecords) => {
    const { bookingId } = records.payment
    const booking = bookingId === undefined ? undefined : await deps.bookings.any(bookingId)
    return { data: presentPaymentRecords(records, booking?.state) }
  }

  app.get('/api/operator/payments', LIST, (request, reply) =>
    sendList(request, reply, {
      cursors: deps.cursors,
      run: (plan, charge) => manage.list(plan, charge),
      present: presentOperatorPayment,
    }),
  )

  app.get<PaymentRoute>(PATH, SHOW, async ({ params }) => present(await manage.show(params.payment_id)))

  app.post<PaymentRoute>(`${PATH}/look`, LOOK, async ({ params }) => present(await manage.look(params.payment_id)))

  app.post<PaymentRoute & { Body: RefundBody }>(`${PATH}/refund`, REFUND, async (request) => {
    const { payment_id: paymentId } = request.params
    const before = (await manage.show(paymentId)).payment
    const records = await manage.refund(paymentId, request.body.amount ?? undefined)
    request.changes = { owed: [before.owed ?? null, records.payment.owed ?? null] }
    return present(records)
  })

  app.post<PaymentRoute & { Body: ResolvePaymentBody }>(`${PATH}/resolve`, RESOLVE, async (request) => {
    const records = await manage.resolve(request.params.payment_id, request.body.to)
    request.changes = { state: ['needs_review', records.payment.state] }
    return present(records)
  })
}

const params = Type.Object({ payment_id: Type.String() })
const answers = { 200: jsonResponse('The payment with its records.', PaymentRecordsResponse) }

const LIST = operation('operator.payments', {
  access: 'operator',
  cost: 5,
  list: PAYMENT_LIST,
  summary: 'List card payments of all accounts',
  description: 'Filter by `reason` or `state=needs_review` for payments that need an operator.',
  answers: listResponses('The payments, newest first.', OperatorPaymentList),
})

const SHOW = operation('operator.payments.show', {
  access: 'operator',
  summary: 'Read a payment with its records',
  description: 'Every request to the provider, and every entry of the ledger.',
  params,
  answers,
  problems: ['payment_not_found'],
})

const LOOK = operation('operator.payments.look', {
  access: 'operator',
  cost: 5,
  summary: 'Ask the provider about a payment now',
  params,
  answers,
  problems: ['payment_not_found', 'not_possible', 'payments_unavailable'],
})

const REFUND = operation('operator.payments.refund', {
  access: 'operator',
  cost: 5,
  summary: 'Refund a captured payment, or a part of it',
  description: 'Beyond the terms of the booking, for example as goodwill. Never more than was captured.',
  params,
  body: RefundRequest,
  answers,
  problems: ['payment_not_found', 'not_possible', 'invalid_request', 'payments_unavailable'],
})

const RESOLVE = operation('operator.payments.resolve', {
  access: 'operator',
  cost: 5,
  summary: 'End the review of a payment',
  params,
  body: ResolvePaymentRequest,
  answers,
  problems: ['payment_not_found', 'not_possible', 'invalid_request', 'payments_unavailable'],
})
