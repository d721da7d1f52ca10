import type { LedgerEntry } from '../../server/ledger.ts'
import type { OfferToken } from './answer-shop.ts'
import type { BookRequest } from './book-order.ts'

/** Booking data that the ledger stores in addition to its own columns. */
export type KeptBooking = {
  readonly offer: OfferToken
  readonly request: BookRequest
  /** Ids in the cancel links, one per room. */
  readonly roomKeys: readonly string[]
  readonly cancelled: readonly number[]
  /** Test bookings are visible only to calls with the Test header. */
  readonly isTest: boolean
  readonly isChallenged: boolean
}

export type CancelToken = { readonly id: string; readonly room: number }

export const readKept = (entry: LedgerEntry): KeptBooking => entry.raw as KeptBooking
