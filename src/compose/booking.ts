import type { OwnsOffer } from '../accounts/offer-owner.ts'
import { createBudgetSpending } from '../accounts/store/key-budgets.ts'
import { createAmendBooking } from '../booking/amend-booking.ts'
import { createBookStay } from '../booking/book-stay.ts'
import { createBookingQueue } from '../booking/booking-queue.ts'
import { createCancelBooking } from '../booking/cancel-booking.ts'
import { createErasePersons } from '../booking/guests/erase-persons.ts'
import { addBookingMetrics } from '../booking/metrics.ts'
import { createMoveTestClock } from '../booking/move-test-clock.ts'
import { createCheckPrice } from '../booking/offer/check-price.ts'
import { bookingAnswer, withoutPersons } from '../booking/present/booking.ts'
import { createReadWorker } from '../booking/settle/read-bookings.ts'
import { createSettleWorker, settleOne } from '../booking/settle/settle-bookings.ts'
import { createWatchLists } from '../booking/settle/watch-lists.ts'
import { createShowBookings } from '../booking/show-bookings.ts'
import { type BookingStore, createBookingStore } from '../booking/store/bookings.ts'
import { createErasureStore } from '../booking/store/erasure.ts'
import type { OnMove } from '../booking/store/moves.ts'
import { createVendorLists } from '../booking/store/vendor-turns.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Booking } from '../domain/booking/booking.ts'
import { deriveKeyring, type Keyring } from '../lib/crypto/keyring.ts'
import { traced } from '../lib/trace.ts'
import { addPaymentMetrics } from '../payments/metrics.ts'
import type { PaysByCard } from '../payments/pay-booking.ts'
import type { PaymentProvider } from '../payments/provider.ts'
import { countPayments } from '../payments/store/payment-figures.ts'
import { createExplainBooking } from '../selling/explain-booking.ts'
import { webhookPayload } from '../webhooks/present.ts'
import { createWebhookQueue } from '../webhooks/store/webhooks.ts'
import type { Core } from './core.ts'
import { composeCards, composePaymentStore, composePayments } from './payments/compose-payments.ts'
import type { ComposedSearch } from './search.ts'

type Neighbours = {
  readonly ownsOffer: OwnsOffer
  readonly paysByCard: PaysByCard
  readonly cards: { readonly provider: PaymentProvider } | undefined
  readonly mail: { readonly queue: OnMove }
  readonly webhooks: { deliver(): Promise<number> }
  readonly catalogue: Pick<Catalogue, 'content'>
}

export function composeBooking(
  core: Core,
  { worlds, searches, notices, rates, manageRules }: ComposedSearch,
  offerKeys: Keyring,
  { ownsOffer, paysByCard, cards, mail, webhooks, catalogue }: Neighbours,
) {
  const { config, clock, ids, log, database, history } = core
  const keptDays = config.erasePersonsAfterDays
  const personKeys = deriveKeyring(config.secrets, 'persons')
  const erasePersons = createErasePersons({ store: createErasureStore(database, personKeys, withoutPersons), clock })
  const { bookings, payments } = openStores(core, personKeys, [createBudgetSpending(rates), mail.queue])
  const underway = new Set<Promise<unknown>>()
  const deps = {
    ...{ bookings, worlds, searches, notices, rates, clock, ids, history },
    keyring: offerKeys,
    referenceKeys: deriveKeyring(config.secrets, 'references'),
    underway,
    line: createBookingQueue(),
    patienceMs: config.booking.patienceMs,
    requireGuests: config.requireGuests,
    ownsOffer,
    readingsPerMinute: config.readingsPerMinute,
    present: bookingAnswer,
    payments,
    cards: composeCards(clock, cards?.provider, { payments, paysByCard, ownsOffer }),
    onBug: (error: unknown, booking: Booking) =>
      log.error({ err: error, booking: booking.bookingId }, 'unexpected error while booking'),
  }
  const settling = createSettleWorker(deps)
  const reading = createReadWorker(deps)
  const readBookings = () => reading.run()
  const paying = composePayments(core, cards?.provider, deps)
  return {
    bookings,
    moveTestClock: createMoveTestClock({ ...deps, readBookings, deliver: webhooks.deliver }),
    notified: { vendors: worlds.real.vendors, bookings },
    bookStay: traced('book stay', createBookStay(deps)),
    checkPrice: traced('check price', createCheckPrice(deps)),
    cancelBooking: traced('cancel booking', createCancelBooking(deps)),
    amendBooking: traced('amend booking', createAmendBooking(deps)),
    showBookings: createShowBookings(deps),
    watchLists: createWatchLists({ ...deps, lists: createVendorLists(database), vendors: worlds.real.vendors }),
    settleBookings: () => settling.run(),
    paying,
    jobs: { settle: settling.runBriefly, read: reading.runBriefly, pay: paying.job },
    explainBooking: createExplainBooking({ bookings, rules: manageRules, propertyFacts: createFacts(catalogue) }),
    readBookings,
    /** Erases personal data of old stays, if the operator has set a retention period. */
    erasePersons: async () => (keptDays === undefined ? 0 : erasePersons.eraseOld(keptDays)),
    async settleOne(booking: Booking) {
      await settleOne(deps, booking)
    },
    /** Waits for submissions and for jobs' requests to vendors. */
    quiet: () => Promise.allSettled([...underway, settling.drain(), reading.drain(), paying.quiet()]),
  }
}

/** Payments follow the moves of their bookings, in the same transaction. */
function openStores(core: Core, personKeys: Keyring, hooks: readonly OnMove[]) {
  const { clock, database, registry, reportJobFailure } = core
  const { payments, followMoves } = composePaymentStore(core, () => bookings)
  const onMove = inTurn([followMoves, createWebhookQueue(webhookPayload), ...hooks])
  const bookings: BookingStore = createBookingStore(database, personKeys, onMove)
  addBookingMetrics(registry, {
    ...{ bookings, clock },
    onBug: (error) => reportJobFailure(error, 'metrics of bookings'),
  })
  addPaymentMetrics(registry, {
    clock,
    count: () => countPayments(database),
    onBug: (error) => reportJobFailure(error, 'metrics of payments'),
  })
  return { bookings, payments }
}

const createFacts =
  (catalogue: Pick<Catalogue, 'content'>) =>
  async ({ vendorId, property: { vendorPropertyId } }: Booking) => {
    const content = await catalogue.content({ vendorId, vendorPropertyId })
    return content && { stars: content.starRating, countryCode: content.address.countryCode }
  }

const inTurn =
  (hooks: readonly OnMove[]): OnMove =>
  async (tx, booking, event) => {
    for (const hook of hooks) await hook(tx, booking, event)
  }
