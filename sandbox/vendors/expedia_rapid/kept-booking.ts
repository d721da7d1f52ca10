import type { LedgerEntry } from '../../server/ledger.ts'
import type { OfferToken } from './answer-shop.ts'
import type { BookRequest } from './book-order.ts'

/** What the ledger keeps of a booking beside its own columns. */
export type KeptBooking = {
  readonly offer: OfferToken
  readonly request: BookRequest
  /** The ids that cancel links carry, one per room. */
  readonly roomKeys: readonly string[]
  readonly cancelled: readonly number[]
  /** Test bookings are seen only by calls that carry the Test header. */
  readonly isTest: boolean
  readonly isChallenged: boolean
}

export type CancelToken = { readonly id: string; readonly room: number }

export const keptOf = (entry: LedgerEntry): KeptBooking => entry.raw as KeptBooking
