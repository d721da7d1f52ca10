import type { VendorId } from '../../domain/offer.ts'
import { VendorError } from '../vendor-error.ts'
import type { Call, Reply, Send } from './call.ts'

export type OnExchange = (vendor: VendorId, call: Call, outcome: Reply | { readonly fault: string }) => void

/** Reports every request with its response. Decodes on this thread, because worker threads do not return the body. */
export function withExchangeReports(send: Send, vendor: VendorId, onExchange: OnExchange): Send {
  return async ({ reading: _, ...call }, context) => {
    try {
      const reply = await send(call, context)
      onExchange(vendor, call, reply)
      return reply
    } catch (error) {
      onExchange(vendor, call, { fault: error instanceof VendorError ? error.fault : 'unknown' })
      throw error
    }
  }
}
