import type { BoardOffer, FreeOffer, PropertyOffer } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import type { AvailabilityAnswer } from '../contract.ts'
import { noneOfVendor } from '../vendor-error.ts'
import { listedOffer } from './list-rates.ts'

/**
 * What a result list shows of each property: its cheapest rate, and the cheapest of each kind that can be filtered by. Vendors
 * have a filter for each of them, and some rates of each kind are far less to read than all rates. A rate without meals has no
 * filter of its own; where there is one it is the cheapest or the cheapest refundable one.
 */
export const RATE_KINDS = ['cheapest', 'refundable', 'breakfast', 'half_board', 'full_board', 'all_inclusive'] as const
export type RateKind = (typeof RATE_KINDS)[number]

/** The answer to each question; undefined where one failed, or was not asked. */
export type KindAnswers = Readonly<Partial<Record<RateKind, AvailabilityAnswer | undefined>>>

const BOARD_KINDS = RATE_KINDS.filter((kind) => kind !== 'cheapest' && kind !== 'refundable')

/** Where the caller does not say by when it needs an answer. */
const PATIENCE_MS = 60_000

/** For a question that may stay without an answer: it is given up while there is time left, because a slow one must not cost all offers. */
export function whileThereIsTime(context: CallContext): CallContext {
  const { answerBy = monotonicMs() + PATIENCE_MS } = context
  const leftMs = Math.max(0, Math.round(answerBy - monotonicMs()))
  return { ...context, signal: AbortSignal.any([context.signal, AbortSignal.timeout(leftMs)]) }
}

/** Asks for every kind at once. The cheapest must come; without those of another kind, nothing is said of that kind. */
export async function askKinds(
  kinds: readonly RateKind[],
  context: CallContext,
  ask: (kind: RateKind, context: CallContext) => Promise<AvailabilityAnswer>,
): Promise<AvailabilityAnswer> {
  const inTime = whileThereIsTime(context)
  const answers = await Promise.all(
    kinds.map(async (kind) => {
      const answer = kind === 'cheapest' ? ask(kind, context) : ask(kind, inTime).catch(noneOfVendor)
      return [kind, await answer] as const
    }),
  )
  const combined = combineKinds(Object.fromEntries(answers))
  const isWhole = answers.every(([, answer]) => answer !== undefined && answer.isIncomplete !== true)
  return isWhole ? combined : { ...combined, isIncomplete: true }
}

/**
 * One offer per property, combined from the answers to several questions; what was not answered is left out. The rate that the vendor
 * calls the cheapest may not be for sale to us, or may not be the cheapest with all fees; then the cheapest of another kind is used.
 */
export function combineKinds(answers: KindAnswers): AvailabilityAnswer {
  const { cheapest, refundable } = answers
  if (cheapest === undefined) return { offers: [], dropped: 0 }
  const given = RATE_KINDS.flatMap((kind) => answers[kind] ?? [])
  const byProperty = Map.groupBy(
    given.flatMap(({ offers }) => offers),
    ({ vendorPropertyId }) => vendorPropertyId,
  )
  const hasBoards = BOARD_KINDS.every((kind) => answers[kind] !== undefined)
  return {
    offers: Array.from(byProperty.values(), (all) => {
      const best = all.reduce((least, one) => (one.total.minor < least.total.minor ? one : least))
      const { freeOffer: _free, boardOffers: _boards, ...offer } = all.some(isLimited) ? joined(best, all) : best
      const free = cheapestFree(all)
      return {
        ...offer,
        ...((free !== undefined || refundable !== undefined) && { freeOffer: free ?? null }),
        ...(hasBoards && { boardOffers: cheapestBoards(all) }),
      }
    }),
    dropped: given.reduce((sum, { dropped }) => sum + dropped, 0),
  }
}

const isLimited = ({ bounds, others }: PropertyOffer) => bounds !== undefined || others !== undefined

/** Where the vendor limits selling prices, a rate of any answer may be the cheapest to sell. */
const joined = (given: PropertyOffer, all: readonly PropertyOffer[]): PropertyOffer =>
  listedOffer(
    given.vendorPropertyId,
    all.flatMap(({ vendorPropertyId: _id, freeOffer: _free, boardOffers: _boards, others = [], ...rate }) => [
      rate,
      ...others,
    ]),
  ) ?? given

function cheapestFree(offers: readonly PropertyOffer[]): FreeOffer | undefined {
  let best: FreeOffer | undefined
  for (const { freeOffer } of offers)
    if (freeOffer && (best === undefined || freeOffer.total.minor < best.total.minor)) best = freeOffer
  return best
}

function cheapestBoards(offers: readonly PropertyOffer[]): BoardOffer[] {
  const best = new Map<string, BoardOffer>()
  for (const offer of offers.flatMap(({ boardOffers = [] }) => boardOffers)) {
    const before = best.get(offer.board)
    if (before === undefined || offer.total.minor < before.total.minor) best.set(offer.board, offer)
  }
  return [...best.values()].sort((a, b) => a.total.minor - b.total.minor)
}
