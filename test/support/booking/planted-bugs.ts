import type { BookStay } from '../../../src/booking/book-stay.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import type { Ids } from '../../../src/lib/ids.ts'
import type { BookingStore } from '../../../src/store/bookings.ts'
import type { Vendor } from '../../../src/vendors/contract.ts'
import type { Gate } from './world.ts'

export type PlantedWorld = {
  readonly store: BookingStore
  readonly gate: Gate
  readonly clock: Clock
  readonly ids: Ids
}

/** A classic mistake, put between the real use cases and the world. */
export type PlantedBug = {
  readonly name: string
  store?(store: BookingStore, world: PlantedWorld): BookingStore
  vendor?(vendor: Vendor, world: PlantedWorld): Vendor
  clock?(clock: Clock, world: PlantedWorld): Clock
  bookStay?(bookStay: BookStay, world: PlantedWorld): BookStay
}
