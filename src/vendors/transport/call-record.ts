import type { VendorId } from '../../domain/offer.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import { VendorError } from '../vendor-error.ts'
import type { Call, CallClass, Reply, Send } from './call.ts'

/** A call and what came of it, as it is: with persons and signatures. */
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
export const isOnBookingPath = ({ class: of }: Call): boolean => BOOKING_PATH.includes(of)

/** Tells of every call on the way of a booking, and of any other that failed. */
export function withRecords(send: Send, vendor: VendorId, clock: Clock, onRecord: OnRecord): Send {
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
