import type { SimulatedOutcome } from '../../domain/simulation.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Capabilities } from '../capabilities.ts'
import type { ContentPage, ContentQuery, Vendor } from '../contract.ts'
import { type Effect, VendorError, type VendorFault } from '../vendor-error.ts'
import { describeSimulatedProperty } from './describe.ts'
import {
  buildRef,
  createReceipt,
  listCheapest,
  listRoomOffers,
  OFFER_TTL_MS,
  readCancelFee,
  readRef,
  restoreReceipt,
} from './offers.ts'
import { buildCancelTerms, calculatePrice } from './rates.ts'
import { findSoldSite, type SimulatorId, type Site, sitesAround } from './sites.ts'

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
/** A hanging booking ends by itself, so that the client soon gets the unknown outcome. */
const HANGING_BOOK_MS = 1_500

/** Failures requested by the header. */
function createFailures(vendorId: SimulatorId, outcome: SimulatedOutcome) {
  const fail = (fault: VendorFault, effect: Effect = 'none') =>
    new VendorError(vendorId, fault, effect, { detail: 'simulated' })
  const throwIfAborted = (signal: AbortSignal) => {
    if (signal.aborted) throw fail('timeout')
  }
  return {
    fail,
    throwIfAborted,
    async simulateSearch(signal: AbortSignal) {
      throwIfAborted(signal)
      if (outcome === 'vendor_timeout') await waitForAbort(signal)
      throwIfAborted(signal)
      if (outcome === 'vendor_error' || (outcome === 'partial' && vendorId === 'simulator_b')) throw fail('unavailable')
    },
    async simulateBooking(signal: AbortSignal) {
      throwIfAborted(signal)
      if (outcome === 'vendor_timeout') {
        await waitForAbort(AbortSignal.any([signal, AbortSignal.timeout(HANGING_BOOK_MS)]))
        throw fail('timeout', 'unknown')
      }
      if (outcome === 'vendor_error') throw fail('unavailable', 'unknown')
      if (outcome === 'vendor_refuses') throw fail('refused')
      if (outcome === 'sold_out') throw fail('sold_out')
      if (outcome === 'offer_expired') throw fail('expired')
    },
  }
}

/** In-process vendor without state or side effects. Fails as the header requests. */
export function createSimulatorVendor(vendorId: SimulatorId, outcome: SimulatedOutcome, clock: Clock): Vendor {
  const { fail, throwIfAborted, simulateSearch, simulateBooking } = createFailures(vendorId, outcome)
  return {
    id: vendorId,
    capabilities: CAPABILITIES,
    async *content(query, { signal }) {
      throwIfAborted(signal)
      yield buildPage(vendorId, query)
    },
    async availability(query, { signal }) {
      await simulateSearch(signal)
      return { offers: outcome === 'empty' ? [] : listCheapest(vendorId, query, clock.now()), dropped: 0 }
    },
    async rooms(query, { signal }) {
      await simulateSearch(signal)
      return outcome === 'empty' ? [] : listRoomOffers(vendorId, query, clock.now())
    },
    async priceCheck(ref, { signal }) {
      throwIfAborted(signal)
      if (outcome === 'sold_out') return { status: 'sold_out' }
      if (outcome === 'offer_expired') throw fail('expired')
      const { rate, timezone } = readRef(vendorId, ref)
      const changed = {
        ...rate,
        isRaised: rate.isRaised || outcome === 'price_changed',
        isWorse: rate.isWorse || outcome === 'terms_changed',
      }
      const price = calculatePrice(changed)
      const cancel = buildCancelTerms(changed, price.total, timezone, clock.now())
      const expiresAt = clock.now() + OFFER_TTL_MS
      return { status: 'available', price, cancel, board: rate.plan.board, ref: buildRef(changed, timezone), expiresAt }
    },
    async book(order, { signal, beforeSend }) {
      throwIfAborted(signal)
      await beforeSend?.()
      await simulateBooking(signal)
      const { rate, timezone } = readRef(vendorId, order.ref)
      const laterChange = outcome === 'vendor_cancels' || outcome === 'other_hotel' ? outcome : undefined
      return createReceipt(order.reference, rate, timezone, laterChange)
    },
    async find(lookup, { signal }) {
      throwIfAborted(signal)
      return restoreReceipt(lookup)
    },
    async previewCancel(lookup, { signal }) {
      throwIfAborted(signal)
      const fee = readCancelFee(lookup, clock.now())
      return fee && { fee }
    },
    async cancel(lookup, { signal }) {
      throwIfAborted(signal)
      const cancelFee = readCancelFee(lookup, clock.now())
      const { vendorReference } = restoreReceipt(lookup)
      return { vendorReference, state: 'cancelled', ...(cancelFee === undefined ? {} : { cancelFee }) }
    },
    async amend(_lookup, _amendment, { signal }) {
      throwIfAborted(signal)
    },
    async probe({ signal }) {
      throwIfAborted(signal)
      return [{ name: 'reach', ok: true, detail: 'in this process; there is nothing to connect to' }]
    },
  }
}

/** Properties exist everywhere, so a complete feed would be endless: it is empty. */
function buildPage(vendorId: SimulatorId, query: ContentQuery): ContentPage {
  let sites: readonly Site[] = []
  if (query.kind === 'area') sites = sitesAround(query.circle).slice(0, query.limit)
  if (query.kind === 'ids') sites = query.ids.flatMap((id) => findSoldSite(vendorId, id) ?? [])
  const properties = sites
    .filter(({ sellers }) => sellers.includes(vendorId))
    .map((site) => describeSimulatedProperty(vendorId, site))
  return { properties, dropped: 0, cursor: undefined, total: properties.length }
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
