import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import type { ShowBookings } from '../../booking/show-bookings.ts'
import { AppError } from '../../domain/errors.ts'
import { bookingOwner } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import { createPaymentReceipt } from '../payment-receipt.ts'
import { presentReceipt } from '../present.ts'
import { receiptDocument } from '../receipt-document.ts'
import { ReceiptResponse } from '../schemas.ts'
import { chooseDocumentMedia, DOCUMENT_TEXTS, sendDocument } from './send-document.ts'
import type { VoucherSettings } from './voucher.ts'

const BookingId = Type.Object({ booking_id: Type.String() })
type ReceiptRoute = { Params: Static<typeof BookingId> }
type Deps = Pick<VoucherSettings, 'isSandbox'> & { readonly showBookings: ShowBookings }

export const receiptRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { showBookings, isSandbox }) => {
  app.get<ReceiptRoute>('/api/accommodation/bookings/:booking_id/receipt', RECEIPT, async (request, reply) => {
    const media = chooseDocumentMedia(request, reply)
    const shown = await showBookings.show(bookingOwner(request), request.params.booking_id, request.simulation)
    const receipt = createPaymentReceipt(shown.booking, shown.payment, await shown.readEvents())
    if (receipt === undefined)
      throw new AppError('no_receipt', 'Nothing has been charged to a card for this booking, so it has no receipt.')
    const formats = {
      fileName: `receipt-${receipt.reference}`,
      document: receiptDocument({ ...receipt, simulated: receipt.simulated || isSandbox }),
      toJson: () => presentReceipt(receipt),
    }
    return sendDocument(media, formats, request, reply)
  })
}

const RECEIPT = operation('booking.receipt', {
  access: 'read',
  cost: 3,
  summary: 'Read the receipt of a card payment',
  description:
    'What was charged to the guest’s card for this booking, and what was refunded. As JSON, HTML or PDF, by `accept`. It is not a tax invoice of the property.',
  params: BookingId,
  answers: {
    200: {
      description: 'The receipt.',
      content: { ...jsonResponse('', ReceiptResponse).content, ...DOCUMENT_TEXTS },
    },
  },
  problems: ['booking_not_found', 'not_acceptable', 'no_receipt'],
})
