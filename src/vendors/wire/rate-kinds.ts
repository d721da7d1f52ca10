import type { BoardOffer, FreeOffer, PropertyOffer } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import type { AvailabilityAnswer } from '../contract.ts'
import { ignoreVendorError } from '../vendor-error.ts'
import { summarizeRates } from './summarize-rates.ts'

/**
 * Kinds of rates in a result list: the cheapest, and the cheapest for each filter. One request for each kind returns
 * far less data than all rates.
 */
export const RATE_KINDS = ['cheapest', 'refundable', 'breakfast', 'half_board', 'full_board', 'all_inclusive'] as const
export type RateKind = (typeof RATE_KINDS)[number]

/** Undefined for a kind that failed or was not requested. */
export type KindAnswers = Readonly<Partial<Record<RateKind, AvailabilityAnswer | undefined>>>

const BOARD_KINDS = RATE_KINDS.filter((kind) => kind !== 'cheapest' && kind !== 'refundable')

/** Used if the caller sets no deadline. */
const DEFAULT_ANSWER_MS = 60_000

/** Optional request; aborted early enough to leave time for the rest. */
export function withAnswerDeadline(context: CallContext): CallContext {
  const { answerBy = monotonicMs() + DEFAULT_ANSWER_MS } = context
  const leftMs = Math.max(0, Math.round(answerBy - monotonicMs()))
  return { ...context, signal: AbortSignal.any([context.signal, AbortSignal.timeout(leftMs)]) }
}

/** Requests all kinds at once. Only `cheapest` is mandatory; the offers contain nothing about kinds that failed. */
export async function requestKinds(
  kinds: readonly RateKind[],
  context: CallContext,
  request: (kind: RateKind, context: CallContext) => Promise<AvailabilityAnswer>,
): Promise<AvailabilityAnswer> {
  const inTime = withAnswerDeadline(context)
  const answers = await Promise.all(
    kinds.map(async (kind) => {
      const answer = kind === 'cheapest' ? request(kind, context) : request(kind, inTime).catch(ignoreVendorError)
      return [kind, await answer] as const
    }),
  )
  const combined = combineKinds(Object.fromEntries(answers))
  const isComplete = answers.every(([, answer]) => answer !== undefined && answer.isIncomplete !== true)
  return isComplete ? combined : { ...combined, isIncomplete: true }
}

/**
 * Merges the responses into one offer per property. The vendor's cheapest rate may not be for sale to us or may be
 * dearer with all fees; then the cheapest of another kind is used.
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
      const best = all.reduce((cheapestOffer, offer) =>
        offer.total.minor < cheapestOffer.total.minor ? offer : cheapestOffer,
      )
      const {
        freeOffer: _free,
        boardOffers: _boards,
        ...offer
      } = all.some(isLimited) ? mergeLimitedRates(best, all) : best
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

/** If the vendor limits selling prices, any rate may be the cheapest to sell. */
const mergeLimitedRates = (given: PropertyOffer, all: readonly PropertyOffer[]): PropertyOffer =>
  summarizeRates(
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
    const known = best.get(offer.board)
    if (known === undefined || offer.total.minor < known.total.minor) best.set(offer.board, offer)
  }
  return [...best.values()].sort((a, b) => a.total.minor - b.total.minor)
}
