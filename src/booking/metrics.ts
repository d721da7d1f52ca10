import { Gauge, type Registry } from 'prom-client'
import { BOOKING_STATES } from '../domain/booking/booking.ts'
import { cachedFor } from '../lib/async/cached.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { BookingStore } from './store/bookings.ts'

type Deps = {
  readonly bookings: Pick<BookingStore, 'figures'>
  readonly clock: Clock
  onBug(error: unknown): void
}

type Figures = Awaited<ReturnType<BookingStore['figures']>>

/** Several scrapers share one database query. */
const CACHE_MS = 5_000

/** Read from the database for each scrape, so every process reports the same figures. */
export function addBookingMetrics(registry: Registry, deps: Deps): void {
  const figures = cachedFigures(deps)
  const registers = [registry]

  new Gauge({
    name: 'serai_bookings',
    help: 'Bookings by state; simulated ones are counted separately.',
    labelNames: ['state', 'simulated'],
    registers,
    aggregator: 'max',
    async collect() {
      const read = await figures()
      if (read === undefined) return this.reset()
      for (const state of BOOKING_STATES) {
        this.set({ state, simulated: 'false' }, read.byState[state] ?? 0)
        this.set({ state, simulated: 'true' }, read.simulatedByState[state] ?? 0)
      }
    },
  })

  new Gauge({
    name: 'serai_booking_doubt_oldest_seconds',
    help: 'Age of the oldest booking in doubt; 0 if there is none.',
    registers,
    aggregator: 'max',
    async collect() {
      const read = await figures()
      if (read === undefined) return this.remove()
      const now = deps.clock.now()
      this.set(Math.max(0, now - (read.oldestDoubtSince ?? now)) / 1000)
    },
  })
}

/** Undefined while the database cannot be read: no figure is better than a stale one. */
function cachedFigures({ bookings, clock, onBug }: Deps): () => Promise<Figures | undefined> {
  const read = cachedFor(clock, CACHE_MS, () =>
    bookings.figures().catch((error: unknown) => {
      onBug(error)
      throw error
    }),
  )
  return () => read().catch(() => undefined)
}
