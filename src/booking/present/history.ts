import type { Static } from 'typebox'
import { soldReceipt } from '../../domain/booking/apply-sale.ts'
import type { BookingEvent } from '../../domain/booking/booking.ts'
import type { Receipt } from '../../domain/booking/receipt.ts'
import { toMajor } from '../../domain/money/money.ts'
import type { Payment } from '../../domain/payment/payment.ts'
import { moment } from '../../http/present/moment.ts'
import type { HistoryResponse } from '../schemas/after-booking.ts'
import type { WithPayment } from '../show-bookings.ts'
import type { BookingReading } from '../store/readings.ts'
import { presentBooking, presentEvent } from './booking.ts'

type History = Pick<WithPayment, 'booking'> & {
  readonly payment?: Payment | undefined
  readonly events: readonly BookingEvent[]
  readonly readings: readonly BookingReading[]
}

/** Amounts are selling prices unless `seesNet`. */
export function presentHistory(
  { booking, payment, events, readings }: History,
  now: number,
  seesNet = false,
): Static<typeof HistoryResponse>['data'] {
  return {
    booking: presentBooking(booking, now, undefined, seesNet, payment),
    events: events.map(presentEvent),
    readings: readings.map(({ at, outcome, said }) => ({
      at: moment(at),
      outcome,
      vendor_says: said === undefined ? null : presentReceipt(seesNet ? said : soldReceipt(booking, said)),
    })),
  }
}

function presentReceipt(receipt: Receipt): Record<string, unknown> {
  const { property, dates, total, cancelFee, guests, cancel, roomStates } = receipt
  return {
    status: receipt.state,
    vendor_reference: receipt.vendorReference,
    ...(property && {
      property: { vendors_property_id: property.vendorPropertyId, name: property.name ?? null },
    }),
    ...(dates && { check_in: dates.checkIn, check_out: dates.checkOut }),
    ...(receipt.rooms !== undefined && { rooms: receipt.rooms }),
    ...(roomStates && { room_statuses: [...roomStates] }),
    ...(guests && {
      guests: guests.map(({ givenName, familyName }) => ({ given_name: givenName, family_name: familyName })),
    }),
    ...(total && { total_price: toMajor(total), currency: total.currency }),
    ...(receipt.board && { board: receipt.board }),
    ...(cancel && {
      penalties: cancel.penalties.map(({ from, amount }) => ({
        from,
        amount: toMajor(amount),
        currency: amount.currency,
      })),
    }),
    ...(cancelFee && { cancellation_fee: toMajor(cancelFee), fee_currency: cancelFee.currency }),
  }
}
