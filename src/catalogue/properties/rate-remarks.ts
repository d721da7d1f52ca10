import type { Notice } from '../../domain/offer.ts'
import { joinNotices, noticeOf } from '../../domain/property/notices.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { startDeadline } from '../../lib/time/deadline.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { PlainDate } from '../../lib/time/plain-date.ts'
import type { RateRemark, Vendor } from '../../vendors/contract.ts'
import { VendorError } from '../../vendors/vendor-error.ts'
import type { RateRemarksStore } from '../store/rate-remarks.ts'

export type RateRemarks = ReturnType<typeof createRateRemarks>

type Kept = Omit<RateRemark, 'ref'>

type Deps = {
  readonly store: RateRemarksStore
  readonly vendors: readonly Vendor[]
  readonly clock: Clock
  onBug(error: unknown, where: string): void
}

const LOOKUP_TIMEOUT_MS = 60_000
/** More than a property has; the rest is looked up when it is seen again. */
const LOOKUPS_MAX = 100
const REFRESH_AFTER_MS = 7 * DAY_MS

/**
 * What vendors' rates refer to, out of our copy: a vendor's content is not asked while somebody waits. The whole list is read
 * with the vendor's feed. What is not in the copy is looked up afterwards, for the next who asks; until then the price check
 * tells it.
 */
export function createRateRemarks(deps: Deps) {
  const { store, vendors, clock } = deps
  const lookups = createLookups(deps)
  /** Lists that have been read in part. */
  const begun = new Map<string, { readonly startedAt: number; readonly cursor: string | undefined }>()
  return {
    /** By reference, for an arrival on that day. What the copy lacks is missing. */
    async of(
      vendorId: string,
      refs: readonly string[],
      checkIn: PlainDate,
    ): Promise<ReadonlyMap<string, readonly Notice[]>> {
      const rows = await store.read(vendorId, [...refs, ...refs.map((ref) => onDay(ref, checkIn))])
      const kept = new Map(rows.map((row) => [row.ref, row]))
      const fresh = clock.now() - REFRESH_AFTER_MS
      const isMissing = (ref: string) =>
        !kept.has(ref) && Number(kept.get(onDay(ref, checkIn))?.read_at ?? Number.NEGATIVE_INFINITY) < fresh
      const vendor = vendors.find(({ id }) => id === vendorId)
      if (vendor !== undefined) lookups.start(vendor, refs.filter(isMissing), checkIn)
      return new Map(
        refs.map((ref) => {
          const row = kept.get(ref) ?? kept.get(onDay(ref, checkIn))
          return [ref, row === undefined ? [] : noticesOn(checkIn, JSON.parse(row.remarks))]
        }),
      )
    },

    /**
     * Reads a vendor's whole list. False where it was told to stop before the end; the next call goes on from there.
     */
    async sync(vendor: Vendor, context: CallContext, mayGoOn?: () => Promise<boolean>): Promise<boolean> {
      const { startedAt, cursor } = begun.get(vendor.id) ?? { startedAt: clock.now(), cursor: undefined }
      const query = { kind: 'feed', ...(cursor !== undefined && { cursor }) } as const
      for await (const page of vendor.remarks?.(query, context) ?? []) {
        const found = new Map<string, Kept[]>()
        collect(found, page.remarks)
        await store.put(Array.from(found, ([ref, kept]) => rowOf(vendor.id, ref, kept, clock.now())))
        begun.set(vendor.id, { startedAt, cursor: page.cursor })
        if (page.cursor !== undefined && mayGoOn !== undefined && !(await mayGoOn())) return false
      }
      // What the list does not have any more; a vendor without a list has nothing.
      if (begun.delete(vendor.id)) await store.dropOlder(vendor.id, startedAt)
      return true
    },

    stop: lookups.stop,
  }
}

/** What is looked up after somebody was answered, each reference once at a time. */
function createLookups({ store, clock, onBug }: Deps) {
  const running = new Set<string>()
  const underway = new Set<Promise<void>>()
  const stopped = new AbortController()

  async function lookUp(vendor: Vendor, refs: readonly string[], on: PlainDate): Promise<void> {
    using deadline = startDeadline(LOOKUP_TIMEOUT_MS, stopped.signal)
    const found = new Map<string, Kept[]>(refs.map((ref) => [ref, []]))
    const context = { signal: deadline.signal, requestId: `remarks-${vendor.id}` }
    for await (const page of vendor.remarks?.({ kind: 'refs', refs, on }, context) ?? []) collect(found, page.remarks)
    const readAt = clock.now()
    await store.put(Array.from(found, ([ref, kept]) => rowOf(vendor.id, onDay(ref, on), kept, readAt)))
  }

  return {
    start(vendor: Vendor, refs: readonly string[], on: PlainDate): void {
      const wanted = refs.filter((ref) => !running.has(onDay(ref, on))).slice(0, LOOKUPS_MAX)
      if (vendor.remarks === undefined || wanted.length === 0 || running.size > LOOKUPS_MAX) return
      if (stopped.signal.aborted) return
      for (const ref of wanted) running.add(onDay(ref, on))
      const work = lookUp(vendor, wanted, on)
        .catch((error) => {
          // A vendor that fails is asked again by the next who looks at the property.
          if (!(error instanceof VendorError)) onBug(error, `remarks of ${vendor.id}`)
        })
        .finally(() => {
          for (const ref of wanted) running.delete(onDay(ref, on))
          underway.delete(work)
        })
      underway.add(work)
    },

    async stop(): Promise<void> {
      stopped.abort()
      await Promise.allSettled(underway)
    },
  }
}

/** A look-up tells only what holds on its day. */
const onDay = (ref: string, on: PlainDate) => `${ref}@${on}`

function collect(into: Map<string, Kept[]>, page: readonly RateRemark[]): void {
  for (const { ref, ...kept } of page) into.set(ref, [...(into.get(ref) ?? []), kept])
}

const rowOf = (vendorId: string, ref: string, kept: readonly Kept[], readAt: number) => ({
  vendor_id: vendorId,
  ref,
  remarks: JSON.stringify(kept),
  read_at: readAt,
})

const noticesOn = (day: PlainDate, remarks: readonly Kept[]): Notice[] =>
  joinNotices(
    remarks
      .filter(({ from = day, until = day }) => from <= day && day <= until)
      .map(({ text }) => noticeOf('rate_comment', 'Rate comments', text)),
  )
