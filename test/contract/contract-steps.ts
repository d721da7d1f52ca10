import type { BookingChange } from '../../sandbox/server/booking-changes.ts'
import type { FaultPlan } from '../../sandbox/server/fault-plan.ts'
import type { FaultKind } from '../../sandbox/server/faults.ts'
import type { Ledger } from '../../sandbox/server/ledger.ts'
import type { StandInSettings } from '../../sandbox/server/settings.ts'
import type { Money } from '../../src/domain/money/money.ts'
import type { RoomOffer } from '../../src/domain/offer.ts'
import type { Market, Stay } from '../../src/domain/stay.ts'
import type { CallContext } from '../../src/lib/async/call-context.ts'
import type { Clock } from '../../src/lib/time/clock.ts'
import { dateIn } from '../../src/lib/time/plain-date.ts'
import type { BookingLookup, BookOrder, ContentPage, PriceCheck, Vendor } from '../../src/vendors/contract.ts'
import { VendorError } from '../../src/vendors/vendor-error.ts'

/** A vendor under test, with the means to disturb and check it. */
export type VendorBench = {
  readonly vendor: Vendor
  /** Same account with a wrong secret. */
  readonly wrongSecret: Vendor
  readonly faults: FaultPlan
  readonly ledger: Ledger
  /** Probabilities of the sandbox's behaviours. */
  readonly settings: StandInSettings
  /** Makes the vendor change a booking on its own; false if its sandbox cannot. */
  changeBooking(reference: string, change: BookingChange): boolean
  /** Number of calls that reached the vendor, by operation. */
  calls(): Readonly<Record<string, number>>
  /** Shared with the vendor. Starts at the real time, because a probe compares it with the date of responses. */
  readonly clock: Clock & { advance(ms: number): void }
  /** A stay of one room about a month ahead, in a place with many properties. */
  readonly stay: Stay
  readonly market: Market
  readonly timezone: string
  /** At least twelve properties. */
  readonly propertyIds: readonly string[]
  /** A valid id that the vendor does not know. */
  readonly unknownId: string
  /** Must never appear in an error. */
  readonly secrets: readonly string[]
  close(): Promise<void>
}

const CONTACT = { email: 'ada.guest@example.com', phone: '+33612345678' }

export type Steps = ReturnType<typeof createSteps>

/**
 * Optional abilities of vendors and their sandboxes; the contract test of a vendor lists its own. `book_once`:
 * repeating `book` with the same reference never makes a second booking.
 */
export type Ability =
  | 'languages'
  | 'amend'
  | 'list_cancelled'
  | 'list_bookings'
  | 'change_bookings'
  | 'cancel_rooms'
  | 'book_once'

/**
 * Steps shared by the contract tests. `remembers` is false for a vendor without stored bookings; tests of abilities
 * that are not listed are skipped.
 */
export function createSteps(getBench: () => VendorBench, remembers: boolean, abilities: readonly Ability[] = []) {
  const search = (vendorPropertyIds = getBench().propertyIds, stay = getBench().stay, vendor = getBench().vendor) =>
    vendor.availability({ vendorPropertyIds, stay, market: getBench().market }, createContext())

  const listRooms = (vendorPropertyId: string, stay = getBench().stay) => {
    const { vendor, market, timezone } = getBench()
    return vendor.rooms({ vendorPropertyId, stay, market, timezone }, createContext())
  }

  /** Cheapest room of the first property that has at least `left` of it. */
  async function anOffer(stay = getBench().stay, left = 1): Promise<RoomOffer> {
    const { offers } = await search(getBench().propertyIds, stay)
    for (const { vendorPropertyId } of offers) {
      const room = (await listRooms(vendorPropertyId, stay)).find(({ roomsLeft = left }) => roomsLeft >= left)
      if (room !== undefined) return room
    }
    throw new Error('nothing is for sale')
  }

  async function checked(offer: RoomOffer): Promise<PriceCheck & { status: 'available' }> {
    const check = await getBench().vendor.priceCheck(offer.ref, createContext())
    if (check.status !== 'available') throw new Error('sold out')
    return check
  }

  /** Includes price and property fees from the price check. */
  async function anOrder(
    reference: string,
    stay = getBench().stay,
    left = 1,
  ): Promise<BookOrder & { readonly price: Money; readonly due: Money }> {
    const { ref, price } = await checked(await anOffer(stay, left))
    const guests = stay.occupancies.map((_, room) => ({ givenName: `Ada${'abcdefgh'[room]}`, familyName: 'Guest' }))
    return {
      ref,
      reference,
      guests,
      contact: CONTACT,
      specialRequests: '',
      stay,
      price: price.total,
      due: price.dueAtProperty,
    }
  }

  const createLookup = (reference: string): BookingLookup => ({
    reference,
    email: CONTACT.email,
    createdOn: dateIn('UTC', getBench().clock.now()),
  })

  return {
    get bench() {
      return getBench()
    },
    remembers,
    can: (ability: Ability) => abilities.includes(ability),
    context: createContext,
    search,
    listRooms,
    anOffer,
    checked,
    anOrder,
    createLookup,
    catchFailure,
    find: (reference: string) => getBench().vendor.find(createLookup(reference), createContext()),
    add: (kind: FaultKind, operation: string, ms?: number) =>
      getBench().faults.add({ kind, operation, times: 1, ...(ms !== undefined && { ms }) }),
    /** Number of bookings with our reference at the vendor. */
    bookingsUnder: (reference: string) => {
      const lines = getBench()
        .ledger.current()
        .filter((line) => line.ourReference === reference)
      return new Set(lines.map((line) => line.vendorReference)).size
    },
  }
}

const createContext = (signal: AbortSignal = AbortSignal.timeout(20_000)): CallContext => ({
  signal,
  requestId: 'contract',
  customerIp: '192.0.2.7',
  userAgent: 'contract/1',
})

async function catchFailure(work: Promise<unknown>): Promise<VendorError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof VendorError)) throw error
  return error
}

export async function collectPages(source: AsyncIterable<ContentPage>): Promise<ContentPage[]> {
  const all: ContentPage[] = []
  for await (const page of source) all.push(page)
  return all
}
