import type { Static } from 'typebox'
import { presentBooking } from '../../booking/present/booking.ts'
import { presentHistory } from '../../booking/present/history.ts'
import type { AskResult } from '../../booking/settle/ask-vendor.ts'
import type { Booking } from '../../domain/booking/booking.ts'
import type { VendorCall } from '../../domain/vendor-call.ts'
import { moment, momentOrNull } from '../../http/present/moment.ts'
import type { MailRecord } from '../../mail/store/log.ts'
import { presentDelivery } from '../../webhooks/present.ts'
import type { BookingFile } from '../booking-file.ts'
import type { SearchedRange } from '../find-bookings.ts'
import type {
  AskedResponse,
  BookingFileResponse,
  OperatorBookingList,
  OperatorBookingSchema,
  VendorCallSchema,
} from '../schemas/bookings.ts'

export const presentOperatorBooking = (
  booking: Booking,
  now: number,
  seesNet: boolean,
): Static<typeof OperatorBookingSchema> => ({
  ...presentBooking(booking, now, undefined, seesNet),
  account_id: booking.accountId,
})

export const presentSearchedRange = (
  looked: SearchedRange,
): NonNullable<Static<typeof OperatorBookingList>['looked_at']> => ({
  bookings: looked.bookings,
  back_to: momentOrNull(looked.backTo),
  all: looked.isAll,
})

type File = Static<typeof BookingFileResponse>['data']

export function presentBookingFile(file: BookingFile, now: number, seesNet: boolean): File {
  const { booking, account } = file
  const { events, readings } = presentHistory(file, now, seesNet)
  return {
    booking: presentOperatorBooking(booking, now, seesNet),
    account: account === undefined ? null : presentAccount(account),
    events,
    readings,
    vendor_calls: file.calls.map((call) => presentVendorCall(call, seesNet)),
    deliveries: file.deliveries.map(presentDelivery),
    mails: file.mails.map(presentMail),
  }
}

const presentAccount = ({ id, email, name, role, disabledAt }: NonNullable<BookingFile['account']>) => ({
  id,
  email,
  name,
  role,
  disabled: disabledAt !== undefined,
})

/** Bodies contain net prices. */
export const presentVendorCall = (call: VendorCall, seesNet: boolean): Static<typeof VendorCallSchema> => ({
  id: call.id,
  at: moment(call.at),
  vendor_id: call.vendorId,
  class: call.class,
  operation: call.operation,
  request_id: call.requestId,
  booking_id: call.bookingId ?? null,
  method: call.method,
  path: call.path,
  status: call.status ?? null,
  fault: call.fault ?? null,
  took_ms: call.tookMs,
  request: (seesNet ? call.request : undefined) ?? null,
  response: (seesNet ? call.response : undefined) ?? null,
})

const presentMail = (mail: MailRecord): File['mails'][number] => ({
  sequence: mail.sequence,
  kind: mail.kind,
  created_at: moment(mail.createdAt),
  next_attempt_at: momentOrNull(mail.dueAt),
  attempts: mail.attempts,
  outcome: mail.outcome,
  error: mail.error ?? null,
})

export const presentAsked = (
  { before, after, isAsked }: AskResult,
  now: number,
  seesNet: boolean,
): Static<typeof AskedResponse>['data'] => ({
  asked: isAsked,
  status_before: before.state,
  booking: presentOperatorBooking(after, now, seesNet),
})
