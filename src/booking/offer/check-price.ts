import type { OwnsOffer } from '../../accounts/offer-owner.ts'
import { AppError } from '../../domain/errors.ts'
import { fairnessKey } from '../../domain/guest-access.ts'
import { type OpenedOffer, openOfferToken, priceCheckUri } from '../../domain/sealed-offer.ts'
import type { Simulation } from '../../domain/simulation.ts'
import type { RequestContext } from '../../lib/async/call-context.ts'
import type { Worlds } from '../../search/world.ts'
import type { BookingQueue } from '../booking-queue.ts'
import type { CardPayments, CardQuote } from '../card-payments.ts'
import type { OfferChange } from '../refusals.ts'
import { acceptOffer, requireOfferVendor } from './accept-offer.ts'
import { type CheckDeps, checkOffer, describeChange, offerExpired, withNotices } from './check-offer.ts'
import { digestTerms } from './terms-digest.ts'

type CheckPriceOrder = {
  readonly accountId: string
  readonly isGuest?: boolean
  /** The token of a room's `price_check_uri`. */
  readonly token: string
  readonly simulation?: Simulation | undefined
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal
}

export type CheckedPrice =
  | { readonly status: 'sold_out' }
  | {
      readonly status: 'matched' | 'price_changed' | 'terms_changed'
      readonly change: OfferChange
      readonly termsDigest: string
      /** Absent if the account pays on account. */
      readonly payment: CardQuote | undefined
    }

export type CheckPrice = (order: CheckPriceOrder, context: RequestContext) => Promise<CheckedPrice>

/** valid offer → the vendor's price and terms → differences. Nothing is booked or stored. */
export function createCheckPrice(
  deps: CheckDeps & {
    readonly worlds: Worlds
    readonly line: BookingQueue
    readonly ownsOffer: OwnsOffer
    readonly cards: CardPayments
  },
): CheckPrice {
  return async function checkPrice(order, context) {
    const opened = await readOffer(deps, order)
    if (opened.expiresAt <= deps.clock.now()) throw offerExpired()
    const offer = await withNotices(deps, opened)
    const world = deps.worlds.select(order.simulation, offer)
    const vendor = requireOfferVendor(world, offer)
    using _turn = await deps.line.enter(fairnessKey(order.accountId, context.customerIp), vendor.id)
    const patience = { timeoutMs: vendor.capabilities.priceCheckTimeoutMs, signal: order.signal }
    const checked = await checkOffer(deps, world, vendor, offer, context, patience)
    if (checked === 'sold_out') return { status: 'sold_out' }
    const { fresh, worse, changes } = checked
    return {
      status: worse.length > 0 ? 'terms_changed' : changes.length > 0 ? 'price_changed' : 'matched',
      change: await describeChange(deps, world, offer, checked),
      termsDigest: digestTerms(fresh, fresh.checkedAt ?? deps.clock.now()),
      payment: await deps.cards.quote({ id: order.accountId, isGuest: order.isGuest === true }, fresh),
    }
  }
}

async function readOffer(
  deps: CheckDeps & { readonly worlds: Worlds; readonly ownsOffer: OwnsOffer },
  { accountId, token, simulation }: CheckPriceOrder,
): Promise<OpenedOffer> {
  // The sample that a booking with this URI alone would get.
  const sample = { request: { price_check_uri: priceCheckUri(token) }, rooms: 1 }
  const offer = await acceptOffer(deps, accountId, openOfferToken(deps.keyring, token), { simulation, sample })
  if (offer !== undefined) return offer
  throw new AppError(
    'offer_invalid',
    'This price_check_uri was not issued to you, or it was changed. Follow it exactly as received.',
  )
}
