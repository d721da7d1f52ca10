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

/** A vendor under test, and what a test needs to disturb and to check it. */
export type VendorBench = {
  readonly vendor: Vendor
  /** The same account with a wrong secret. */
  readonly wrongSecret: Vendor
  readonly faults: FaultPlan
  readonly ledger: Ledger
  /** How often the stand-in does what its vendor does. */
  readonly settings: StandInSettings
  /** Has the vendor change a booking of its own accord; false where its stand-in cannot. */
  changeBooking(reference: string, change: BookingChange): boolean
  /** Calls that reached the vendor, by operation. */
  calls(): Readonly<Record<string, number>>
  /** Shared with the vendor, and started at the machine's time: a probe compares it with the answers' date. */
  readonly clock: Clock & { turn(ms: number): void }
  /** A stay of one room a month or so ahead, in a place with many properties. */
  readonly stay: Stay
  readonly market: Market
  readonly timezone: string
  /** At least twelve properties there. */
  readonly propertyIds: readonly string[]
  /** A well-formed id that the vendor does not know. */
  readonly unknownId: string
  /** What must never be seen in an error. */
  readonly secrets: readonly string[]
  close(): Promise<void>
}

const CONTACT = { email: 'ada.guest@example.com', phone: '+33612345678' }

export type Steps = ReturnType<typeof createSteps>

/**
 * What some vendors or stand-ins cannot do. The contract test of a vendor lists what it can. `book_once`: repeating `book` under the same
 * reference never makes a second booking.
 */
export type Ability = 'languages' | 'amend' | 'list_cancelled' | 'change_bookings' | 'cancel_rooms' | 'book_once'

/**
 * What the tests of the contract do again and again. `remembers` is false for a vendor that keeps no bookings. Tests of
 * abilities that are not listed are left out.
 */
export function createSteps(benchOf: () => VendorBench, remembers: boolean, abilities: readonly Ability[] = []) {
  const search = (vendorPropertyIds = benchOf().propertyIds, stay = benchOf().stay, vendor = benchOf().vendor) =>
    vendor.availability({ vendorPropertyIds, stay, market: benchOf().market }, contextOf())

  const roomsOf = (vendorPropertyId: string, stay = benchOf().stay) => {
    const { vendor, market, timezone } = benchOf()
    return vendor.rooms({ vendorPropertyId, stay, market, timezone }, contextOf())
  }

  /** The cheapest room of the first property that has one, and so many more of it left. */
  async function anOffer(stay = benchOf().stay, left = 1): Promise<RoomOffer> {
    const { offers } = await search(benchOf().propertyIds, stay)
    for (const { vendorPropertyId } of offers) {
      const room = (await roomsOf(vendorPropertyId, stay)).find(({ roomsLeft = left }) => roomsLeft >= left)
      if (room !== undefined) return room
    }
    throw new Error('nothing is for sale')
  }

  async function checked(offer: RoomOffer): Promise<PriceCheck & { status: 'available' }> {
    const check = await benchOf().vendor.priceCheck(offer.ref, contextOf())
    if (check.status !== 'available') throw new Error('sold out')
    return check
  }

  /** With what the price check says that it costs, and how much of that the property collects. */
  async function anOrder(
    reference: string,
    stay = benchOf().stay,
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

  const lookupOf = (reference: string): BookingLookup => ({
    reference,
    email: CONTACT.email,
    createdOn: dateIn('UTC', benchOf().clock.now()),
  })

  return {
    get bench() {
      return benchOf()
    },
    remembers,
    can: (ability: Ability) => abilities.includes(ability),
    context: contextOf,
    search,
    roomsOf,
    anOffer,
    checked,
    anOrder,
    lookupOf,
    failureOf,
    find: (reference: string) => benchOf().vendor.find(lookupOf(reference), contextOf()),
    add: (kind: FaultKind, operation: string, ms?: number) =>
      benchOf().faults.add({ kind, operation, times: 1, ...(ms !== undefined && { ms }) }),
    /** How many bookings the vendor has under our reference. */
    bookingsUnder: (reference: string) => {
      const lines = benchOf()
        .ledger.current()
        .filter((line) => line.ourReference === reference)
      return new Set(lines.map((line) => line.vendorReference)).size
    },
  }
}

const contextOf = (signal: AbortSignal = AbortSignal.timeout(20_000)): CallContext => ({
  signal,
  requestId: 'contract',
  customerIp: '192.0.2.7',
  userAgent: 'contract/1',
})

async function failureOf(work: Promise<unknown>): Promise<VendorError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof VendorError)) throw error
  return error
}

export async function pagesOf(source: AsyncIterable<ContentPage>): Promise<ContentPage[]> {
  const all: ContentPage[] = []
  for await (const page of source) all.push(page)
  return all
}
