import type { SimulatedOutcome } from '../../domain/simulation.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Capabilities, ContentPage, ContentQuery, Vendor } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import { describeProperty, sellersOf } from './describe.ts'
import { readRef, refOf } from './offer-ref.ts'
import { cheapestOf, OFFER_TTL_MS, roomOffersOf } from './offers.ts'
import { priceOf } from './price.ts'
import { cancelTermsIn } from './rate-plans.ts'
import { cancelFeeOf, cancelledReceipt, foundReceipt, receiptOf } from './receipts.ts'
import { refuseLate, troubleBooking, troubleSearching } from './simulate.ts'
import { type Site, siteOf, townAround } from './town.ts'
import { propertyIdOf, type SimulatorId } from './vendor-ids.ts'

const CAPABILITIES: Capabilities = {
  roomsMax: 8,
  nightsMax: 28,
  leadDaysMax: 500,
  propertiesPerCallMax: 1000,
  currencies: 'any',
  bookIsIdempotent: true,
  absenceIsFinal: true,
  bookTimeoutMs: 5_000,
  visibilityLagMs: 0,
  offerTtlMs: OFFER_TTL_MS,
}

/** A vendor that lives in this process, keeps nothing and fails as it is told. Nothing it does leaves the process. */
export function createSimulatorVendor(vendorId: SimulatorId, outcome: SimulatedOutcome, clock: Clock): Vendor {
  return {
    id: vendorId,
    capabilities: CAPABILITIES,
    async *content(query, { signal }) {
      refuseLate(vendorId, signal)
      yield pageOf(vendorId, query)
    },
    async availability(query, { signal }) {
      await troubleSearching(vendorId, outcome, signal)
      return { offers: outcome === 'empty' ? [] : cheapestOf(vendorId, query, clock.now()), dropped: 0 }
    },
    async rooms(query, { signal }) {
      await troubleSearching(vendorId, outcome, signal)
      return outcome === 'empty' ? [] : roomOffersOf(vendorId, query, clock.now())
    },
    async priceCheck(ref, { signal }) {
      refuseLate(vendorId, signal)
      if (outcome === 'sold_out') return { status: 'sold_out' }
      if (outcome === 'offer_expired') throw new VendorError(vendorId, 'expired', 'none', { detail: 'simulated' })
      const { asked, timezone } = readRef(vendorId, ref)
      const now = { ...asked, isRaised: asked.isRaised || outcome === 'price_changed' }
      const price = priceOf(now)
      return {
        status: 'available',
        price,
        cancel: cancelTermsIn(now.stay, timezone, clock.now())(now.plan, price.total),
        ref: refOf(now, timezone),
        expiresAt: clock.now() + OFFER_TTL_MS,
      }
    },
    async book(order, { signal }) {
      await troubleBooking(vendorId, outcome, signal)
      const { asked, timezone } = readRef(vendorId, order.ref)
      return receiptOf(order.reference, asked, timezone)
    },
    async find(lookup, { signal }) {
      refuseLate(vendorId, signal)
      return foundReceipt(lookup)
    },
    async previewCancel(lookup, { signal }) {
      refuseLate(vendorId, signal)
      const fee = cancelFeeOf(lookup, clock.now())
      return fee && { fee }
    },
    async cancel(lookup, { signal }) {
      refuseLate(vendorId, signal)
      return cancelledReceipt(lookup, clock.now())
    },
    async probe({ signal }) {
      refuseLate(vendorId, signal)
      return [{ name: 'reach', ok: true, detail: 'in this process; there is nothing to connect to' }]
    },
  }
}

/** A feed has no end to walk to: a town is there wherever one looks. So it is empty, and areas are not. */
function pageOf(vendorId: SimulatorId, query: ContentQuery): ContentPage {
  const sites = sitesOf(vendorId, query).filter((site) => sellersOf(site).includes(vendorId))
  return {
    properties: sites.map((site) => describeProperty(vendorId, site)),
    dropped: 0,
    cursor: undefined,
    total: sites.length,
  }
}

function sitesOf(vendorId: SimulatorId, query: ContentQuery): Site[] {
  if (query.kind === 'feed') return []
  if (query.kind === 'area') return townAround(query.circle).slice(0, query.limit)
  return query.ids.flatMap((id) => propertyIdOf(vendorId, id) ?? []).map(siteOf)
}
