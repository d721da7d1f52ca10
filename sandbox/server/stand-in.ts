import type { IncomingHttpHeaders } from 'node:http'
import type { VendorId } from '../../src/domain/offer.ts'
import type { Clock } from '../../src/lib/time/clock.ts'
import type { Allotment, Seller, VendorWorld } from '../world/contract.ts'
import type { StandInAnswer } from './answer-under-faults.ts'
import type { BookingChange } from './booking-changes.ts'
import type { Fault } from './faults.ts'
import type { Ledger, LedgerEntry } from './ledger.ts'
import type { SomeSettings, StandInSettings } from './settings.ts'

/** One vendor's stand-in: what it sells, its wire format, and how an adapter is connected to it. */
export type StandIn = Seller & {
  readonly id: VendorId
  /** Where the vendor is asked for prices of many properties, as method and path. */
  readonly searchAddress: string
  /** Settings that only this stand-in has, with what they are by default. */
  readonly settings?: SomeSettings
  /** How the vendor writes the number of a property; as a plain number where this is left out. */
  propertyId?(number: number): string
  create(parts: StandInParts): Handler
  /** The variables that connect the vendor's adapter to a stand-in at `origin`. */
  environment(origin: string, pictureBase: string): Readonly<Record<string, string>>
}

export type StandInParts = {
  readonly world: VendorWorld
  readonly allotment: Allotment
  readonly ledger: Ledger
  readonly clock: Clock
  /** May be changed while the stand-in runs, so it is read at every call. */
  readonly settings: Readonly<StandInSettings>
  /** Where pictures are served, without a slash at the end: `{pictureBase}/{key}/{kind}.svg?w=…`. */
  readonly pictureBase: string
}

/** The wire format of one vendor: requests in, answers out. HTTP, faults and counting are done by `serveStandIn`. */
export type Handler = {
  /** Decides what is asked; the work itself is done only if no fault prevents it. */
  route(request: StandInRequest): Route
  /** The lines of a booking after the vendor has changed it of its own accord; absent where the stand-in cannot. */
  change?(lines: readonly LedgerEntry[], change: BookingChange): readonly LedgerEntry[]
  /** The vendor's answer when it is out of order. */
  unwell(now: number): StandInAnswer
  /** The vendor's answer to too many calls; they are allowed again at `resetAt`. */
  throttled(resetAt: number): StandInAnswer
}

export type StandInRequest = {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON; undefined when there is none or it is broken. */
  readonly body: unknown
}

export type Route = {
  /** The adapter's own name for the operation; faults and counts go by it. */
  readonly operation: string
  work(faults: readonly Fault[], now: number): StandInAnswer
}
