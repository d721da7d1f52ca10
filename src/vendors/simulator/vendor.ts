import type { SimulatedOutcome } from '../../domain/simulation.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Capabilities } from '../capabilities.ts'
import type { ContentPage, ContentQuery, Vendor } from '../contract.ts'
import { type Effect, VendorError, type VendorFault } from '../vendor-error.ts'
import { describeProperty } from './describe.ts'
import {
  cancelFeeOf,
  cheapestOf,
  foundReceipt,
  OFFER_TTL_MS,
  readRef,
  receiptOf,
  refOf,
  roomOffersOf,
} from './offers.ts'
import { cancelTermsOf, priceOf } from './rates.ts'
import { type SimulatorId, type Site, sitesAround, soldSite } from './sites.ts'

const CAPABILITIES: Capabilities = {
  roomsMax: 8,
  nightsMax: 28,
  leadDaysMax: 500,
  propertiesPerCallMax: 1000,
  absenceIsFinal: true,
  bookTimeoutMs: 5_000,
  visibilityLagMs: 0,
  offerTtlMs: OFFER_TTL_MS,
}
/** A booking that hangs gives up by itself, so that its client is told soon that the outcome is open. */
const BOOK_PATIENCE_MS = 1_500

/** How calls go wrong, as the header asks. */
function createTrouble(vendorId: SimulatorId, outcome: SimulatedOutcome) {
  const fail = (fault: VendorFault, effect: Effect = 'none') =>
    new VendorError(vendorId, fault, effect, { detail: 'simulated' })
  /** Every method begins with this: a caller whose time is up is not served. */
  const refuseLate = (signal: AbortSignal) => {
    if (signal.aborted) throw fail('timeout')
  }
  return {
    fail,
    refuseLate,
    async searching(signal: AbortSignal) {
      refuseLate(signal)
      if (outcome === 'vendor_timeout') await aborted(signal)
      refuseLate(signal)
      if (outcome === 'vendor_error' || (outcome === 'partial' && vendorId === 'simulator_b')) throw fail('unavailable')
    },
    async booking(signal: AbortSignal) {
      refuseLate(signal)
      if (outcome === 'vendor_timeout') {
        await aborted(AbortSignal.any([signal, AbortSignal.timeout(BOOK_PATIENCE_MS)]))
        throw fail('timeout', 'unknown')
      }
      if (outcome === 'vendor_error') throw fail('unavailable', 'unknown')
      if (outcome === 'vendor_refuses') throw fail('refused')
      if (outcome === 'sold_out') throw fail('sold_out')
      if (outcome === 'offer_expired') throw fail('expired')
    },
  }
}

/** A vendor that lives in this process, keeps nothing and fails as it is told. Nothing it does leaves the process. */
export function createSimulatorVendor(vendorId: SimulatorId, outcome: SimulatedOutcome, clock: Clock): Vendor {
  const { fail, refuseLate, searching, booking } = createTrouble(vendorId, outcome)
  return {
    id: vendorId,
    capabilities: CAPABILITIES,
    async *content(query, { signal }) {
      refuseLate(signal)
      yield pageOf(vendorId, query)
    },
    async availability(query, { signal }) {
      await searching(signal)
      return { offers: outcome === 'empty' ? [] : cheapestOf(vendorId, query, clock.now()), dropped: 0 }
    },
    async rooms(query, { signal }) {
      await searching(signal)
      return outcome === 'empty' ? [] : roomOffersOf(vendorId, query, clock.now())
    },
    async priceCheck(ref, { signal }) {
      refuseLate(signal)
      if (outcome === 'sold_out') return { status: 'sold_out' }
      if (outcome === 'offer_expired') throw fail('expired')
      const { rate, timezone } = readRef(vendorId, ref)
      const fresh = {
        ...rate,
        isRaised: rate.isRaised || outcome === 'price_changed',
        isWorse: rate.isWorse || outcome === 'terms_changed',
      }
      const price = priceOf(fresh)
      const cancel = cancelTermsOf(fresh, price.total, timezone, clock.now())
      const expiresAt = clock.now() + OFFER_TTL_MS
      return { status: 'available', price, cancel, board: rate.plan.board, ref: refOf(fresh, timezone), expiresAt }
    },
    async book(order, { signal }) {
      await booking(signal)
      const { rate, timezone } = readRef(vendorId, order.ref)
      const fate = outcome === 'vendor_cancels' || outcome === 'other_hotel' ? outcome : undefined
      return receiptOf(order.reference, rate, timezone, fate)
    },
    async find(lookup, { signal }) {
      refuseLate(signal)
      return foundReceipt(lookup)
    },
    async previewCancel(lookup, { signal }) {
      refuseLate(signal)
      const fee = cancelFeeOf(lookup, clock.now())
      return fee && { fee }
    },
    async cancel(lookup, { signal }) {
      refuseLate(signal)
      const cancelFee = cancelFeeOf(lookup, clock.now())
      const { vendorReference } = foundReceipt(lookup)
      return { vendorReference, state: 'cancelled', ...(cancelFee === undefined ? {} : { cancelFee }) }
    },
    async amend(_lookup, _amendment, { signal }) {
      refuseLate(signal)
    },
    async probe({ signal }) {
      refuseLate(signal)
      return [{ name: 'reach', ok: true, detail: 'in this process; there is nothing to connect to' }]
    },
  }
}

/** Properties stand wherever one looks, so a feed of all of them would have no end: it is empty, and areas are not. */
function pageOf(vendorId: SimulatorId, query: ContentQuery): ContentPage {
  let sites: readonly Site[] = []
  if (query.kind === 'area') sites = sitesAround(query.circle).slice(0, query.limit)
  if (query.kind === 'ids') sites = query.ids.flatMap((id) => soldSite(vendorId, id) ?? [])
  const properties = sites
    .filter(({ sellers }) => sellers.includes(vendorId))
    .map((site) => describeProperty(vendorId, site))
  return { properties, dropped: 0, cursor: undefined, total: properties.length }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
