import type { PropertyOffer, VendorId } from '../domain/offer.ts'
import { type Market, nightsOf, occupancyKey, type Stay } from '../domain/stay.ts'
import type { CallContext } from '../lib/call-context.ts'
import { monotonicMs } from '../lib/clock.ts'
import type { AvailabilityAnswer, Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import type { SharedAnswers } from './shared-answers.ts'

/** How a vendor fared. Sent to the client, so that a thin result is never mistaken for a full one. */
export type VendorReport = {
  readonly vendorId: VendorId
  /** `internal` is our own failure while reading its answer; clients see `error`, the log sees the bug. */
  readonly status: 'ok' | 'timeout' | 'error' | 'skipped' | 'internal'
  readonly properties: number
  readonly tookMs: number
}

export type Question = {
  readonly stay: Stay
  readonly market: Market
  /** Of the destination, for deadlines a vendor gives without an offset. */
  readonly timezone: string
  /** Which of its properties each vendor is asked for. */
  readonly idsOf: ReadonlyMap<VendorId, readonly string[]>
  /** Vendors that could not be asked what they have here, or not for all of it. */
  readonly unreached: ReadonlyMap<VendorId, 'timeout' | 'error'>
  /** How long they were waited for: it counts as theirs. */
  readonly visitMs: number
}

type Deps = {
  readonly vendors: readonly Vendor[]
  readonly answers: SharedAnswers<AvailabilityAnswer>
  onBug(error: unknown, vendorId: VendorId): void
}

/** Called with each batch of offers as it comes. */
type OnOffers = (vendorId: VendorId, offers: readonly PropertyOffer[]) => void
type OnReport = (report: VendorReport) => void

/** Asks every vendor at once, in batches of its own size, under the deadline of `context`. Never throws for a vendor. */
export async function askVendors(
  deps: Deps,
  question: Question,
  context: CallContext,
  onOffers: OnOffers,
  onReport: OnReport,
): Promise<VendorReport[]> {
  return Promise.all(
    deps.vendors.map(async (vendor) => {
      const report = await askOne(deps, vendor, question, context, onOffers)
      onReport(report)
      return report
    }),
  )
}

async function askOne(
  deps: Deps,
  vendor: Vendor,
  question: Question,
  context: CallContext,
  onOffers: OnOffers,
): Promise<VendorReport> {
  const startedAt = monotonicMs() - (question.unreached.has(vendor.id) ? question.visitMs : 0)
  const ids = question.idsOf.get(vendor.id) ?? []
  const report = (status: VendorReport['status'], properties: number): VendorReport => ({
    vendorId: vendor.id,
    status,
    properties,
    tookMs: Math.round(monotonicMs() - startedAt),
  })
  if (!canAnswer(vendor, question.stay)) return report('skipped', 0)
  let properties = 0
  const outcomes = await Promise.all(
    batchesOf(ids, vendor.capabilities.propertiesPerCallMax).map(async (batch) => {
      try {
        const { offers } = await askBatch(deps, vendor, question, batch, context)
        properties += offers.length
        onOffers(vendor.id, offers)
        return 'ok' as const
      } catch (error) {
        if (context.signal.aborted) return 'timeout' as const
        if (error instanceof VendorError) return error.fault === 'timeout' ? ('timeout' as const) : ('error' as const)
        deps.onBug(error, vendor.id)
        return 'internal' as const
      }
    }),
  )
  // What we do not know of, we could not ask for: without this, silence would look like "no rooms".
  const missing = question.unreached.get(vendor.id)
  return report(outcomes.find((outcome) => outcome !== 'ok') ?? missing ?? 'ok', properties)
}

function canAnswer({ capabilities }: Vendor, stay: Stay): boolean {
  return stay.occupancies.length <= capabilities.roomsMax && nightsOf(stay) <= capabilities.nightsMax
}

function askBatch(deps: Deps, vendor: Vendor, question: Question, ids: readonly string[], context: CallContext) {
  const { stay, market, timezone } = question
  const key = [
    vendor.id,
    stay.checkIn,
    stay.checkOut,
    stay.occupancies.map(occupancyKey).join('+'),
    market.currency,
    market.language,
    market.countryCode,
    timezone,
    ids.join(','),
  ].join('|')
  return deps.answers(key, context.signal, (signal) =>
    vendor.availability({ vendorPropertyIds: ids, stay, market, timezone }, { ...context, signal }),
  )
}

function batchesOf(ids: readonly string[], size: number): string[][] {
  const batches: string[][] = []
  for (let at = 0; at < ids.length; at += size) batches.push(ids.slice(at, at + size))
  return batches
}
