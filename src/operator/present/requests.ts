import type { Static } from 'typebox'
import { moment } from '../../http/present/moment.ts'
import type { Tables } from '../../store/tables.ts'
import type { RequestTrace } from '../read-request.ts'
import type { RequestEntrySchema, RequestResponse } from '../schemas/requests.ts'
import { presentVendorCall } from './booking.ts'

export const presentRequest = (row: Tables['requests']): Static<typeof RequestEntrySchema> => ({
  id: row.id,
  request_id: row.request_id,
  at: moment(row.at),
  operation: row.operation,
  method: row.method,
  path: row.path,
  status: row.status,
  code: row.code,
  took_ms: row.took_ms,
  account_id: row.account_id,
  key_id: row.key_id,
  simulated: row.simulated === 1,
  search_id: row.search_id,
  booking_id: row.booking_id,
})

export const presentRequestTrace = (
  { requestId, requests, calls }: RequestTrace,
  seesNet: boolean,
): Static<typeof RequestResponse>['data'] => ({
  request_id: requestId,
  requests: requests.map(presentRequest),
  vendor_calls: calls.map((call) => presentVendorCall(call, seesNet)),
})
