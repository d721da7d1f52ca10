import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '../../domain/errors.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import type { ReceiveNotification } from '../receive-notification.ts'
import { paymentNotFound } from '../refusals.ts'
import { NotificationAnswer } from '../schemas.ts'

export type NotificationRouteDeps = { receiveNotification: ReceiveNotification | undefined }

/** Largest notification; a provider's object with its history is below 100 KiB. */
const BODY_MAX_BYTES = 256 * 1024

type NotifyRoute = { Params: { provider: string } }

/** In a scope of its own, because the signature is over the raw bytes. */
export const paymentNotificationRoutes: FastifyPluginAsyncTypebox<NotificationRouteDeps> = async (app, deps) => {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
    scope.post<NotifyRoute>('/api/payments/providers/:provider/notifications', NOTIFY, (request) =>
      receive(deps, request),
    )
  })
}

async function receive({ receiveNotification }: NotificationRouteDeps, request: FastifyRequest<NotifyRoute>) {
  const { params, headers, body } = request
  if (receiveNotification === undefined) throw paymentNotFound()
  const known = await receiveNotification(params.provider, headers, Buffer.isBuffer(body) ? body : Buffer.alloc(0))
  if (known === 'unsigned')
    throw new AppError('unauthenticated', 'The notification is not signed by the provider, or its time is wrong.')
  return { data: { known: known > 0 } }
}

const NOTIFY = operation('payments.notify', {
  access: 'public',
  bodyLimit: BODY_MAX_BYTES,
  summary: 'Receive a payment provider’s notification',
  description:
    'For payment providers, which sign their requests. The payment is read again at the provider; what the notification says is not used. A repeated notification is harmless.',
  params: Type.Object({ provider: Type.String() }),
  answers: { 200: jsonResponse('Received.', NotificationAnswer) },
  problems: ['unauthenticated', 'payment_not_found'],
})
