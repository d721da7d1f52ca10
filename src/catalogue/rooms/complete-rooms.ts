import type { VendorProperty } from '../../domain/property/property.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { startDeadline, unlessAborted } from '../../lib/time/deadline.ts'
import type { Vendor } from '../../vendors/contract.ts'
import { VendorError } from '../../vendors/vendor-error.ts'
import type { CatalogueStore } from '../store/catalogue.ts'
import type { IngestContent } from '../sync/ingest-content.ts'

type Deps = {
  readonly store: CatalogueStore
  readonly vendors: readonly Vendor[]
  readonly ingest: IngestContent
  /** Longest wait of a property page for its rooms. */
  readonly patienceMs: number
  onBug(error: unknown, where: string): void
}

export type CompleteRooms = ReturnType<typeof createCompleteRooms>

/** Reads the rooms of properties that are known only from result lists. */
export function createCompleteRooms({ store, vendors, ingest, patienceMs, onBug }: Deps) {
  async function complete(vendor: Vendor, ids: readonly string[], context: CallContext): Promise<void> {
    for await (const { properties } of vendor.content({ kind: 'ids', ids }, context)) await ingest(properties)
    // Also if the vendor returned nothing usable; otherwise we would ask forever.
    await store.write((writer) => writer.markRoomsRead(vendor.id, ids))
  }

  return {
    complete,
    /** For a property page. If a vendor fails, only its room descriptions are missing. */
    async now(contents: readonly VendorProperty[], caller?: CallContext): Promise<void> {
      using deadline = startDeadline(patienceMs, caller?.signal)
      const context = { requestId: 'rooms-of-a-property', ...caller, signal: deadline.signal }
      await Promise.all(
        contents.map(async ({ vendorId, vendorPropertyId }) => {
          const vendor = vendors.find(({ id }) => id === vendorId)
          if (vendor === undefined) return
          const work = complete(vendor, [vendorPropertyId], context).catch((error: unknown) => {
            if (!(error instanceof VendorError)) onBug(error, `rooms of ${vendorId}`)
          })
          await unlessAborted(work, deadline.signal)
        }),
      )
    },
  }
}
