import { AppError } from '../domain/errors.ts'
import type { VendorCall } from '../domain/vendor-call.ts'
import type { Tables } from '../store/tables.ts'
import type { RequestLog } from './request-log.ts'
import type { VendorCallStore } from './store/vendor-calls.ts'

type Deps = {
  readonly requests: Pick<RequestLog, 'write' | 'byRequestId'>
  readonly calls: Pick<VendorCallStore, 'ofRequest'>
  /** Writes down the calls of this process that are still in memory. */
  flushCalls(): Promise<unknown>
}

/** What is known under one request id. */
export type RequestTrace = {
  readonly requestId: string
  readonly requests: readonly Tables['requests'][]
  readonly calls: readonly VendorCall[]
}

const CALLS_MAX = 200
/** Others are never given out, nor taken from a client; and PostgreSQL cannot read a NUL. */
const REQUEST_ID = /^[\w.:-]{1,100}$/

export type ReadRequest = (requestId: string) => Promise<RequestTrace>

/** Jobs have request ids too, and only calls to vendors. */
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
    'No request of this id is kept. They are written within seconds and kept for 7 days, bookings and errors for 30.',
  )
