import type { OwnsOffer } from '../accounts/offer-owner.ts'
import type { Actor, By } from '../domain/actor.ts'
import type { Booking } from '../domain/booking/booking.ts'
import { noticeChanges } from '../domain/booking/compare-terms.ts'
import { soldOffer } from '../domain/booking/sold.ts'
import { AppError } from '../domain/errors.ts'
import { convertMoney, type ExchangeRates } from '../domain/money/exchange.ts'
import { toMajor } from '../domain/money/money.ts'
import { type OpenedOffer, openOffer, type SealedOffer } from '../domain/sealed-offer.ts'
import type { SimulatedOutcome } from '../domain/simulation.ts'
import type { RequestContext } from '../lib/async/call-context.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Keyring } from '../lib/crypto/keyring.ts'
import type { NoticeTexts } from '../search/store/notice-texts.ts'
import type { SearchStore } from '../search/store/searches.ts'
import type { World, Worlds } from '../search/world.ts'
import type { Vendor } from '../vendors/contract.ts'
import type { BookingLine, Turn } from './booking-line.ts'
import { fingerprintOf } from './fingerprint.ts'
import { type BookRequest, customerOf, personsOf } from './guests/persons.ts'
import { changeOf, checkOffer, contextFor, forgetRooms, offerExpired, withNotices } from './offer/check-offer.ts'
import { alternativesTo, intentOf } from './offer/describe-offer.ts'
import { termsDigestOf } from './offer/terms-digest.ts'
import { IdempotencyMismatch, type Instead, OfferChanged, OfferUsed, SoldOut } from './refusals.ts'
import { isOpen, type StoredAnswer } from './store/answers.ts'
import type { Earlier } from './store/bookings.ts'
import { firstLeaseUntil, type SubmitDeps, submitBooking } from './submit-booking.ts'

export type BookOrder = {
  /** A guest of the page has no name of its own, so the booking must name who travels. */
  readonly account: { readonly id: string; readonly name: string; readonly email: string; readonly isGuest?: boolean }
  readonly request: BookRequest
  readonly idempotencyKey: string | undefined
  /** Who asks for it; absent: the account itself. */
  readonly actor?: Actor
  readonly simulation?: SimulatedOutcome | undefined
}

/** The answer as bytes, because a repeated request gets the very same ones. */
type BookAnswer = StoredAnswer & { readonly bookingId: string; readonly replayed: boolean }
export type BookStay = (order: BookOrder, context: RequestContext) => Promise<BookAnswer>

type BookDeps = SubmitDeps & {
  readonly worlds: Worlds
  readonly searches: SearchStore
  readonly keyring: Keyring
  readonly ids: Ids
  readonly rates: () => ExchangeRates
  readonly line: BookingLine
  readonly notices: NoticeTexts
  /** Submissions that go on after their client has been answered or has left. */
  readonly underway: Set<Promise<unknown>>
  /** How long a client waits before it is told to poll. */
  readonly patienceMs: number
  /** Whether a booking must name its guests; otherwise the account holder travels. */
  readonly requireGuests: boolean
  readonly ownsOffer: OwnsOffer
}

/** seen before? → our offer, still good → price check → intent on disk → vendor → outcome on disk. */
export function createBookStay(deps: BookDeps): BookStay {
  const running = new Set<string>()

  return async function bookStay(order, context) {
    const { request } = order
    const { fingerprint } = request
    const opened = await offerOf(deps, order)
    if ('replayed' in opened) return opened
    const { offerId } = opened
    const key = keyInWorld(order.idempotencyKey ?? offerId, opened.simulated)

    const turn = `${order.account.id} ${key}`
    if (running.has(turn)) throw inProgress()
    running.add(turn)
    try {
      const earlier = await deps.bookings.earlier(order.account.id, key, offerId, deps.clock.now())
      if (earlier !== undefined) return await answerAgain(deps, earlier, key, fingerprint)

      if (opened.expiresAt <= deps.clock.now()) throw offerExpired()
      const offer = await withNotices(deps, opened)
      const world = deps.worlds.of(order.simulation, offer)
      const vendor = world.vendors.find(({ id }) => id === offer.vendorId)
      if (vendor === undefined) throw new AppError('offer_invalid', 'The vendor of this offer is no longer connected.')
      const persons = personsOf(request, order.account, offer.stay.occupancies.length, deps.requireGuests)

      using place = await deps.line.enter(order.account.id, vendor.id)
      const agreed = await agreedOffer(deps, world, vendor, offer, request, context)
      const intent = await intentOf(deps, world, agreed, customerOf(persons, offer, context), request.clientReference)
      const booking = intent.simulated ? await deps.bookings.inTestTime(intent) : intent
      const by: By = { actor: order.actor ?? { kind: 'account', id: order.account.id }, requestId: context.requestId }

      // It is on disk, as being submitted, before the vendor is asked: a crash from here on leaves a row to settle.
      const keys = { offerId, idempotencyKey: key, fingerprint }
      const fresh = await deps.bookings.create(booking, keys, booking.createdAt, firstLeaseUntil(booking), by)
      if (!fresh) {
        const winner = await deps.bookings.earlier(order.account.id, key, offerId, deps.clock.now())
        if (winner === undefined) throw inProgress()
        return await answerAgain(deps, winner, key, fingerprint)
      }
      const calling = contextFor(offer, context)
      const answer = await submitWithPatience(deps, place, vendor, booking, calling, {
        by,
        instead: (reason) => insteadOf(deps, world, vendor, { ...agreed, offerId }, reason, calling),
      })
      forgetRooms(world, offer)
      return answer
    } finally {
      running.delete(turn)
    }
  }
}

/** What was tried in the simulation under a key does not stand in the way of a real booking, nor the other way round. */
export const keyInWorld = (key: string, simulated: boolean): string => (simulated ? `simulated ${key}` : key)

/**
 * Nothing in the body is believed but what we sealed ourselves, for this account. A repeated request gets its answer even
 * where its offer can no longer be opened.
 */
async function offerOf(deps: BookDeps, order: BookOrder): Promise<OpenedOffer | BookAnswer> {
  const { account, request, idempotencyKey: key } = order
  const offer = openOffer(deps.keyring, request.bookingInfo)
  const isOurs = offer !== undefined && (await deps.ownsOffer(account.id, offer.accountId))
  const world = deps.worlds.of(order.simulation)
  if (world.simulated && !(isOurs && offer.simulated)) {
    // The same body gets the same sample, so that a repeated request means what it means in the real world.
    const seed = fingerprintOf([account.id, request.bookingInfo])
    return world.samples.offer(account.id, seed, Math.max(1, request.guests.length))
  }
  if (isOurs) return { ...offer, accountId: account.id }
  // A key that has a booking is told so first: the wrong body is the client's mix-up, not a forged offer.
  const earlier = key === undefined ? undefined : await deps.bookings.earlier(account.id, key, '', deps.clock.now())
  if (key !== undefined && earlier !== undefined) return answerAgain(deps, earlier, key, request.fingerprint)
  throw new AppError(
    'offer_invalid',
    'This booking_info was not issued to you, or it was changed. Send its fields exactly as received, at the top of the body.',
  )
}

/** The first answer again, or why there is none. */
async function answerAgain(deps: BookDeps, earlier: Earlier, key: string, fingerprint: string): Promise<BookAnswer> {
  const { booking } = earlier
  if (earlier.idempotencyKey !== key) throw new OfferUsed(booking)
  if (earlier.fingerprint !== fingerprint) throw mismatch(earlier)
  const { answer: first } = earlier
  if (first !== undefined && !isOpen(first)) return { ...first, bookingId: booking.bookingId, replayed: true }
  if (first === undefined && booking.state === 'submitting' && earlier.leased) throw inProgress()
  // While the outcome is not known, the present state is the answer; from then on it is always the same.
  const present = deps.present(booking)
  const answer = isOpen(present) ? present : await deps.bookings.keepAnswer(booking.bookingId, present)
  return { ...answer, bookingId: booking.bookingId, replayed: true }
}

/** The offer as the vendor stands by it now, if that is what the client agreed to. Nothing is booked here. */
async function agreedOffer(
  deps: BookDeps,
  world: World,
  vendor: Vendor,
  offer: SealedOffer,
  request: BookRequest,
  context: RequestContext,
): Promise<SealedOffer> {
  const checked = await checkOffer(deps, world, vendor, offer, context)
  if (checked === 'sold_out') throw new SoldOut(await alternativesTo(deps, offer), offer.simulated)
  const { fresh } = checked
  const digest = request.termsDigest
  // A client that names the present terms has agreed to them, whatever was shown before.
  if (digest !== undefined && digest === termsDigestOf(fresh, deps.clock.now())) return fresh
  const changed = async (code: 'price_changed' | 'terms_changed', changes = checked.changes) =>
    new OfferChanged(code, await changeOf(deps, world, offer, { fresh, changes }))

  if (digest !== undefined) {
    const notices = noticeChanges(offer, fresh)
    const isOfOffer = digest === termsDigestOf(offer, offer.checkedAt ?? deps.clock.now())
    if (!isOfOffer || notices.length > 0) throw await changed('terms_changed', [...checked.changes, ...notices])
  }
  if (checked.worse.length > 0) throw await changed('terms_changed')
  if (checked.costsMore && !isAccepted(deps, offer, fresh, request)) throw await changed('price_changed')
  return fresh
}

function isAccepted(deps: BookDeps, offer: SealedOffer, fresh: SealedOffer, request: BookRequest): boolean {
  const shown = convertMoney(soldOffer(fresh).price.total, offer.market.currency, deps.rates())
  return shown !== undefined && toMajor(shown) <= (request.acceptPriceUpTo ?? -1)
}

/** Where the vendor refuses for the price at its booking step, the client is told the new one as if the check had found it. */
async function insteadOf(
  deps: BookDeps,
  world: World,
  vendor: Vendor,
  offer: SealedOffer,
  reason: string,
  context: RequestContext,
): Promise<Instead> {
  if (reason === 'sold_out') return { alternatives: await alternativesTo(deps, offer) }
  if (reason !== 'price_changed') return {}
  const checked = await checkOffer(deps, world, vendor, offer, context)
  return checked === 'sold_out' ? {} : { change: await changeOf(deps, world, offer, checked) }
}

/** The vendor call outlives the client: after `patienceMs` the answer is 202, and the booking goes on. */
async function submitWithPatience(
  deps: BookDeps,
  place: Turn,
  vendor: Vendor,
  booking: Booking,
  context: RequestContext,
  asked: { readonly by: By; instead(reason: string): Promise<Instead> },
): Promise<BookAnswer> {
  const submission = submitBooking(deps, vendor, booking, context, asked)
  const tracked = submission.catch((error) => deps.onBug(error, booking)).finally(() => deps.underway.delete(tracked))
  deps.underway.add(tracked)
  place.keepUntil(tracked)

  const patience = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => patience.resolve('late'), deps.patienceMs)
  const moved = await Promise.race([submission.catch(() => undefined), patience.promise])
  clearTimeout(timer)
  if (moved !== 'late' && moved?.answer !== undefined) {
    return { ...moved.answer, bookingId: booking.bookingId, replayed: false }
  }
  // Not known yet, taken over by another process, or not recorded: in each case the row will be settled.
  // That the client was told so is noted first: from now on the same request gets the present state.
  const answer = await deps.bookings.keepAnswer(booking.bookingId, deps.present(booking))
  return { ...answer, bookingId: booking.bookingId, replayed: false }
}

const mismatch = ({ booking }: Earlier) =>
  new IdempotencyMismatch(
    'This idempotency key, or without one this offer, was booked with another body: booking_id names that booking.',
    booking.bookingId,
  )

const inProgress = () =>
  new AppError('request_in_progress', 'The first request is still running; send the same one again shortly.', {
    retryAfterMs: 1_000,
  })
