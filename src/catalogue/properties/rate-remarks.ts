import type { Notice } from '../../domain/offer.ts'
import { createNotice, joinNotices } from '../../domain/property/notices.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { startDeadline } from '../../lib/time/deadline.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { PlainDate } from '../../lib/time/plain-date.ts'
import type { RateRemark, Vendor } from '../../vendors/contract.ts'
import { VendorError } from '../../vendors/vendor-error.ts'
import type { RateRemarksStore } from '../store/rate-remarks.ts'

export type RateRemarks = ReturnType<typeof createRateRemarks>

type Remark = Omit<RateRemark, 'ref'>

type Deps = {
  readonly store: RateRemarksStore
  readonly vendors: readonly Vendor[]
  readonly clock: Clock
  onBug(error: unknown, where: string): void
}

const LOOKUP_TIMEOUT_MS = 60_000
/** More than a property has; the rest is looked up on the next visit. */
const LOOKUPS_MAX = 100
const REFRESH_AFTER_MS = 7 * DAY_MS

/**
 * Reads remarks from our copy, which is synced with the vendor's feed: a request never waits for vendor content. Missing remarks
 * are looked up in the background for the next request; until then the price check shows them.
 */
export function createRateRemarks(deps: Deps) {
  const { store, vendors, clock } = deps
  const lookups = createLookups(deps)
  /** Lists read in part. */
  const partial = new Map<string, { readonly startedAt: number; readonly cursor: string | undefined }>()
  return {
    /** Remarks by reference for an arrival on that day, without those missing in the copy. */
    async read(
      vendorId: string,
      refs: readonly string[],
      checkIn: PlainDate,
    ): Promise<ReadonlyMap<string, readonly Notice[]>> {
      const rows = await store.read(vendorId, [...refs, ...refs.map((ref) => onDay(ref, checkIn))])
      const stored = new Map(rows.map((row) => [row.ref, row]))
      const fresh = clock.now() - REFRESH_AFTER_MS
      const isMissing = (ref: string) =>
        !stored.has(ref) && Number(stored.get(onDay(ref, checkIn))?.read_at ?? Number.NEGATIVE_INFINITY) < fresh
      const vendor = vendors.find(({ id }) => id === vendorId)
      if (vendor !== undefined) lookups.start(vendor, refs.filter(isMissing), checkIn)
      return new Map(
        refs.map((ref) => {
          const row = stored.get(ref) ?? stored.get(onDay(ref, checkIn))
          return [ref, row === undefined ? [] : noticesOn(checkIn, JSON.parse(row.remarks))]
        }),
      )
    },

    /** Reads a vendor's whole list. False if it had to stop early; the next call continues from there. */
    async sync(vendor: Vendor, context: CallContext, mayGoOn?: () => Promise<boolean>): Promise<boolean> {
      const { startedAt, cursor } = partial.get(vendor.id) ?? { startedAt: clock.now(), cursor: undefined }
      const query = { kind: 'feed', ...(cursor !== undefined && { cursor }) } as const
      for await (const page of vendor.remarks?.(query, context) ?? []) {
        const found = new Map<string, Remark[]>()
        collect(found, page.remarks)
        await store.put(Array.from(found, ([ref, remarks]) => toRow(vendor.id, ref, remarks, clock.now())))
        partial.set(vendor.id, { startedAt, cursor: page.cursor })
        if (page.cursor !== undefined && mayGoOn !== undefined && !(await mayGoOn())) return false
      }
      // Deletes remarks that have left the list, if the vendor has one.
      if (partial.delete(vendor.id)) await store.dropOlder(vendor.id, startedAt)
      return true
    },

    stop: lookups.stop,
  }
}

/** Background lookups, each reference once at a time. */
function createLookups({ store, clock, onBug }: Deps) {
  const running = new Set<string>()
  const pending = new Set<Promise<void>>()
  const stopped = new AbortController()

  async function lookUp(vendor: Vendor, refs: readonly string[], on: PlainDate): Promise<void> {
    using deadline = startDeadline(LOOKUP_TIMEOUT_MS, stopped.signal)
    const found = new Map<string, Remark[]>(refs.map((ref) => [ref, []]))
    const context = { signal: deadline.signal, requestId: `remarks-${vendor.id}` }
    for await (const page of vendor.remarks?.({ kind: 'refs', refs, on }, context) ?? []) collect(found, page.remarks)
    const readAt = clock.now()
    await store.put(Array.from(found, ([ref, remarks]) => toRow(vendor.id, onDay(ref, on), remarks, readAt)))
  }

  return {
    start(vendor: Vendor, refs: readonly string[], on: PlainDate): void {
      const wanted = refs.filter((ref) => !running.has(onDay(ref, on))).slice(0, LOOKUPS_MAX)
      if (vendor.remarks === undefined || wanted.length === 0 || running.size > LOOKUPS_MAX) return
      if (stopped.signal.aborted) return
      for (const ref of wanted) running.add(onDay(ref, on))
      const work = lookUp(vendor, wanted, on)
        .catch((error) => {
          // The next visitor of the property triggers a retry.
          if (!(error instanceof VendorError)) onBug(error, `remarks of ${vendor.id}`)
        })
        .finally(() => {
          for (const ref of wanted) running.delete(onDay(ref, on))
          pending.delete(work)
        })
      pending.add(work)
    },

    async stop(): Promise<void> {
      stopped.abort()
      await Promise.allSettled(pending)
    },
  }
}

/** A lookup is valid only for its day. */
const onDay = (ref: string, on: PlainDate) => `${ref}@${on}`

function collect(into: Map<string, Remark[]>, page: readonly RateRemark[]): void {
  for (const { ref, ...remark } of page) into.set(ref, [...(into.get(ref) ?? []), remark])
}

const toRow = (vendorId: string, ref: string, remarks: readonly Remark[], readAt: number) => ({
  vendor_id: vendorId,
  ref,
  remarks: JSON.stringify(remarks),
  read_at: readAt,
})

const noticesOn = (day: PlainDate, remarks: readonly Remark[]): Notice[] =>
  joinNotices(
    remarks
      .filter(({ from = day, until = day }) => from <= day && day <= until)
      .map(({ text }) => createNotice('rate_comment', 'Rate comments', text)),
  )
