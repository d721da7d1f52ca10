import type { Conditions, Offer, RoomOffer, VendorId } from '../domain/offer.ts'
import type { VendorOutcome } from '../domain/saved-search.ts'
import type { Market, Stay } from '../domain/stay.ts'
import type { CallContext } from '../lib/async/call-context.ts'
import { chunkEvenly } from '../lib/chunk.ts'
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
  readonly conditions?: Conditions
}

type VendorPropertyRef = { readonly vendorId: VendorId; readonly vendorPropertyId: string }
export type VendorRooms = VendorPropertyRef & { readonly rooms: readonly RoomOffer[] }

type Deps = {
  readonly clock: Clock
  onBug(error: unknown, vendorId: VendorId): void
  onRefusedCondition?(error: unknown, vendorId: VendorId): void
}

type Listeners = {
  onOffers(vendorId: VendorId, offers: readonly Offer[]): void
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
  /** `skipped`: it does not support a condition. `throttled`: a rate limit left no room for the request. */
  readonly status: 'ok' | 'timeout' | 'error' | 'skipped' | 'throttled'
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
  const { stay, timezone, conditions } = question
  const today = dateIn(timezone, deps.clock.now())
  const startedAt = monotonicMs()
  const asked = new Map(
    world.vendors.map(({ id }) => [id, { ids: new Set<string>(), answers: [] as Promise<BatchAnswer>[] }]),
  )

  async function askBatch(vendor: Vendor, ids: readonly string[]): Promise<BatchAnswer> {
    const query = { vendorPropertyIds: ids, ...question }
    const answer = await attempt(deps, vendor.id, context.signal, async () => {
      if (conditions !== undefined && (await vendor.supportsConditions?.(conditions, context)) === false)
        return undefined
      const availability = await world.answers.availability(questionKey(vendor.id, query), context.signal, (signal) =>
        vendor.availability(query, { ...context, signal }),
      )
      onOffers(vendor.id, availability.offers)
      return availability
    })
    if (answer.status !== 'ok') return { status: answer.status, properties: 0, isIncomplete: false }
    if (answer.value === undefined) return { status: 'skipped', properties: 0, isIncomplete: false }
    const { offers, isIncomplete = false } = answer.value
    return { status: 'ok', properties: countProperties(offers), isIncomplete }
  }

  async function vendorOutcome(vendor: Vendor, gaps: ContentGaps): Promise<VendorOutcome> {
    const answers = await Promise.all(asked.get(vendor.id)?.answers ?? [])
    const outcome: VendorOutcome = {
      vendorId: vendor.id,
      ...(canAnswer(vendor, stay, today) ? describeAnswers(answers, gaps.get(vendor.id)) : { status: 'skipped' }),
      properties: answers.reduce((sum, { properties }) => sum + properties, 0),
      tookMs: Math.round(monotonicMs() - startedAt),
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
        for (const batch of chunkEvenly(fresh, vendor.capabilities.propertiesPerCallMax))
          before.answers.push(askBatch(vendor, batch))
      }
    },
    finish: (gaps) => Promise.all(world.vendors.map((vendor) => vendorOutcome(vendor, gaps))),
  }
}

/** Several rates of a property follow each other. */
const countProperties = (offers: readonly Offer[]): number =>
  offers.reduce(
    (sum, { vendorPropertyId }, index) => sum + Number(offers[index - 1]?.vendorPropertyId !== vendorPropertyId),
    0,
  )

/** A vendor whose properties are unknown was asked for none of them: that is not "no rooms". */
function describeAnswers(
  answers: readonly BatchAnswer[],
  gap: ContentGap | undefined,
): Pick<VendorOutcome, 'status' | 'reason'> {
  const has = (status: BatchAnswer['status']) => answers.some((answer) => answer.status === status)
  if (has('skipped')) return { status: 'skipped', reason: 'condition_not_supported' }
  const reason = incompleteReason(answers, gap)
  const withReason = reason && { reason }
  if (has('timeout')) return { status: 'timeout', ...withReason }
  if (has('error') || (has('throttled') && !has('ok'))) return { status: 'error', ...withReason }
  if (reason === undefined) return { status: 'ok' }
  return { status: answers.length === 0 && (gap === 'timeout' || gap === 'error') ? gap : 'partial', reason }
}

function incompleteReason(answers: readonly BatchAnswer[], gap: ContentGap | undefined): VendorOutcome['reason'] {
  if (gap !== undefined) return 'content_incomplete'
  if (answers.some(({ status }) => status === 'throttled')) return 'quota'
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
      status: answer.status === 'throttled' ? 'error' : answer.status,
      properties: rooms.length > 0 ? 1 : 0,
      tookMs: Math.round(monotonicMs() - startedAt),
    }
    return { rooms: { vendorId, vendorPropertyId, rooms }, outcome }
  }

  const answers = await Promise.all(refs.map(askOne))
  return { rooms: answers.map(({ rooms }) => rooms), vendors: answers.map(({ outcome }) => outcome) }
}

type Attempt<T> =
  | { readonly status: 'ok'; readonly value: T }
  | { readonly status: Exclude<BatchAnswer['status'], 'ok'> }

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
    if (!(error instanceof VendorError)) {
      deps.onBug(error, vendorId)
      return { status: 'error' }
    }
    if (error.fault === 'condition_refused') {
      deps.onRefusedCondition?.(error, vendorId)
      return { status: 'skipped' }
    }
    return { status: error.fault === 'timeout' || error.fault === 'throttled' ? error.fault : 'error' }
  }
}
