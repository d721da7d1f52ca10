import { soldOffer } from '../../domain/booking/apply-sale.ts'
import { costsMore, findWorseTerms, priceChange, type TermChange } from '../../domain/booking/compare-terms.ts'
import { AppError } from '../../domain/errors.ts'
import { convertMoney, type ExchangeRates } from '../../domain/money/exchange.ts'
import { type Money, sameMoney } from '../../domain/money/money.ts'
import { renewNotices } from '../../domain/property/notices.ts'
import { type OpenedOffer, readLineage, type SealedOffer } from '../../domain/sealed-offer.ts'
import type { RequestContext } from '../../lib/async/call-context.ts'
import type { Ids } from '../../lib/crypto/ids.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { deriveSessionId } from '../../lib/crypto/session-id.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { startDeadline } from '../../lib/time/deadline.ts'
import { questionKey } from '../../search/shared-answers.ts'
import type { NoticeTexts } from '../../search/store/notice-texts.ts'
import type { World } from '../../search/world.ts'
import type { PriceCheck, Vendor } from '../../vendors/contract.ts'
import { causedBy, VendorError } from '../../vendors/vendor-error.ts'
import type { OfferChange } from '../refusals.ts'
import { offeredRoom } from './describe-offer.ts'
import { repriceOffer } from './reprice-offer.ts'

export type CheckDeps = {
  readonly keyring: Keyring
  readonly ids: Ids
  readonly clock: Clock
  readonly rates: () => ExchangeRates
  readonly notices: NoticeTexts
}

/** A checked offer with its differences from what was shown. */
type CheckedOffer = {
  /** The same room on its current terms, as a new offer. */
  readonly fresh: SealedOffer
  readonly costsMore: boolean
  /** Terms that got worse, except the total. */
  readonly worse: readonly TermChange[]
  /** All relevant differences, the total first. */
  readonly changes: readonly TermChange[]
  /** The total is higher, but less than the client's currency can show. */
  readonly hiddenIncrease?: TermChange
}

/** For a vendor without a timeout of its own. */
export const PRICE_CHECK_TIMEOUT_MS = 20_000

/** A client that waits may give the vendor more time, until it disconnects. */
type Patience = { readonly timeoutMs?: number | undefined; readonly signal?: AbortSignal | undefined }

/** Asks the vendor for the current price and terms and compares them with what was shown. Books nothing. */
export async function checkOffer(
  deps: CheckDeps,
  world: World,
  vendor: Vendor,
  offer: SealedOffer,
  context: RequestContext,
  patience: Patience = {},
): Promise<CheckedOffer | 'sold_out'> {
  const check = await askVendor(vendor, offer, contextForOffer(offer, context), patience)
  if (check.status === 'sold_out') {
    evictRooms(world, offer)
    return 'sold_out'
  }
  const now = deps.clock.now()
  // The check returns current bounds, payable and billable, so those of the shown offer are dropped.
  const { bounds: _bounds, payable: _payable, billable: _billable, ...shownBefore } = offer
  const fresh: SealedOffer = {
    ...shownBefore,
    offerId: deps.ids.prefixed('off'),
    lineage: readLineage(offer),
    price: check.price,
    cancel: check.cancel ?? offer.cancel,
    board: check.board ?? offer.board,
    ...(check.bounds === undefined ? {} : { bounds: check.bounds }),
    ...(check.payable === undefined ? {} : { payable: check.payable }),
    ...(check.billable === undefined ? {} : { billable: check.billable }),
    notices: renewNotices(offer.notices ?? [], check.notices ?? []),
    ref: check.ref,
    expiresAt: Math.min(check.expiresAt, now + vendor.capabilities.offerTtlMs),
    checkedAt: now,
  }
  const priced = repriceOffer(offer, fresh, now, deps.rates())
  if (priced === undefined) throw offerExpired()
  // Compared at selling prices: a change of net alone does not concern the client.
  const [shown, sold] = [soldOffer(offer), soldOffer(priced)]
  const worse = findWorseTerms(shown, sold, now)
  const price = priceChange(shown, sold)
  const isHidden = isShownAlike(shown.price.total, sold.price.total, offer.market.currency, deps.rates())
  const changes = price === undefined || isHidden ? worse : [price, ...worse]
  if (price !== undefined || changes.length > 0) evictRooms(world, offer)
  const isDearer = costsMore(shown, sold)
  return {
    // Labels such as "free breakfast" may contradict worse terms.
    fresh: worse.length > 0 ? { ...priced, extras: [] } : priced,
    costsMore: isDearer && !isHidden,
    worse,
    changes,
    ...(isDearer && isHidden && price !== undefined && { hiddenIncrease: price }),
  }
}

/** True if both are the same amount in the client's currency, which may have larger units than the vendor's. */
function isShownAlike(before: Money, now: Money, currency: string, rates: ExchangeRates): boolean {
  const [first, second] = [before, now].map((money) => convertMoney(money, currency, rates))
  return before.currency === now.currency && first !== undefined && first.minor === second?.minor
}

/** Evicts the cached rooms of the property, which are out of date. */
export function evictRooms({ answers }: World, offer: SealedOffer): void {
  const { vendorId, vendorPropertyId, propertyId, stay, market, timezone } = offer
  const question = { vendorPropertyIds: [vendorPropertyId], stay, market, timezone }
  answers.rooms.forget(questionKey(vendorId, question), propertyId)
}

/** Adds the notices, which are not part of a sealed offer. */
export async function withNotices(
  { notices }: Pick<CheckDeps, 'notices'>,
  { noticeKeys, ...offer }: OpenedOffer,
): Promise<SealedOffer> {
  if (noticeKeys === undefined) return offer
  const texts = await notices.read(noticeKeys)
  if (texts === undefined) throw offerExpired()
  return { ...offer, notices: texts }
}

/** Calls about an offer use the session and customer address of its search. */
export const contextForOffer = (
  { searchId, customerIp }: Pick<SealedOffer, 'searchId' | 'customerIp'>,
  context: RequestContext,
): RequestContext => ({
  ...context,
  sessionId: deriveSessionId(searchId),
  ...(customerIp === undefined ? {} : { customerIp }),
})

async function askVendor(
  vendor: Vendor,
  offer: SealedOffer,
  context: RequestContext,
  { timeoutMs = PRICE_CHECK_TIMEOUT_MS, signal }: Patience,
): Promise<PriceCheck> {
  using deadline = startDeadline(timeoutMs, signal)
  try {
    return await vendor.priceCheck(offer.ref, { ...context, signal: deadline.signal })
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    if (error.fault === 'expired' || error.fault === 'not_found') throw offerExpired(error)
    if (error.fault === 'sold_out') return { status: 'sold_out' }
    if (error.fault === 'timeout')
      throw new AppError(
        'vendor_timeout',
        'The vendor did not confirm the price in time. Nothing was booked.',
        causedBy(error),
      )
    if (error.fault === 'throttled')
      throw new AppError('overloaded', 'The vendor is rate limiting requests. Nothing was booked. Try again.', {
        retryAfterMs: error.retryAfterMs ?? 2_000,
        ...causedBy(error),
      })
    throw new AppError(
      'vendors_failed',
      'The vendor could not confirm the price. Nothing was booked. Try again.',
      causedBy(error),
    )
  }
}

/** In the requested currency, or in the vendor's if only that shows a difference; with the room to book instead. */
export async function describeChange(
  deps: CheckDeps,
  world: World,
  offer: SealedOffer,
  { fresh, changes }: Pick<CheckedOffer, 'fresh' | 'changes'>,
): Promise<OfferChange> {
  const rates = deps.rates()
  const [before, after] = [soldOffer(offer).price.total, soldOffer(fresh).price.total]
  const isHidden = !sameMoney(before, after) && isShownAlike(before, after, offer.market.currency, rates)
  const currency = isHidden ? after.currency : offer.market.currency
  return {
    room: await offeredRoom(deps, world, fresh),
    currency,
    oldTotal: convertMoney(before, currency, rates),
    newTotal: convertMoney(after, currency, rates),
    changes: changes.map((change) => convertChange(change, (money) => convertMoney(money, currency, rates) ?? money)),
  }
}

function convertChange(change: TermChange, convert: (money: Money) => Money): TermChange {
  switch (change.what) {
    case 'total_price':
    case 'due_now':
    case 'due_at_property':
    case 'cancellation_fee':
      return { ...change, shown: convert(change.shown), now: convert(change.now) }
    default:
      return change
  }
}

export const offerExpired = (cause?: unknown) =>
  new AppError(
    'offer_expired',
    'This offer has expired. Nothing was booked. Fetch the property again for current rooms.',
    { cause },
  )
