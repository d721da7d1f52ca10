import type { VendorId } from '../../domain/offer.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import { VendorError } from '../vendor-error.ts'
import type { Call, CallClass, Reply, Send } from './call.ts'

/** A call and its outcome, unredacted. */
export type CallRecord = {
  readonly at: number
  readonly vendor: VendorId
  readonly call: Call
  readonly requestId: string
  readonly bookingId: string | undefined
  readonly outcome: Reply | { readonly fault: string }
  readonly tookMs: number
}
export type OnRecord = (record: CallRecord) => void

const BOOKING_PATH: readonly CallClass[] = ['price_check', 'book', 'manage']
export const isOnBookingPath = ({ class: callClass }: Call): boolean => BOOKING_PATH.includes(callClass)

/** Records every call of the booking path, and any other call that failed. */
export function withCallRecords(send: Send, vendor: VendorId, clock: Clock, onRecord: OnRecord): Send {
  return async (call, context) => {
    const at = clock.now()
    const startedAt = monotonicMs()
    const record = (outcome: CallRecord['outcome']) => {
      const { requestId, bookingId } = context
      const tookMs = Math.round(monotonicMs() - startedAt)
      onRecord({ at, vendor, call, requestId, bookingId, outcome, tookMs })
    }
    try {
      const reply = await send(call, context)
      if (isOnBookingPath(call) || reply.status >= 400) record(reply)
      return reply
    } catch (error) {
      record({ fault: error instanceof VendorError ? error.fault : 'unknown' })
      throw error
    }
  }
}
