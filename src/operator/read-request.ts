import { AppError } from '../domain/errors.ts'
import type { VendorCall } from '../domain/vendor-call.ts'
import type { Tables } from '../store/tables.ts'
import type { RequestLog } from './request-log.ts'
import type { VendorCallStore } from './store/vendor-calls.ts'

type Deps = {
  readonly requests: Pick<RequestLog, 'write' | 'byRequestId'>
  readonly calls: Pick<VendorCallStore, 'ofRequest'>
  /** Writes the calls of this process that are still in memory. */
  flushCalls(): Promise<unknown>
}

/** API requests and vendor calls with one request id. */
export type RequestTrace = {
  readonly requestId: string
  readonly requests: readonly Tables['requests'][]
  readonly calls: readonly VendorCall[]
}

const CALLS_MAX = 200
/** Ids of any other form are never issued. PostgreSQL rejects a NUL. */
export const REQUEST_ID = /^[\w.:-]{1,100}$/

export type ReadRequest = (requestId: string) => Promise<RequestTrace>

/** The request id of a job only has calls to vendors. */
export function createReadRequest({ requests, calls, flushCalls }: Deps): ReadRequest {
  return async (requestId) => {
    if (!REQUEST_ID.test(requestId)) throw noSuchRequest()
    await requests.write()
    await flushCalls()
    const [found, called] = await Promise.all([requests.byRequestId(requestId), calls.ofRequest(requestId, CALLS_MAX)])
    if (found.length === 0 && called.length === 0) throw noSuchRequest()
    return { requestId, requests: found, calls: called }
  }
}

const noSuchRequest = () =>
  new AppError(
    'not_found',
    'No request with this id is stored. Requests are stored within seconds and kept for 7 days, bookings and errors for 30.',
  )
