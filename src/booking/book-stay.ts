import { AppError } from '../domain/app-error.ts'
import type { BookedProperty, Booking } from '../domain/booking.ts'
import { convertMoney, type ExchangeRates } from '../domain/exchange.ts'
import { toMajor } from '../domain/money.ts'
import type { Price } from '../domain/offer.ts'
import { openOffer, type SealedOffer } from '../domain/sealed-offer.ts'
import type { CallContext } from '../lib/call-context.ts'
import { startDeadline } from '../lib/deadline.ts'
import type { Ids } from '../lib/ids.ts'
import type { Keyring } from '../lib/keyring.ts'
import type { Earlier, StoredAnswer } from '../store/bookings.ts'
import type { PriceCheck, Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import { fingerprintOf } from './fingerprint.ts'
import { type BookRequest, personsOf, readBookRequest } from './read-book-request.ts'
import { firstLeaseUntil, type SubmitDeps, submitBooking } from './submit-booking.ts'

export type BookOrder = {
  readonly account: { readonly id: string; readonly name: string; readonly email: string }
  readonly body: unknown
  readonly idempotencyKey: string | undefined
}

/** The answer as bytes, because a repeated request gets the very same ones. */
export type BookAnswer = StoredAnswer & { readonly bookingId: string; readonly replayed: boolean }
export type BookStay = (order: BookOrder, context: Omit<CallContext, 'signal'>) => Promise<BookAnswer>

export type BookDeps = SubmitDeps & {
  readonly keyring: Keyring
  readonly ids: Ids
  readonly rates: () => ExchangeRates
  vendorOf(offer: SealedOffer): Vendor | undefined
  /** Under simulation any well-formed body will do; the real world has no such thing. */
  inventOffer?(accountId: string, request: BookRequest): Promise<SealedOffer>
  /** The property as it will stand in the booking. */
  describeProperty(offer: SealedOffer): Promise<BookedProperty>
  /** The room as `409 price_changed` shows it: new price, fresh `booking_info`. */
  describeRoom(offer: SealedOffer): Promise<unknown>
  /** Other properties of the same search, for somebody who came too late. */
  alternatives(offer: SealedOffer): Promise<unknown[]>
  /** Submissions that go on after their client has been answered or has left. */
  readonly underway: Set<Promise<unknown>>
  /** How long a client waits before it is told to poll. */
  readonly patienceMs: number
}

const PRICE_CHECK_TIMEOUT_MS = 20_000

/** seen before? → our offer, still good → price check → intent on disk → vendor → outcome on disk. */
export function createBookStay(deps: BookDeps): BookStay {
  const running = new Set<string>()

  return async function bookStay(order, context) {
    const request = readBookRequest(order.body)
    const offer = await offerOf(deps, order, request)
    const key = order.idempotencyKey ?? offer.offerId
    const fingerprint = fingerprintOf(order.body)

    const turn = `${order.account.id} ${key}`
    if (running.has(turn)) throw inProgress()
    running.add(turn)
    try {
      const earlier = await deps.bookings.earlier(order.account.id, key, offer.offerId, deps.clock.now())
      if (earlier !== undefined) return await answerAgain(deps, earlier, key, fingerprint)

      if (offer.expiresAt <= deps.clock.now()) throw expired()
      const vendor = deps.vendorOf(offer)
      if (vendor === undefined) throw new AppError('offer_invalid', 'The vendor of this offer is no longer connected.')
      const persons = personsOf(request, order.account, offer.stay.occupancies.length)

      const agreed = await agreedOffer(deps, vendor, offer, request, context)
      const booking = await intentOf(deps, order, request, agreed, persons)

      // It is on disk, as an intent that is being submitted, before the vendor hears of it: a crash from here on leaves a
      // row to settle. One commit for both: apart, a crash between them would only refuse what nobody had sent.
      const keys = { offerId: offer.offerId, idempotencyKey: key, fingerprint }
      const fresh = await deps.bookings.create(booking, keys, booking.createdAt, firstLeaseUntil(booking))
      if (!fresh) {
        const winner = await deps.bookings.earlier(order.account.id, key, offer.offerId, deps.clock.now())
        if (winner === undefined) throw inProgress()
        return await answerAgain(deps, winner, key, fingerprint)
      }
      return await submitWithPatience(deps, vendor, booking, context, () => deps.alternatives(offer))
    } finally {
      running.delete(turn)
    }
  }
}

/** Nothing in the body is believed but what we sealed ourselves, for this account. */
async function offerOf(deps: BookDeps, order: BookOrder, request: BookRequest): Promise<SealedOffer> {
  const { account, idempotencyKey: key } = order
  const offer = (await deps.inventOffer?.(account.id, request)) ?? openOffer(deps.keyring, request.bookingInfo)
  if (offer?.accountId === account.id) return offer
  // A key that has a booking is told so first: the wrong body is the client's mix-up, not a forged offer.
  const earlier = key && (await deps.bookings.earlier(account.id, key, '', deps.clock.now()))
  if (earlier) throw mismatch(earlier, key)
  throw new AppError(
    'offer_invalid',
    'This booking_info was not issued to you, or it was changed. Send it exactly as received.',
  )
}

/** The first answer again, or why there is none. */
async function answerAgain(deps: BookDeps, earlier: Earlier, key: string, fingerprint: string): Promise<BookAnswer> {
  const { booking } = earlier
  if (earlier.fingerprint !== fingerprint || earlier.idempotencyKey !== key) throw mismatch(earlier, key)
  if (earlier.answer !== undefined) return { ...earlier.answer, bookingId: booking.bookingId, replayed: true }
  if (earlier.leased || booking.state === 'pending' || booking.state === 'submitting') throw inProgress()
  const answer = await deps.bookings.keepAnswer(booking.bookingId, deps.present(booking))
  return { ...answer, bookingId: booking.bookingId, replayed: true }
}

/** Asks the vendor for today's price and holds it against what was shown. Nothing is booked here. */
async function agreedOffer(
  deps: BookDeps,
  vendor: Vendor,
  offer: SealedOffer,
  request: BookRequest,
  context: Omit<CallContext, 'signal'>,
): Promise<SealedOffer> {
  const check = await priceCheck(vendor, offer, context)
  if (check.status === 'sold_out') {
    const alternatives = await deps.alternatives(offer)
    throw new AppError('sold_out', 'The vendor has no such room left. Nothing was booked.', { extra: { alternatives } })
  }
  const fresh: SealedOffer = {
    ...offer,
    price: check.price,
    cancel: check.cancel ?? offer.cancel,
    ref: check.ref,
    expiresAt: check.expiresAt,
  }
  if (check.price.total.minor <= offer.price.total.minor && check.price.total.currency === offer.price.total.currency)
    return fresh
  const shown = majorIn(deps, check.price, offer.market.currency)
  if (request.acceptPriceUpTo !== undefined && shown !== undefined && shown <= request.acceptPriceUpTo) return fresh

  const room = await deps.describeRoom({
    ...fresh,
    offerId: deps.ids.prefixed('off'),
    expiresAt: Math.min(offer.expiresAt, check.expiresAt),
  })
  throw new AppError('price_changed', 'The vendor now asks more than was shown. Nothing was booked.', {
    extra: {
      room,
      old_total: majorIn(deps, offer.price, offer.market.currency),
      new_total: shown,
      currency: offer.market.currency,
    },
  })
}

const majorIn = (deps: BookDeps, price: Price, currency: string) => {
  const money = convertMoney(price.total, currency, deps.rates())
  return money && toMajor(money)
}

async function priceCheck(
  vendor: Vendor,
  offer: SealedOffer,
  context: Omit<CallContext, 'signal'>,
): Promise<PriceCheck> {
  using deadline = startDeadline(PRICE_CHECK_TIMEOUT_MS)
  try {
    return await vendor.priceCheck(offer.ref, { ...context, signal: deadline.signal })
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    if (error.fault === 'expired' || error.fault === 'not_found') throw expired(error)
    if (error.fault === 'sold_out') return { status: 'sold_out' }
    if (error.fault === 'timeout')
      throw new AppError('vendor_timeout', 'The vendor did not confirm the price in time. Nothing was booked.', {
        cause: error,
      })
    throw new AppError('vendors_failed', 'The vendor could not confirm the price. Nothing was booked; try again.', {
      cause: error,
    })
  }
}

export async function intentOf(
  deps: Pick<BookDeps, 'describeProperty' | 'clock' | 'ids'>,
  order: BookOrder,
  request: BookRequest,
  offer: SealedOffer,
  persons: Booking['persons'],
): Promise<Booking> {
  const property = await deps.describeProperty(offer)
  const now = deps.clock.now()
  return {
    bookingId: deps.ids.prefixed('bkg'),
    accountId: order.account.id,
    state: 'submitting',
    vendorId: offer.vendorId,
    reference: deps.ids.reference(),
    vendorReference: undefined,
    clientReference: request.clientReference,
    searchId: offer.searchId,
    property,
    room: { roomId: offer.roomId, name: offer.roomName, beds: offer.beds, board: offer.board },
    stay: offer.stay,
    market: offer.market,
    price: offer.price,
    cancel: offer.cancel,
    persons,
    ref: offer.ref,
    cancelFee: undefined,
    createdAt: now,
    updatedAt: now,
    submittedAt: now,
    attempts: 0,
    simulated: offer.simulated,
  }
}

/** The vendor call outlives the client: after `patienceMs` the answer is 202, and the booking goes on. */
async function submitWithPatience(
  deps: BookDeps,
  vendor: Vendor,
  booking: Booking,
  context: Omit<CallContext, 'signal'>,
  alternatives: () => Promise<readonly unknown[]>,
): Promise<BookAnswer> {
  const submission = submitBooking(deps, vendor, booking, context, alternatives)
  const tracked = submission.catch((error) => deps.onBug(error, booking)).finally(() => deps.underway.delete(tracked))
  deps.underway.add(tracked)

  const patience = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => patience.resolve('late'), deps.patienceMs)
  const moved = await Promise.race([submission.catch(() => undefined), patience.promise])
  clearTimeout(timer)
  if (moved !== 'late' && moved?.answer !== undefined) {
    return { ...moved.answer, bookingId: booking.bookingId, replayed: false }
  }
  // Not known yet, taken over by another process, or not recorded: in each case the row will be settled.
  const waiting = deps.present(booking)
  // An answer that cannot be kept is not given, for the next one would differ.
  const answer = await deps.bookings.keepAnswer(booking.bookingId, waiting)
  return { ...answer, bookingId: booking.bookingId, replayed: false }
}

function mismatch({ booking, idempotencyKey }: Earlier, key: string): AppError {
  const words =
    idempotencyKey === key
      ? 'This idempotency key was used with another body.'
      : 'This offer has already been booked with another idempotency key; fetch the property again for a fresh one.'
  return new AppError('idempotency_mismatch', words, { extra: { booking_id: booking.bookingId } })
}

const expired = (cause?: unknown) =>
  new AppError(
    'offer_expired',
    'This offer has expired. Nothing was booked; fetch the property again for fresh rooms.',
    { cause },
  )

const inProgress = () =>
  new AppError('request_in_progress', 'The first request is still running; send the same one again shortly.', {
    retryAfterMs: 1_000,
  })
