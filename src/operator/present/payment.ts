import type { Static } from 'typebox'
import type { BookingState } from '../../domain/booking/booking.ts'
import { toMajor } from '../../domain/money/money.ts'
import type { Payment } from '../../domain/payment/payment.ts'
import { moment, momentOrNull } from '../../http/present/moment.ts'
import type { PaymentRecords } from '../../payments/manage-payments.ts'
import { presentPayment } from '../../payments/present.ts'
import type { OperatorPaymentSchema, PaymentRecordsSchema } from '../schemas/payments.ts'

export function presentOperatorPayment(payment: Payment): Static<typeof OperatorPaymentSchema> {
  const { currency, owed } = payment
  return {
    ...presentPayment(payment),
    state: payment.state,
    reason: payment.reason ?? null,
    account_id: payment.accountId,
    owed: owed === undefined ? null : toMajor({ minor: owed, currency }),
    disputed: toMajor({ minor: payment.disputed, currency }),
    provider_reference: payment.reference ?? null,
    livemode: payment.isLive,
  }
}

export function presentPaymentRecords(
  { payment, operations, entries }: PaymentRecords,
  bookingStatus: BookingState | undefined,
): Static<typeof PaymentRecordsSchema> {
  const { currency } = payment
  return {
    ...presentOperatorPayment(payment),
    booking_status: bookingStatus ?? null,
    operations: operations.map(({ number, kind, amount, key, firstSentAt, state, error }) => ({
      ...{ number, kind, amount: toMajor({ minor: amount, currency }), key },
      ...{ sent_at: momentOrNull(firstSentAt), state, reason: error ?? null },
    })),
    entries: entries.map(({ kind, amount, at }) => ({
      ...{ kind, amount: toMajor({ minor: amount, currency }), at: moment(at) },
    })),
  }
}
