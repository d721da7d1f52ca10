import type { VendorCall } from '../../domain/vendor-call.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { openText, sealText } from '../../lib/crypto/seal.ts'
import { deleteOld } from '../../store/batches.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

const BODY = 'vcl1'

export type VendorCallStore = ReturnType<typeof createVendorCallStore>

export function createVendorCallStore(database: Database, keyring: Keyring) {
  const all = database.read.selectFrom('vendor_calls').selectAll()
  return {
    async add(calls: readonly VendorCall[]): Promise<void> {
      if (calls.length === 0) return
      const rows = calls.map((call) => toRow(call, keyring))
      await database.write((tx) => tx.insertInto('vendor_calls').values(rows).execute())
    },

    /** Calls about a booking and of the requests that changed it, oldest first. */
    async ofBooking(bookingId: string, requestIds: readonly string[], limit: number): Promise<VendorCall[]> {
      const rows = await all
        .where((where) =>
          where.or([
            where('booking_id', '=', bookingId),
            ...(requestIds.length === 0 ? [] : [where('request_id', 'in', [...requestIds])]),
          ]),
        )
        .orderBy('at', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => fromRow(row, keyring)).reverse()
    },

    async ofRequest(requestId: string, limit: number): Promise<VendorCall[]> {
      const rows = await all.where('request_id', '=', requestId).orderBy('at').limit(limit).execute()
      return rows.map((row) => fromRow(row, keyring))
    },

    /** Deletes a batch, oldest first. Returns its size. */
    deleteOld: (before: number) => deleteOld(database, 'vendor_calls', { key: 'id', time: 'at', before }),
  }
}

const toRow = (call: VendorCall, keyring: Keyring): Tables['vendor_calls'] => ({
  id: call.id,
  at: call.at,
  vendor_id: call.vendorId,
  class: call.class,
  operation: call.operation,
  request_id: call.requestId,
  booking_id: call.bookingId ?? null,
  method: call.method,
  path: call.path,
  status: call.status ?? null,
  fault: call.fault ?? null,
  took_ms: call.tookMs,
  request: call.request === undefined ? null : sealText(keyring, BODY, call.request),
  response: call.response === undefined ? null : sealText(keyring, BODY, call.response),
})

const fromRow = (row: Tables['vendor_calls'], keyring: Keyring): VendorCall => ({
  id: row.id,
  at: row.at,
  vendorId: row.vendor_id,
  class: row.class,
  operation: row.operation,
  requestId: row.request_id,
  bookingId: row.booking_id ?? undefined,
  method: row.method,
  path: row.path,
  status: row.status ?? undefined,
  fault: row.fault ?? undefined,
  tookMs: row.took_ms,
  request: row.request === null ? undefined : openText(keyring, BODY, row.request),
  response: row.response === null ? undefined : openText(keyring, BODY, row.response),
})
