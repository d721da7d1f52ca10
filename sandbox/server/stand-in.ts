import type { IncomingHttpHeaders } from 'node:http'
import type { VendorId } from '../../src/domain/offer.ts'
import type { Clock } from '../../src/lib/time/clock.ts'
import type { Allotment, Seller, VendorWorld } from '../world/contract.ts'
import type { StandInAnswer } from './answer-under-faults.ts'
import type { BookingChange } from './booking-changes.ts'
import type { Fault } from './faults.ts'
import type { Ledger, LedgerEntry } from './ledger.ts'
import type { PartialSettings, StandInSettings } from './settings.ts'

/** Stand-in of one vendor: its properties, its wire format, and the configuration that connects an adapter. */
export type StandIn = Seller & {
  readonly id: VendorId
  /** Method and path of the vendor's price search for many properties. */
  readonly searchAddress: string
  /** Default values of settings that only this stand-in has. */
  readonly settings?: PartialSettings
  /** Formats a property number as the vendor does; a plain number by default. */
  propertyId?(number: number): string
  create(parts: StandInParts): Handler
  /** Environment variables that connect the vendor's adapter to a stand-in at `origin`. */
  environment(origin: string, pictureBase: string): Readonly<Record<string, string>>
}

export type StandInParts = {
  readonly world: VendorWorld
  readonly allotment: Allotment
  readonly ledger: Ledger
  readonly clock: Clock
  /** Read at every call, because it may change while the stand-in runs. */
  readonly settings: Readonly<StandInSettings>
  /** Base address of pictures, without a trailing slash: `{pictureBase}/{key}/{kind}.svg?w=…`. */
  readonly pictureBase: string
}

/** Wire format of one vendor: requests in, responses out. `serveStandIn` handles HTTP, faults and counting. */
export type Handler = {
  /** Identifies the operation; its work runs only if no fault prevents it. */
  route(request: StandInRequest): Route
  /** Ledger lines after a change by the vendor; absent if the stand-in does not support changes. */
  change?(lines: readonly LedgerEntry[], change: BookingChange): readonly LedgerEntry[]
  /** The vendor's response while it is down. */
  unavailable(now: number): StandInAnswer
  /** The vendor's response above its rate limit, which resets at `resetAt`. */
  throttled(resetAt: number): StandInAnswer
}

export type StandInRequest = {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON; undefined if missing or malformed. */
  readonly body: unknown
}

export type Route = {
  /** The adapter's name for the operation; used for faults and call counts. */
  readonly operation: string
  work(faults: readonly Fault[], now: number): StandInAnswer
}
