import { createBookStay } from '../../../src/booking/book-stay.ts'
import { createBookingQueue } from '../../../src/booking/booking-queue.ts'
import { createCancelBooking } from '../../../src/booking/cancel-booking.ts'
import { withoutCardPayments } from '../../../src/booking/card-payments.ts'
import { createCheckPrice } from '../../../src/booking/offer/check-price.ts'
import { bookingAnswer } from '../../../src/booking/present/booking.ts'
import { createReadWorker } from '../../../src/booking/settle/read-bookings.ts'
import { createSettleWorker } from '../../../src/booking/settle/settle-bookings.ts'
import { type BookingStore, createBookingStore } from '../../../src/booking/store/bookings.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { randomIds } from '../../../src/lib/crypto/ids.ts'
import { createNoticeTexts } from '../../../src/search/store/notice-texts.ts'
import { createHistoryReader } from '../../../src/store/history.ts'
import type { Capabilities } from '../../../src/vendors/capabilities.ts'
import type { Vendor } from '../../../src/vendors/contract.ts'
import { openMigrated } from '../store/migrated-database.ts'
import { manualClock } from '../time/clock.ts'
import { anOffer, aPrice, offerKeys, referenceKeys, START, storeKeys } from './an-offer.ts'
import { noSearches, oneWorld } from './one-world.ts'
import { readBody } from './read-body.ts'

type Options = {
  readonly vendor?: Partial<Omit<Vendor, 'capabilities'>>
  readonly capabilities?: Partial<Capabilities>
  readonly store?: (store: BookingStore) => BookingStore
  readonly patienceMs?: number
  readonly requireGuests?: boolean
}

export type BookingParts = Awaited<ReturnType<typeof openBookingParts>>

export const ADA = { id: 'acc_1', name: 'Ada Lovelace', email: 'ada@example.com' }
export const BOB = { id: 'acc_2', name: 'Bob Ross', email: 'bob@example.com' }

/** One process on an empty database, with a vendor that succeeds unless `options` say otherwise. */
export async function openBookingParts(options: Options = {}) {
  const database = await openMigrated()
  const clock = manualClock(START)
  const store = createBookingStore(database, storeKeys)
  const bookings = options.store?.(store) ?? store
  const history = createHistoryReader(database, clock)
  const calls: string[] = []
  const bugs: unknown[] = []
  const vendor = createSucceedingVendor(calls, options, () => clock.now())
  const notices = createNoticeTexts(database, clock)
  const shared = {
    bookings,
    clock,
    present: bookingAnswer,
    worlds: oneWorld(vendor),
    searches: noSearches,
    notices,
    ids: randomIds,
    referenceKeys,
    history,
    line: createBookingQueue(),
    ownsOffer: async (accountId: string, ownerId: string) => accountId === ownerId,
    cards: withoutCardPayments(async () => new Map()),
    onBug: (error: unknown) => void bugs.push(error),
  }
  const pricing = { keyring: offerKeys, rates: () => ({ date: '2027-01-01', rates: { EUR: 1, USD: 1.1, KWD: 0.33 } }) }
  const bookStay = createBookStay({
    ...shared,
    ...pricing,
    underway: new Set(),
    patienceMs: options.patienceMs ?? 15_000,
    requireGuests: options.requireGuests ?? false,
  })
  const settling = createSettleWorker(shared)
  const reading = createReadWorker({ ...shared, readingsPerMinute: 6_000 })
  return {
    database,
    clock,
    store,
    notices,
    history,
    vendor,
    calls,
    bugs,
    bookStay: async (body: unknown, idempotencyKey?: string, account = ADA) =>
      bookStay({ account, request: readBody(body), idempotencyKey }, { requestId: 'req' }),
    checkPrice: (info: { readonly price_check_uri: string }, accountId = ADA.id, signal?: AbortSignal) => {
      const token = new URL(info.price_check_uri, 'http://serai').searchParams.get('token') ?? ''
      return createCheckPrice({ ...shared, ...pricing })(
        { accountId, token, ...(signal && { signal }) },
        { requestId: 'req' },
      )
    },
    settle: () => settling.run(),
    read: () => reading.run(),
    cancel: (bookingId: string, preview = false, account = ADA) =>
      createCancelBooking(shared)({ accountId: account.id, bookingId, preview }, { requestId: 'req' }),
    close: () => database.close(),
  }
}

/** Describes the outcome of a request: its status, or its error code. */
export async function describeOutcome(work: Promise<{ status: number; replayed: boolean }>): Promise<string> {
  try {
    const { status, replayed } = await work
    return replayed ? `${status} replayed` : String(status)
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

function createSucceedingVendor(calls: string[], options: Options, now: () => number): Vendor {
  const defaults: Omit<Vendor, 'capabilities'> = {
    id: 'scripted',
    async *content() {},
    availability: async () => ({ offers: [], dropped: 0 }),
    rooms: async () => [],
    priceCheck: async (ref) => ({
      status: 'available',
      price: aPrice(),
      cancel: anOffer().cancel,
      ref,
      expiresAt: now() + 600_000,
    }),
    book: async () => ({ state: 'confirmed', vendorReference: 'V1' }),
    find: async () => ({ state: 'confirmed', vendorReference: 'V1' }),
    previewCancel: async () => undefined,
    cancel: async () => ({ state: 'cancelled', vendorReference: 'V1' }),
    probe: async () => [],
  }
  const behaviour = { ...defaults, ...options.vendor }
  const recorded = <A extends unknown[], R>(name: string, call: (...args: A) => R) => {
    return (...args: A): R => {
      calls.push(name)
      return call(...args)
    }
  }
  return {
    ...behaviour,
    priceCheck: recorded('priceCheck', behaviour.priceCheck),
    book: async (order, context) => {
      await context.beforeSend?.()
      calls.push('book')
      return behaviour.book(order, context)
    },
    find: recorded('find', behaviour.find),
    previewCancel: recorded('previewCancel', behaviour.previewCancel),
    cancel: recorded('cancel', behaviour.cancel),
    capabilities: {
      roomsMax: 8,
      nightsMax: 28,
      leadDaysMax: 500,
      propertiesPerCallMax: 100,
      absenceIsFinal: true,
      bookTimeoutMs: 60_000,
      visibilityLagMs: 600_000,
      offerTtlMs: 60_000,
      ...options.capabilities,
    },
  }
}
