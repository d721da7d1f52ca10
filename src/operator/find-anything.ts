import type { Account } from '../accounts/store/accounts.ts'
import type { Booking } from '../domain/booking/booking.ts'
import type { Tables } from '../store/tables.ts'
import { findBookingIds, type SearchedRange } from './find-bookings.ts'
import { REQUEST_ID } from './read-request.ts'
import type { RequestLog } from './request-log.ts'
import type { OperatorBookingStore } from './store/bookings.ts'

export type Found = {
  readonly bookings: readonly Booking[]
  readonly accounts: readonly Account[]
  readonly requests: readonly Tables['requests'][]
  readonly looked: SearchedRange | undefined
}

type Deps = {
  readonly bookings: OperatorBookingStore
  readonly accounts: { search(text: string, limit: number): Promise<readonly Account[]> }
  readonly requests: Pick<RequestLog, 'write' | 'byRequestId'>
}

/** Per kind. */
const FOUND_MAX = 10

export type FindAnything = (text: string) => Promise<Found>

/** Finds bookings by reference or guest, accounts by name or e-mail, and requests by their id. */
export function createFindAnything({ bookings, accounts, requests }: Deps): FindAnything {
  return async (text) => {
    const { ids, looked } = await findBookingIds(bookings, text)
    return {
      bookings: await bookings.byIds(ids.slice(0, FOUND_MAX)),
      // PostgreSQL rejects a NUL.
      accounts: text.includes('\0') ? [] : await accounts.search(text, FOUND_MAX),
      requests: REQUEST_ID.test(text) ? await readRequests(requests, text) : [],
      looked,
    }
  }
}

async function readRequests(requests: Deps['requests'], requestId: string): Promise<Tables['requests'][]> {
  await requests.write()
  return (await requests.byRequestId(requestId)).slice(0, FOUND_MAX)
}
