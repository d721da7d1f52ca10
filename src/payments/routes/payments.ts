import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { refuseCards } from '../../booking/routes/read-booking.ts'
import { readIdempotencyKey } from '../../http/middleware/idempotency.ts'
import { bookingOwner, requestContext, requireCaller } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import { computeFingerprint } from '../../lib/crypto/fingerprint.ts'
import type { SeesNet } from '../../selling/can-see-net-price.ts'
import type { CreatePayment } from '../create-payment.ts'
import { presentCreated, presentShown } from '../present.ts'
import { paymentNotFound } from '../refusals.ts'
import {
  CreatedPaymentResponse,
  type PaymentBody,
  PaymentHeaders,
  PaymentRequest,
  PaymentResponse,
} from '../schemas.ts'
import type { ShowPayments } from '../show-payment.ts'

/** Operations of card payments; absent without a provider. */
type PaymentOperations = { readonly createPayment: CreatePayment; readonly showPayments: ShowPayments }

export type PaymentRouteDeps = {
  payments: PaymentOperations | undefined
  seesNet: SeesNet
}

type CreateRoute = { Body: PaymentBody; Headers: Static<typeof PaymentHeaders> }
type PaymentId = Static<typeof PaymentId>
const PaymentId = Type.Object({ payment_id: Type.String() })

export const paymentRoutes: FastifyPluginAsyncTypebox<PaymentRouteDeps> = async (app, deps) => {
  app.post<CreateRoute>('/api/payments', CREATE, (request, reply) => create(deps, request, reply))

  app.get<{ Params: PaymentId }>('/api/payments/:payment_id', SHOW, async (request, reply) => {
    const { payment, next } = await readOperations(deps, request).showPayments.show(...readSubject(request))
    reply.header('cache-control', 'no-store')
    return { data: presentShown(payment, next) }
  })

  app.post<{ Params: PaymentId }>('/api/payments/:payment_id/release', RELEASE, async (request) => {
    const payment = await readOperations(deps, request).showPayments.release(...readSubject(request))
    return { data: presentShown(payment, { kind: 'none' }) }
  })
}

const readSubject = (request: FastifyRequest<{ Params: PaymentId }>) =>
  [requireCaller(request).accountId, request.params.payment_id] as const

/** With a test key everything is simulated, and simulated bookings take no payment. */
function readOperations(
  { payments }: PaymentRouteDeps,
  request: FastifyRequest<{ Params: PaymentId }>,
): PaymentOperations {
  if (payments === undefined || bookingOwner(request).onlySimulated === true) throw paymentNotFound()
  return payments
}

async function create(deps: PaymentRouteDeps, request: FastifyRequest<CreateRoute>, reply: FastifyReply) {
  const { accountId } = requireCaller(request)
  if (deps.payments === undefined) throw paymentNotFound()
  const order = readOrder(request)
  const created = await deps.payments.createPayment(order, requestContext(request))
  reply
    .code(created.isNew ? 201 : 200)
    .header('location', `/api/payments/${created.payment.paymentId}`)
    .header('cache-control', 'no-store')
  return { data: presentCreated(created, await deps.seesNet(accountId)) }
}

function readOrder({ body, headers, simulation, caller }: FastifyRequest<CreateRoute>) {
  const { terms_digest, accept_price_up_to, ...bookingInfo } = body
  return {
    account: { id: caller?.accountId ?? '' },
    bookingInfo: Object.fromEntries(Object.entries(bookingInfo).filter(([, value]) => value !== null)),
    termsDigest: terms_digest ?? undefined,
    acceptPriceUpTo: accept_price_up_to ?? undefined,
    fingerprint: computeFingerprint(body),
    idempotencyKey: readIdempotencyKey(headers['idempotency-key']),
    simulation,
  }
}

const CREATE = operation('payments.create', {
  access: 'book',
  idempotency: 'own',
  cost: 5,
  summary: 'Create a card payment for a room',
  description:
    'Checks the room as a booking does. The guest then authorises the amount in the browser with `next`; it is charged when the booking is confirmed. Send the `payment_id` with the booking. The same offer or `idempotency-key` gets the same payment.',
  headers: PaymentHeaders,
  body: PaymentRequest,
  answers: {
    200: jsonResponse('The payment of an earlier request.', CreatedPaymentResponse),
    201: jsonResponse('The new payment; `location` is its address.', CreatedPaymentResponse),
  },
  problems: [
    'payment_invalid',
    'payment_not_found',
    'payments_unavailable',
    'payment_outcome_unknown',
    'price_changed',
    'terms_changed',
    'sold_out',
    'offer_expired',
    'invalid_request',
    'offer_invalid',
    'card_data_not_accepted',
    'idempotency_mismatch',
    'vendors_failed',
    'vendor_timeout',
  ],
  preValidation: async ({ body }: FastifyRequest) => refuseCards(body),
})

const SHOW = operation('payments.show', {
  access: 'book',
  summary: 'Read a payment',
  description:
    'While it is open, the provider is asked for its state, at most once a second. After a lost connection, read it until `status` is decided, and do not pay again.',
  params: PaymentId,
  answers: { 200: jsonResponse('The payment.', PaymentResponse) },
  problems: ['payment_not_found', 'payments_unavailable'],
})

const RELEASE = operation('payments.release', {
  access: 'book',
  idempotency: 'repeatable',
  cost: 2,
  summary: 'Give back an authorisation that is not needed',
  description: 'Only before a booking has claimed the payment. Without it, an unclaimed payment is released by itself.',
  params: PaymentId,
  answers: { 200: jsonResponse('The payment, which is being released.', PaymentResponse) },
  problems: ['payment_not_found', 'payment_invalid', 'request_in_progress'],
})
