import type { ContentStatus } from '../../catalogue/sync/content-status.ts'
import { cachedFor } from '../../lib/async/cached.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import { addDays, dateIn } from '../../lib/time/plain-date.ts'
import { defineList } from '../../lists/definition.ts'
import type { ListPage } from '../../lists/meta.ts'
import type { ListPlan } from '../../lists/plan.ts'
import { runInMemory } from '../../lists/run-in-memory.ts'
import { VENDOR_ENVIRONMENTS } from '../../vendors/contract.ts'
import type { VendorHealthStore } from '../store/vendor-health.ts'
import { SLOT_MS } from './count-vendors.ts'
import {
  BREAKER_STATES,
  describeVendor,
  type Figures,
  HOURS,
  type KnownVendor,
  SLOTS,
  type VendorDetail,
  type VendorOverview,
} from './describe-vendor.ts'

export const VENDOR_LIST = defineList({
  fields: {
    vendor_id: { type: 'string', sortable: true, filterable: true, nullable: false },
    environment: { type: 'enum', values: VENDOR_ENVIRONMENTS, sortable: true, filterable: true, nullable: false },
    breaker: { type: 'enum', values: BREAKER_STATES, sortable: true, filterable: true, nullable: false },
    late_since: { type: 'datetime', sortable: true, filterable: true },
  },
  tiebreaker: 'vendor_id',
  defaultOrder: { orderBy: ['vendor_id'] },
})

type Deps = {
  readonly store: VendorHealthStore
  readonly vendors: readonly KnownVendor[]
  contentStatus(): Promise<readonly ContentStatus[]>
  readonly readingsPerMinute: number
  readonly clock: Clock
}

/** Period for searches per booking. */
const LOOK_DAYS = 30
/** Lifetime of a reported breaker state; each process reports every 15 seconds. */
const BREAKER_TTL_MS = 60_000
/** Several operators may reload this view often. */
const FIGURES_MS = 3_000
const BOOKINGS_MS = 60_000
const KEEP = { slotsMs: 3 * HOUR_MS, hoursMs: 16 * DAY_MS, breakersMs: 10 * MINUTE_MS, lookDays: LOOK_DAYS + 1 }

export type VendorHealth = ReturnType<typeof createVendorHealth>

/** Health of each vendor, from the counts of all processes. */
export function createVendorHealth(deps: Deps) {
  const { store, vendors, clock, readingsPerMinute } = deps
  const bookings = cachedFor(clock, BOOKINGS_MS, () => store.bookings(clock.now() - LOOK_DAYS * DAY_MS))
  const figures = cachedFor(clock, FIGURES_MS, () => readFigures(deps, bookings))

  async function overviews(): Promise<VendorOverview[]> {
    const all = await figures()
    return vendors.map((vendor) => describeVendor(all, vendor, readingsPerMinute))
  }

  return {
    overviews,

    async list(plan: ListPlan): Promise<ListPage<VendorOverview>> {
      return runInMemory(plan, await overviews(), readField)
    },

    /** Undefined if the vendor is not connected. */
    async show(vendorId: string): Promise<VendorDetail | undefined> {
      const vendor = vendors.find(({ id }) => id === vendorId)
      return vendor && describeVendor(await figures(), vendor, readingsPerMinute)
    },

    async deleteOld(): Promise<number> {
      const now = clock.now()
      await store.deleteOld({
        slots: now - KEEP.slotsMs,
        hours: now - KEEP.hoursMs,
        breakers: now - KEEP.breakersMs,
        day: addDays(dateIn('UTC', now), -KEEP.lookDays),
      })
      return 0
    },
  }
}

async function readFigures(
  { store, vendors, clock, contentStatus }: Deps,
  bookings: () => ReturnType<VendorHealthStore['bookings']>,
): Promise<Figures> {
  const now = clock.now()
  const firstSpan = (spanMs: number, count: number) => (Math.floor(now / spanMs) + 1 - count) * spanMs
  const [slotsFrom, hoursFrom] = [firstSpan(SLOT_MS, SLOTS), firstSpan(HOUR_MS, HOURS)]
  const [slots, hours, week, breakers, searches, booked, turns, content, quotas] = await Promise.all([
    store.calls(5, slotsFrom),
    store.calls(60, hoursFrom),
    store.callTotals(60, firstSpan(HOUR_MS, 7 * HOURS)),
    store.breakers(now - BREAKER_TTL_MS),
    store.searches(addDays(dateIn('UTC', now), 1 - LOOK_DAYS)),
    bookings(),
    store.turns(),
    contentStatus(),
    Promise.all(vendors.map(async ({ id, readQuotas }) => [id, (await readQuotas?.()) ?? []] as const)),
  ])
  const figures = { now, slotsFrom, hoursFrom, slots, hours, week, breakers, searches, booked, turns, content }
  return { ...figures, quotas: new Map(quotas) }
}

function readField(vendor: VendorOverview, field: string): unknown {
  if (field === 'vendor_id') return vendor.vendorId
  if (field === 'late_since') return vendor.content.lateSince ?? null
  return field === 'environment' ? vendor.environment : vendor.breaker
}
