import type { BookStay } from '../../../src/booking/book-stay.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import type { Ids } from '../../../src/lib/ids.ts'
import type { BookingStore, StoredAnswer } from '../../../src/store/bookings.ts'
import type { Database } from '../../../src/store/database.ts'
import type { BookOrder, Receipt, Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import type { Gate } from './gate.ts'
import type { Violation } from './invariants.ts'

/** The sound parts of one process, and the way to the database that may fail or die. */
export type PlantedWorld = {
  readonly bookings: BookingStore
  readonly vendor: Vendor
  readonly clock: Clock
  readonly ids: Ids
  readonly gate: Gate
  /** The database without the gate, for a mistake that makes one step out of several. */
  readonly store: BookingStore
  readonly database: Database
}

/** A classic mistake, put between the real use cases and the world of one process. */
export type PlantedBug = {
  readonly name: string
  /** The promises that it may break. */
  readonly breaks: readonly Violation['name'][]
  plant(world: PlantedWorld): {
    readonly bookings?: BookingStore
    readonly vendor?: Vendor
    readonly clock?: Clock
    bookStay?(sound: BookStay): BookStay
  }
}

const isDoubt = (error: unknown): error is VendorError => error instanceof VendorError && error.effect === 'unknown'

function certain(error: unknown): never {
  throw isDoubt(error) ? new VendorError(error.vendor, error.fault, 'none') : error
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'a time-out means that nothing was booked',
    breaks: ['lost'],
    plant: ({ vendor }) => ({
      vendor: { ...vendor, book: (order, context) => vendor.book(order, context).catch(certain) },
    }),
  },
  {
    name: 'the intent is written after the call',
    breaks: ['orphan', 'double', 'lost', 'replay_differs', 'untrue', 'stuck'],
    plant: ({ bookings }) => ({ bookings: writingLate(bookings) }),
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
    plant: ({ bookings, store, database, gate }) => ({
      bookings: {
        ...bookings,
        async move(bookingId, from, to, facts) {
          const read = await bookings.any(bookingId)
          if (read?.state !== from) return undefined
          return gate(`overwrite ${bookingId} with ${to}`, async () => {
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
            return vendor.book({ ...order, reference: ids.reference() }, context)
          }),
      },
    }),
  },
  {
    name: 'a booking the vendor does not know yet is sent again',
    breaks: ['double'],
    plant: ({ vendor }) => ({ vendor: resending(vendor) }),
  },
  {
    name: 'absence counts at once',
    breaks: ['lost'],
    plant: ({ vendor }) => ({ vendor: withLag(vendor, () => -60_000) }),
  },
  {
    name: 'a look at the vendor is served from a cache',
    breaks: ['lost', 'phantom'],
    plant: ({ vendor, clock }) => ({ vendor: caching(vendor, clock) }),
  },
  {
    name: 'a process that has lost its lease sends all the same',
    breaks: ['lost'],
    plant: (world) => sleepwalking(world),
  },
  {
    name: 'a replay is made from the present state',
    breaks: ['replay_differs'],
    plant: ({ bookings }) => ({
      bookings: {
        ...bookings,
        async earlier(...asked) {
          const found = await bookings.earlier(...asked)
          return found && { ...found, answer: undefined }
        },
        keepAnswer: async (_, answer) => answer,
      },
    }),
  },
  {
    name: 'an answer is given that could not be kept',
    breaks: ['replay_differs'],
    plant: ({ bookings }) => ({
      bookings: {
        ...bookings,
        keepAnswer: (id, answer) => bookings.keepAnswer(id, answer).catch((): StoredAnswer => answer),
      },
    }),
  },
  {
    name: 'a cancellation without an answer did not happen',
    breaks: ['phantom'],
    plant: ({ vendor }) => ({
      vendor: { ...vendor, cancel: (lookup, context) => vendor.cancel(lookup, context).catch(certain) },
    }),
  },
]

/** Keeps the intent in memory until the vendor has answered. */
function writingLate(bookings: BookingStore): BookingStore {
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

/** Orders as this process sent them; what is not found is sent once more. */
function resending(vendor: Vendor): Vendor {
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

function caching(vendor: Vendor, clock: Clock): Vendor {
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

/** Having written a booking down, it sends it as if no time had passed meanwhile. */
function sleepwalking({ bookings, vendor, clock }: PlantedWorld) {
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
