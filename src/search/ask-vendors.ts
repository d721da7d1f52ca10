import type { PropertyOffer, RoomOffer, VendorId } from '../domain/offer.ts'
import type { VendorOutcome } from '../domain/saved-search.ts'
import type { Market, Stay } from '../domain/stay.ts'
import type { CallContext } from '../lib/async/call-context.ts'
import { chunk } from '../lib/chunk.ts'
import { type Clock, monotonicMs } from '../lib/time/clock.ts'
import { dateIn } from '../lib/time/plain-date.ts'
import { canAnswer } from '../vendors/capabilities.ts'
import type { Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import { questionKey } from './shared-answers.ts'
import type { Candidate, ContentGap, World } from './world.ts'

type Question = {
  readonly stay: Stay
  readonly market: Market
  /** Time zone for deadlines that a vendor gives without an offset. */
  readonly timezone: string
}

type VendorPropertyRef = { readonly vendorId: VendorId; readonly vendorPropertyId: string }
export type VendorRooms = VendorPropertyRef & { readonly rooms: readonly RoomOffer[] }

type Deps = {
  readonly clock: Clock
  onBug(error: unknown, vendorId: VendorId): void
}

type Listeners = {
  onOffers(vendorId: VendorId, offers: readonly PropertyOffer[]): void
  onVendor(outcome: VendorOutcome): void
}

/** Reasons why not all of a vendor's properties in the area were known. */
export type ContentGaps = ReadonlyMap<VendorId, ContentGap>

type Asking = {
  /** Asks every vendor for those properties that it has not been asked for yet. */
  ask(candidates: readonly Candidate[]): void
  /** Resolves when all answers have arrived. Nothing can be asked afterwards. */
  finish(gaps: ContentGaps): Promise<VendorOutcome[]>
}

type BatchAnswer = {
  readonly status: 'ok' | 'timeout' | 'error'
  readonly properties: number
  readonly isIncomplete: boolean
}

/** Asks until `context` is aborted. Candidates may arrive in parts. A vendor that fails costs only its own offers. */
export function startAsking(
  deps: Deps,
  world: Pick<World, 'vendors' | 'answers'>,
  question: Question,
  context: CallContext,
  { onOffers, onVendor }: Listeners,
): Asking {
  const { stay, market, timezone } = question
  const today = dateIn(timezone, deps.clock.now())
  const startedAt = monotonicMs()
  const asked = new Map(
    world.vendors.map(({ id }) => [id, { ids: new Set<string>(), answers: [] as Promise<BatchAnswer>[] }]),
  )

  async function askBatch(vendor: Vendor, ids: readonly string[]): Promise<BatchAnswer> {
    const query = { vendorPropertyIds: ids, stay, market, timezone }
    const answer = await attempt(deps, vendor.id, context.signal, async () => {
      const availability = await world.answers.availability(questionKey(vendor.id, query), context.signal, (signal) =>
        vendor.availability(query, { ...context, signal }),
      )
      onOffers(vendor.id, availability.offers)
      return { properties: availability.offers.length, isIncomplete: availability.isIncomplete === true }
    })
    return answer.status === 'ok'
      ? { status: 'ok', ...answer.value }
      : { ...answer, properties: 0, isIncomplete: false }
  }

  async function vendorOutcome(vendor: Vendor, gaps: ContentGaps): Promise<VendorOutcome> {
    const answers = await Promise.all(asked.get(vendor.id)?.answers ?? [])
    const gap = gaps.get(vendor.id)
    const isAsked = canAnswer(vendor, stay, today)
    const reason = incompleteReason(answers, gap)
    const outcome: VendorOutcome = {
      vendorId: vendor.id,
      status: isAsked ? vendorStatus(answers, gap, reason) : 'skipped',
      properties: answers.reduce((sum, { properties }) => sum + properties, 0),
      tookMs: Math.round(monotonicMs() - startedAt),
      ...(isAsked && reason !== undefined && { reason }),
    }
    onVendor(outcome)
    return outcome
  }

  return {
    ask(candidates) {
      const soldBy = Map.groupBy(
        candidates.flatMap(({ vendors }) => vendors),
        ({ vendorId }) => vendorId,
      )
      for (const vendor of world.vendors) {
        const before = asked.get(vendor.id)
        if (before === undefined || !canAnswer(vendor, stay, today)) continue
        const ids = soldBy.get(vendor.id)?.map(({ vendorPropertyId }) => vendorPropertyId) ?? []
        const fresh = ids.filter((id) => !before.ids.has(id))
        for (const id of fresh) before.ids.add(id)
        for (const batch of chunk(fresh, vendor.capabilities.propertiesPerCallMax))
          before.answers.push(askBatch(vendor, batch))
      }
    },
    finish: (gaps) => Promise.all(world.vendors.map((vendor) => vendorOutcome(vendor, gaps))),
  }
}

/** A vendor whose properties are unknown was asked for none of them: that is not "no rooms". */
function vendorStatus(answers: readonly BatchAnswer[], gap: ContentGap | undefined, reason: VendorOutcome['reason']) {
  const failed = answers.find(({ status }) => status !== 'ok')?.status
  if (failed !== undefined) return failed
  if (reason === undefined) return 'ok'
  return answers.length === 0 && (gap === 'timeout' || gap === 'error') ? gap : 'partial'
}

function incompleteReason(answers: readonly BatchAnswer[], gap: ContentGap | undefined): VendorOutcome['reason'] {
  if (gap !== undefined) return 'content_incomplete'
  return answers.some(({ isIncomplete }) => isIncomplete) ? 'rates_incomplete' : undefined
}

/** Asks every vendor that sells the property at once. */
export async function askRooms(
  deps: Deps,
  world: Pick<World, 'vendors' | 'answers'>,
  refs: readonly VendorPropertyRef[],
  question: Question,
  context: CallContext,
): Promise<{ rooms: VendorRooms[]; vendors: VendorOutcome[] }> {
  const { stay, market, timezone } = question
  const today = dateIn(timezone, deps.clock.now())

  async function askOne({ vendorId, vendorPropertyId }: VendorPropertyRef) {
    const startedAt = monotonicMs()
    const vendor = world.vendors.find(({ id }) => id === vendorId)
    const query = { vendorPropertyId, stay, market, timezone }
    const key = questionKey(vendorId, { ...query, vendorPropertyIds: [vendorPropertyId] })
    const answer =
      vendor === undefined || !canAnswer(vendor, stay, today)
        ? ({ status: 'skipped' } as const)
        : await attempt(deps, vendorId, context.signal, () =>
            world.answers.rooms(key, context.signal, (signal) => vendor.rooms(query, { ...context, signal })),
          )
    const rooms = answer.status === 'ok' ? answer.value : []
    const outcome: VendorOutcome = {
      vendorId,
      status: answer.status,
      properties: rooms.length > 0 ? 1 : 0,
      tookMs: Math.round(monotonicMs() - startedAt),
    }
    return { rooms: { vendorId, vendorPropertyId, rooms }, outcome }
  }

  const answers = await Promise.all(refs.map(askOne))
  return { rooms: answers.map(({ rooms }) => rooms), vendors: answers.map(({ outcome }) => outcome) }
}

type Attempt<T> = { readonly status: 'ok'; readonly value: T } | { readonly status: 'timeout' | 'error' }

/** A bug in reading the answer is logged and costs only this vendor's offers. */
async function attempt<T>(
  deps: Deps,
  vendorId: VendorId,
  signal: AbortSignal,
  call: () => Promise<T>,
): Promise<Attempt<T>> {
  try {
    return { status: 'ok', value: await call() }
  } catch (error) {
    if (signal.aborted) return { status: 'timeout' }
    if (error instanceof VendorError) return { status: error.fault === 'timeout' ? 'timeout' : 'error' }
    deps.onBug(error, vendorId)
    return { status: 'error' }
  }
}
