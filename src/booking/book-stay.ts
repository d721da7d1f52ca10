import type { OwnsOffer } from '../accounts/offer-owner.ts'
import type { Actor, By } from '../domain/actor.ts'
import type { Booking } from '../domain/booking/booking.ts'
import { AppError } from '../domain/errors.ts'
import { fairnessKey } from '../domain/guest-access.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { Payment } from '../domain/payment/payment.ts'
import { type OpenedOffer, openOffer, readLineage, readSecretId, type SealedOffer } from '../domain/sealed-offer.ts'
import type { Simulation } from '../domain/simulation.ts'
import type { RequestContext } from '../lib/async/call-context.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Keyring } from '../lib/crypto/keyring.ts'
import type { NoticeTexts } from '../search/store/notice-texts.ts'
import type { SearchStore } from '../search/store/searches.ts'
import type { World, Worlds } from '../search/world.ts'
import type { HistoryReader } from '../store/history.ts'
import type { Receipt, Vendor } from '../vendors/contract.ts'
import { answerWithPatience, type PatienceDeps } from './answer-with-patience.ts'
import type { BookingQueue } from './booking-queue.ts'
import type { CardOrder, CardPayments, ClaimedPayment } from './card-payments.ts'
import { deriveReferences } from './derive-references.ts'
import { findLost } from './find-lost.ts'
import { type BookRequest, resolvePersons, withCustomerIp } from './guests/persons.ts'
import { acceptOffer, requireOfferVendor } from './offer/accept-offer.ts'
import { agreeOffer } from './offer/agree-offer.ts'
import {
  checkOffer,
  contextForOffer,
  describeChange,
  evictRooms,
  offerExpired,
  withNotices,
} from './offer/check-offer.ts'
import { createIntent, findAlternatives } from './offer/describe-offer.ts'
import { type Fallback, OfferChanged, withHeldPayment } from './refusals.ts'
import { type BookAnswer, inProgress, namespacedKey, replayAnswer } from './replay-answer.ts'
import { type NewBookingKeys, NOT_SENT } from './store/rows.ts'
import { adoptFound, firstLeaseUntil, type SubmitDeps, submitBooking } from './submit-booking.ts'

export type BookOrder = {
  /** A guest of the page has no account name, so the booking must name the traveller. */
  readonly account: { readonly id: string; readonly name: string; readonly email: string; readonly isGuest?: boolean }
  readonly request: BookRequest
  readonly idempotencyKey: string | undefined
  /** Defaults to the account. */
  readonly actor?: Actor
  readonly simulation?: Simulation | undefined
}

export type BookStay = (order: BookOrder, context: RequestContext) => Promise<BookAnswer>

type BookDeps = SubmitDeps &
  PatienceDeps & {
    readonly worlds: Worlds
    readonly searches: SearchStore
    readonly keyring: Keyring
    readonly ids: Ids
    readonly rates: () => ExchangeRates
    readonly line: BookingQueue
    readonly notices: NoticeTexts
    /** If false, the account holder is the default guest. */
    readonly requireGuests: boolean
    readonly ownsOffer: OwnsOffer
    readonly referenceKeys: Keyring
    readonly history: Pick<HistoryReader, 'read'>
    readonly cards: CardPayments
  }

/** repeated? → valid offer → price check → intent on disk → vendor → outcome on disk. */
export function createBookStay(deps: BookDeps): BookStay {
  const running = new Set<string>()

  return async function bookStay(order, context) {
    const { fingerprint } = order.request
    const opened = await readOffer(deps, order)
    if ('replayed' in opened) return opened
    const { offerId } = opened
    const lineage = readLineage(opened)
    const key = namespacedKey(order.idempotencyKey ?? offerId, opened.simulated)
    const findEarlier = () => deps.bookings.earlier(order.account.id, key, offerId, deps.clock.now(), lineage)

    const runningKey = `${order.account.id} ${key}`
    if (running.has(runningKey)) throw inProgress()
    running.add(runningKey)
    try {
      const earlier = await findEarlier()
      if (earlier !== undefined) return await replayAnswer(deps, earlier, key, fingerprint)
      const keys = { offerId, lineage, idempotencyKey: key, fingerprint }
      const answer = await bookNew(deps, order, opened, keys, context)
      if (answer !== undefined) return answer
      const winner = await findEarlier()
      if (winner === undefined) throw inProgress()
      return await replayAnswer(deps, winner, key, fingerprint)
    } finally {
      running.delete(runningKey)
    }
  }
}

/** Undefined if a racing request was faster. */
async function bookNew(
  deps: BookDeps,
  order: BookOrder,
  opened: OpenedOffer,
  keys: NewBookingKeys & { readonly lineage: string },
  context: RequestContext,
): Promise<BookAnswer | undefined> {
  const { request } = order
  const seen = await deps.history.read()
  if (!seen.isBehind) requireUnexpired(deps, opened)
  const offer = await withNotices(deps, opened)
  const world = deps.worlds.select(order.simulation, offer)
  const vendor = requireOfferVendor(world, offer)
  const guests = resolvePersons(request, order.account, offer.stay.occupancies.length, deps.requireGuests)
  const persons = withCustomerIp(guests, offer, context)

  const card = {
    ...{ account: order.account, offer, requestId: context.requestId },
    ...{ paymentId: request.paymentId, termsDigest: request.termsDigest },
  }
  const held = await deps.cards.prepare(card)
  using slot = await deps.line.enter(fairnessKey(order.account.id, context.customerIp), vendor.id)
  const calling = contextForOffer(offer, context)
  const references = listReferences(deps, order, opened)
  const lookup = { references, email: persons.contact.email, since: seen.dataUntil }
  // Before the price check, which may find sold out what an earlier attempt has booked.
  const lost = seen.isBehind ? await findLost(deps, vendor, lookup, calling) : undefined
  const receipt = lost?.receipt
  if (receipt === undefined) requireUnexpired(deps, opened)
  const { agreed, claimed } = await agreeToBook(deps, world, vendor, { card, held, request, receipt }, context)
  const named = { reference: lost?.reference ?? references[0], clientReference: request.clientReference }
  const intent = withPayment(await createIntent(deps, world, agreed, persons, named), claimed)
  const by: By = { actor: order.actor ?? { kind: 'account', id: order.account.id }, requestId: context.requestId }
  const booking = intent.simulated ? await deps.bookings.inTestTime(intent, by.actor) : intent

  // Stored as `submitting` before the vendor is asked, so that the settle job finds it after a crash.
  const sendingAt = receipt === undefined ? NOT_SENT : booking.createdAt
  const stored = await storeIntent(deps, booking, { ...keys, sendingAt }, references, by)
  if (stored === undefined) return undefined
  const { offerId } = keys
  const answer = await answerWithPatience(deps, slot, stored, () =>
    receipt === undefined
      ? submitBooking(deps, vendor, stored, calling, {
          ...{ by, seen },
          findFallback: (reason) => findFallback(deps, world, vendor, { ...agreed, offerId }, reason, calling),
        })
      : adoptFound(deps, stored, receipt, by),
  )
  evictRooms(world, offer)
  return answer
}

type ToAgree = {
  readonly card: CardOrder
  readonly held: Payment | undefined
  readonly request: BookRequest
  /** The vendor's booking of an earlier attempt. */
  readonly receipt: Receipt | undefined
}

/** The offer to book on the vendor's current terms, and the payment that covers it. */
async function agreeToBook(
  deps: BookDeps,
  world: World,
  vendor: Vendor,
  { card, held, request, receipt }: ToAgree,
  context: RequestContext,
): Promise<{ readonly agreed: SealedOffer; readonly claimed: ClaimedPayment | undefined }> {
  const { offer } = card
  try {
    const { fresh, changes } =
      receipt === undefined
        ? await agreeOffer(deps, world, vendor, offer, request, context)
        : { fresh: offer, changes: [] }
    const claimed = await deps.cards.claim({ ...card, offer: fresh }, held)
    if (claimed !== 'short') return { agreed: fresh, claimed }
    throw new OfferChanged('price_changed', await describeChange(deps, world, offer, { fresh, changes }))
  } catch (error) {
    throw held === undefined ? error : withHeldPayment(error, held)
  }
}

function withPayment(intent: Booking, claimed: ClaimedPayment | undefined): Booking {
  if (claimed === undefined) return intent
  const { payment, card } = claimed
  return { ...intent, payment, ...(card !== undefined && { persons: { ...intent.persons, card } }) }
}

function requireUnexpired({ clock }: BookDeps, { expiresAt }: OpenedOffer): void {
  if (expiresAt <= clock.now()) throw offerExpired()
}

const listReferences = (deps: BookDeps, { account, request, idempotencyKey }: BookOrder, opened: OpenedOffer) =>
  deriveReferences(deps.referenceKeys, readSecretId(request.bookingInfo), {
    ...{ accountId: account.id, idempotencyKey, lineage: readLineage(opened) },
    ...{ simulated: opened.simulated, offerId: opened.offerId },
  })

/** Stored under the first reference that no booking has. Undefined if a racing request was faster. */
async function storeIntent(
  { bookings }: BookDeps,
  booking: Booking,
  keys: NewBookingKeys,
  references: readonly string[],
  by: By,
): Promise<Booking | undefined> {
  for (const reference of new Set([booking.reference, ...references])) {
    const intent = { ...booking, reference }
    if (await bookings.create(intent, keys, intent.createdAt, firstLeaseUntil(intent), by)) return intent
    if (await bookings.claimAdopted(intent.accountId, reference, keys)) return undefined
  }
  return undefined
}

/** Accepts only offers sealed for this account. A repeated request is answered even if its offer cannot be opened. */
async function readOffer(deps: BookDeps, order: BookOrder): Promise<OpenedOffer | BookAnswer> {
  const { account, request, idempotencyKey: key } = order
  const opened = openOffer(deps.keyring, request.bookingInfo)
  const sample = { request: request.bookingInfo, rooms: Math.max(1, request.guests.length) }
  const offer = await acceptOffer(deps, account.id, opened, { simulation: order.simulation, sample })
  if (offer !== undefined) return offer
  // A known key is checked first: a wrong body is then the client's mix-up, not a forged offer.
  const earlier = key === undefined ? undefined : await deps.bookings.earlier(account.id, key, '', deps.clock.now())
  if (key !== undefined && earlier !== undefined) return replayAnswer(deps, earlier, key, request.fingerprint)
  throw new AppError(
    'offer_invalid',
    'This booking_info was not issued to you, or it was changed. Send its fields exactly as received, at the top level of the body.',
  )
}

/** If the vendor rejects the price at booking, returns the new price as a price check would. */
async function findFallback(
  deps: BookDeps,
  world: World,
  vendor: Vendor,
  offer: SealedOffer,
  reason: string,
  context: RequestContext,
): Promise<Fallback> {
  if (reason === 'sold_out') return { alternatives: await findAlternatives(deps, offer) }
  if (reason !== 'price_changed') return {}
  const checked = await checkOffer(deps, world, vendor, offer, context)
  if (checked === 'sold_out') return {}
  const change = await describeChange(deps, world, offer, checked)
  // The vendor may have taken the increase back meanwhile.
  const isEqual = checked.changes.every(({ what }) => what !== 'total_price')
  return { change: isEqual ? { ...change, oldTotal: undefined, newTotal: undefined } : change }
}
