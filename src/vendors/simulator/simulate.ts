import type { VendorId } from '../../domain/offer.ts'
import type { SimulatedOutcome } from '../../domain/simulation.ts'
import { type Effect, VendorError } from '../vendor-error.ts'
import type { SimulatorId } from './vendor-ids.ts'

/** A booking that hangs gives up by itself, so that its client is told soon that the outcome is open. */
const BOOK_PATIENCE_MS = 1_500

/** How searches and rooms go wrong: not at all, at once, or by never answering. */
export async function troubleSearching(
  vendorId: SimulatorId,
  outcome: SimulatedOutcome,
  signal: AbortSignal,
): Promise<void> {
  refuseLate(vendorId, signal)
  if (outcome === 'vendor_timeout') await abortOf(signal)
  refuseLate(vendorId, signal)
  if (outcome === 'vendor_error' || (outcome === 'partial' && vendorId === 'simulator_b')) {
    throw new VendorError(vendorId, 'unavailable', 'none', { detail: 'simulated failure' })
  }
}

export async function troubleBooking(
  vendorId: SimulatorId,
  outcome: SimulatedOutcome,
  signal: AbortSignal,
): Promise<void> {
  refuseLate(vendorId, signal)
  switch (outcome) {
    case 'vendor_timeout':
      await abortOf(AbortSignal.any([signal, AbortSignal.timeout(BOOK_PATIENCE_MS)]))
      throw timeoutOf(vendorId, 'unknown')
    case 'vendor_error':
      throw new VendorError(vendorId, 'unavailable', 'unknown', { detail: 'simulated failure' })
    case 'sold_out':
      throw new VendorError(vendorId, 'sold_out', 'none', { detail: 'simulated' })
    case 'offer_expired':
      throw new VendorError(vendorId, 'expired', 'none', { detail: 'simulated' })
    default:
  }
}

/** Every method begins with this: a caller whose time is up is not served. */
export function refuseLate(vendorId: VendorId, signal: AbortSignal): void {
  if (signal.aborted) throw timeoutOf(vendorId, 'none')
}

const timeoutOf = (vendorId: VendorId, effect: Effect) =>
  new VendorError(vendorId, 'timeout', effect, { detail: 'no answer in time' })

function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
