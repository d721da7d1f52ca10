import type { BookStay } from '../../src/booking/book-stay.ts'
import { OfferChanged } from '../../src/booking/refusals.ts'
import type { BookingStore } from '../../src/booking/store/bookings.ts'
import type { OnMove } from '../../src/booking/store/moves.ts'
import type { Ids } from '../../src/lib/crypto/ids.ts'
import type { Keyring } from '../../src/lib/crypto/keyring.ts'
import type { Clock } from '../../src/lib/time/clock.ts'
import type { Database } from '../../src/store/database.ts'
import type { HistoryReader } from '../../src/store/history.ts'
import type { BookOrder, PriceCheck, Receipt, Vendor } from '../../src/vendors/contract.ts'
import { VendorError } from '../../src/vendors/vendor-error.ts'
import { euro } from '../../test/support/booking/an-offer.ts'
import type { FaultyAccess } from './faulty-store.ts'
import type { PaymentBug } from './payments/payment-bug.ts'
import { TERMS } from './scripted-terms.ts'
import type { Violation } from './violation.ts'

/** The correct parts of one process, and its faulty access to the database. */
type Parts = {
  readonly bookings: BookingStore
  readonly vendor: Vendor
  readonly clock: Clock
  readonly history: HistoryReader
  readonly ids: Ids
  readonly access: FaultyAccess
  /** The store without faults, for a bug that combines several steps into one. */
  readonly store: BookingStore
  readonly database: Database
}

/** A typical bug, added to one process. */
export type PlantedBug = {
  readonly name: string
  /** Invariants that it may break. */
  readonly breaks: readonly Violation['name'][]
  plant(world: Parts): {
    readonly bookings?: BookingStore
    readonly vendor?: Vendor
    readonly clock?: Clock
    readonly history?: HistoryReader
    readonly referenceKeys?: Keyring
    bookStay?(sound: BookStay): BookStay
  }
  /** Replaces the correct parts of payments. */
  readonly cards?: PaymentBug
  /** It shows only if the database loses commits. */
  readonly needsLoss?: true
  /** Replaces the correct spending of budgets. */
  readonly spend?: (sound: OnMove) => OnMove
}

const isDoubt = (error: unknown): error is VendorError => error instanceof VendorError && error.effect === 'unknown'

function claimNoEffect(error: unknown): never {
  throw isDoubt(error) ? new VendorError(error.vendor, error.fault, 'none') : error
}

function claimThrottled(error: unknown): never {
  throw isDoubt(error) ? new VendorError(error.vendor, 'throttled', 'none') : error
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'a time-out means that nothing was booked',
    breaks: ['lost'],
    plant: ({ vendor }) => ({
      vendor: { ...vendor, book: (order, context) => vendor.book(order, context).catch(claimNoEffect) },
    }),
  },
  {
    name: 'the intent is written after the call',
    // `bug`: the answer cannot be stored with a row that does not exist yet.
    breaks: ['orphan', 'double', 'lost', 'replay_differs', 'untrue', 'stuck', 'bug'],
    plant: ({ bookings }) => ({ bookings: storeIntentLate(bookings) }),
  },
  {
    name: 'the key alone decides, whatever the body',
    breaks: ['mixed_up'],
    plant: ({ bookings, clock }) => ({
      bookStay: (sound) => async (order, context) => {
        const key = order.idempotencyKey
        const earlier = key && (await bookings.earlier(order.account.id, key, '', clock.now()))
        if (!earlier || earlier.answer === undefined) return sound(order, context)
        return { ...earlier.answer, bookingId: earlier.booking.bookingId, replayed: true }
      },
    }),
  },
  {
    name: 'a state is read, then written without comparing',
    breaks: ['illegal_history', 'lost', 'double', 'untrue'],
    plant: ({ bookings, store, database, access }) => ({
      bookings: {
        ...bookings,
        async move(bookingId, from, to, facts) {
          const read = await bookings.any(bookingId)
          if (read?.state !== from) return undefined
          return access(`overwrite ${bookingId} with ${to}`, async () => {
            await database.write(async (tx) => {
              await tx.updateTable('bookings').set({ state: from }).where('booking_id', '=', bookingId).execute()
            })
            return store.move(bookingId, from, to, facts)
          })
        },
      },
    }),
  },
  {
    name: 'a lost answer is followed by another try under a new reference',
    breaks: ['double', 'orphan', 'lost'],
    plant: ({ vendor, ids }) => ({
      vendor: {
        ...vendor,
        book: (order, context) =>
          vendor.book(order, context).catch((error) => {
            if (!isDoubt(error)) throw error
            return vendor.book({ ...order, reference: `${order.reference.slice(0, 10)}${ids.prefixed('x')}` }, context)
          }),
      },
    }),
  },
  {
    name: 'a booking the vendor does not know yet is sent again',
    breaks: ['double'],
    plant: ({ vendor }) => ({ vendor: resendIfAbsent(vendor) }),
  },
  {
    name: 'absence is final at once',
    breaks: ['lost'],
    plant: ({ vendor }) => ({ vendor: withLag(vendor, () => -60_000) }),
  },
  {
    name: 'a lookup at the vendor is served from a cache',
    breaks: ['lost', 'phantom'],
    plant: ({ vendor, clock }) => ({ vendor: cacheLookups(vendor, clock) }),
  },
  {
    name: 'a process that has lost its lease sends the booking anyway',
    breaks: ['lost'],
    plant: (world) => sendWithoutLease(world),
  },
  {
    name: 'a replay is created from the current state',
    breaks: ['replay_differs'],
    plant: ({ bookings }) => ({
      bookings: {
        ...bookings,
        async earlier(...args) {
          const found = await bookings.earlier(...args)
          return found && { ...found, answer: undefined }
        },
        keepAnswer: async (_, answer) => answer,
      },
    }),
  },
  {
    name: 'a first answer of 202 is repeated after the outcome is known',
    breaks: ['untrue'],
    plant: ({ bookings }) => ({ bookings: repeatFirstAnswer(bookings) }),
  },
  {
    name: 'a lost answer is mistaken for a rate limit, and the booking is sent again',
    breaks: ['double', 'lost'],
    plant: ({ vendor }) => ({
      vendor: { ...vendor, book: (order, context) => vendor.book(order, context).catch(claimThrottled) },
    }),
  },
  {
    name: 'a cancellation without an answer did not happen',
    // The next reading finds the booking cancelled, but not by its vendor.
    breaks: ['phantom', 'false_alarm'],
    plant: ({ vendor }) => ({
      vendor: { ...vendor, cancel: (lookup, context) => vendor.cancel(lookup, context).catch(claimNoEffect) },
    }),
  },
  {
    name: 'only the total is compared',
    breaks: ['worse_terms'],
    plant: ({ vendor }) => ({
      vendor: withCheck(vendor, ({ board: _, ...check }) => ({
        ...check,
        cancel: undefined,
        price: { ...check.price, dueAtProperty: euro(0) },
      })),
    }),
  },
  {
    name: 'the board is not compared',
    breaks: ['worse_terms'],
    plant: ({ vendor }) => ({ vendor: withCheck(vendor, ({ board: _, ...check }) => check) }),
  },
  {
    name: 'fees are compared only for today',
    breaks: ['worse_terms'],
    plant: ({ vendor, clock }) => ({
      vendor: withCheck(vendor, (check) => ({
        ...check,
        cancel: check.cancel && {
          ...check.cancel,
          penalties: check.cancel.penalties.filter(({ from }) => Date.parse(from) <= clock.now()),
        },
      })),
    }),
  },
  {
    name: 'a higher price is accepted without asking',
    breaks: ['worse_terms'],
    plant: ({ vendor }) => ({ vendor: withCheck(vendor, (check) => ({ ...check, price: TERMS.as_shown.price })) }),
  },
  {
    name: 'changed terms are booked on behalf of the client',
    breaks: ['worse_terms'],
    plant: () => ({
      bookStay: (sound) => (order, context) =>
        sound(order, context).catch((error) => {
          const room = error instanceof OfferChanged ? error.change.room : undefined
          if (room === undefined) throw error
          const request = { ...order.request, bookingInfo: room.choice.bookingInfo, termsDigest: undefined }
          return sound({ ...order, request }, context)
        }),
    }),
  },
  {
    name: 'the digest is not compared',
    breaks: ['worse_terms'],
    plant: () => ({
      bookStay: (sound) => (order, context) =>
        sound({ ...order, request: { ...order.request, termsDigest: undefined } }, context),
    }),
  },
  {
    name: 'the vendor’s booking answer is trusted without reading it',
    breaks: ['untold'],
    plant: ({ vendor }) => ({
      vendor: {
        ...vendor,
        book: async (order, context) => dropDetails(await vendor.book(order, context)),
        async find(lookup, context) {
          const receipt = await vendor.find(lookup, context)
          return receipt && dropDetails(receipt)
        },
      },
    }),
  },
]

type Available = Extract<PriceCheck, { status: 'available' }>

/** Ignores parts of the vendor's price check. */
const withCheck = (vendor: Vendor, read: (check: Available) => Available): Vendor => ({
  ...vendor,
  async priceCheck(ref, context) {
    const check = await vendor.priceCheck(ref, context)
    return check.status === 'available' ? read(check) : check
  },
})

const dropDetails = ({ state, vendorReference }: Receipt): Receipt => ({ state, vendorReference })

/** Stores the intent only after the vendor has answered. */
function storeIntentLate(bookings: BookingStore): BookingStore {
  const held = new Map<string, Parameters<BookingStore['create']>>()
  return {
    ...bookings,
    async create(...intent) {
      held.set(intent[0].bookingId, intent)
      return true
    },
    async move(bookingId, from, to, facts) {
      const intent = held.get(bookingId)
      if (intent === undefined) return bookings.move(bookingId, from, to, facts)
      held.delete(bookingId)
      if (!(await bookings.create(...intent))) return undefined
      return bookings.move(bookingId, from, to, facts)
    },
    keepAnswer: async (id, answer) => (held.has(id) ? answer : bookings.keepAnswer(id, answer)),
  }
}

/** Repeats a provisional 202 after the outcome is known. */
function repeatFirstAnswer(bookings: BookingStore): BookingStore {
  const provisional = new Set<string>()
  return {
    ...bookings,
    keepAnswer(bookingId, answer) {
      if (answer.status === 202) provisional.add(bookingId)
      return bookings.keepAnswer(bookingId, answer)
    },
    async earlier(...args) {
      const found = await bookings.earlier(...args)
      if (found === undefined || !provisional.has(found.booking.bookingId)) return found
      return { ...found, booking: { ...found.booking, state: 'in_doubt' }, answer: { status: 202, body: '' } }
    },
  }
}

/** Sends a booking again if the vendor does not find it. */
function resendIfAbsent(vendor: Vendor): Vendor {
  const sent = new Map<string, BookOrder>()
  return {
    ...vendor,
    book(order, context) {
      sent.set(order.reference, order)
      return vendor.book(order, context)
    },
    async find(lookup, context) {
      const found = await vendor.find(lookup, context)
      const order = sent.get(lookup.reference)
      return found ?? (order && vendor.book(order, context))
    },
  }
}

const withLag = (vendor: Vendor, change: (lagMs: number) => number): Vendor => ({
  ...vendor,
  capabilities: { ...vendor.capabilities, visibilityLagMs: change(vendor.capabilities.visibilityLagMs) },
})

function cacheLookups(vendor: Vendor, clock: Clock): Vendor {
  const seen = new Map<string, { readonly at: number; readonly receipt: Receipt | undefined }>()
  return {
    ...vendor,
    async find(lookup, context) {
      const known = seen.get(lookup.reference)
      if (known !== undefined && clock.now() - known.at < 60_000) return known.receipt
      const receipt = await vendor.find(lookup, context)
      seen.set(lookup.reference, { at: clock.now(), receipt })
      return receipt
    },
  }
}

/** Sends a booking although its lease has expired. */
function sendWithoutLease({ bookings, vendor, clock }: Parts) {
  let stopped: number | undefined
  return {
    clock: { now: () => stopped ?? clock.now() },
    bookings: {
      ...bookings,
      create: (async (...intent) => {
        const begunAt = clock.now()
        const isOurs = await bookings.create(...intent)
        if (isOurs) stopped = begunAt
        return isOurs
      }) satisfies BookingStore['create'],
      // Otherwise the mark refuses a booking that another process has taken over.
      markSending: (async (...mark) => {
        await bookings.markSending(...mark)
        return true
      }) satisfies BookingStore['markSending'],
    },
    vendor: {
      ...vendor,
      book: ((order, context) => {
        stopped = undefined
        return vendor.book(order, context)
      }) satisfies Vendor['book'],
    },
  }
}
