import { createBookStay } from '../../../src/booking/book-stay.ts'
import { createCancelBooking } from '../../../src/booking/cancel-booking.ts'
import { createSettleBookings } from '../../../src/booking/settle-bookings.ts'
import { AppError } from '../../../src/domain/app-error.ts'
import { bookingAnswer } from '../../../src/http/present-booking.ts'
import { randomIds } from '../../../src/lib/ids.ts'
import { type BookingStore, createBookingStore } from '../../../src/store/bookings.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrations.ts'
import type { Capabilities, Vendor } from '../../../src/vendors/contract.ts'
import { turnableClock } from '../clock.ts'
import { anOffer, aPrice, aProperty, bookingInfoOf, offerKeys, START, storeKeys } from './an-offer.ts'

type DeskOptions = {
  readonly vendor?: Partial<Omit<Vendor, 'capabilities'>>
  readonly capabilities?: Partial<Capabilities>
  readonly store?: (sound: BookingStore) => BookingStore
  readonly patienceMs?: number
}

export type Desk = Awaited<ReturnType<typeof openDesk>>

export const ADA = { id: 'acc_1', name: 'Ada Lovelace', email: 'ada@example.com' }
export const BOB = { id: 'acc_2', name: 'Bob Ross', email: 'bob@example.com' }

/** One process over an empty database of its own, with a vendor that does what it is asked unless told otherwise. */
export async function openDesk(options: DeskOptions = {}) {
  const database = openDatabase({ kind: 'sqlite', path: ':memory:' })
  const clock = turnableClock(START)
  await migrate(database, clock)
  const sound = createBookingStore(database, storeKeys)
  const bookings = options.store?.(sound) ?? sound
  const calls: string[] = []
  const bugs: unknown[] = []
  const vendor = obligingVendor(calls, options, () => clock.now())
  const shared = {
    bookings,
    clock,
    present: bookingAnswer,
    vendorOf: () => vendor,
    onBug: (error: unknown) => void bugs.push(error),
  }
  const bookStay = createBookStay({
    ...shared,
    keyring: offerKeys,
    ids: randomIds,
    rates: () => ({ date: '2027-01-01', rates: { EUR: 1, USD: 1.1 } }),
    describeProperty: async () => aProperty,
    describeRoom: async (offer) => ({ booking_info: bookingInfoOf(offer) }),
    alternatives: async () => ['another house'],
    underway: new Set(),
    patienceMs: options.patienceMs ?? 15_000,
  })
  return {
    database,
    clock,
    store: sound,
    vendor,
    calls,
    bugs,
    bookStay: (body: unknown, idempotencyKey?: string, account = ADA) =>
      bookStay({ account, body, idempotencyKey }, { requestId: 'req' }),
    settle: createSettleBookings(shared),
    cancel: (bookingId: string, preview = false, account = ADA) =>
      createCancelBooking(shared)({ accountId: account.id, bookingId, preview }, { requestId: 'req' }),
    close: () => database.close(),
  }
}

/** What became of a request, as a word: its status, or the code of its refusal. */
export async function outcomeOf(work: Promise<{ status: number; replayed: boolean }>): Promise<string> {
  try {
    const { status, replayed } = await work
    return replayed ? `${status} replayed` : String(status)
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

function obligingVendor(calls: string[], options: DeskOptions, now: () => number): Vendor {
  const sound: Omit<Vendor, 'capabilities'> = {
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
  const wanted = { ...sound, ...options.vendor }
  const noted = <A extends unknown[], R>(name: string, call: (...args: A) => R) => {
    return (...args: A): R => {
      calls.push(name)
      return call(...args)
    }
  }
  return {
    ...wanted,
    priceCheck: noted('priceCheck', wanted.priceCheck),
    book: noted('book', wanted.book),
    find: noted('find', wanted.find),
    previewCancel: noted('previewCancel', wanted.previewCancel),
    cancel: noted('cancel', wanted.cancel),
    capabilities: {
      roomsMax: 8,
      nightsMax: 28,
      leadDaysMax: 500,
      propertiesPerCallMax: 100,
      currencies: 'any',
      bookIsIdempotent: false,
      absenceIsFinal: true,
      bookTimeoutMs: 60_000,
      visibilityLagMs: 600_000,
      offerTtlMs: 60_000,
      ...options.capabilities,
    },
  }
}
