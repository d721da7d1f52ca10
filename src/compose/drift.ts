import { Gauge } from 'prom-client'
import { DAY_MS } from '../lib/time/durations.ts'
import { DRIFT_SHOWN_MS, driftSource } from '../operator/attention/drift-attention.ts'
import { createVendorDriftStore } from '../operator/store/vendor-drifts.ts'
import { createShapeWatch } from '../vendors/transport/drift/watch-shapes.ts'
import type { Core } from './core.ts'

const KEPT_MS = 30 * DAY_MS

/** Watches the shapes of vendors' responses. Each process continues from the shapes that earlier ones stored. */
export async function composeDrift({ clock, log, registry, database, reportJobFailure }: Core) {
  const store = createVendorDriftStore(database)
  const onBug = (error: unknown) => log.error({ err: error }, 'drift of a vendor could not be kept')
  const shapes = createShapeWatch({
    learned: await store.shapes(),
    onDrift({ vendor, operation }, drift) {
      log.warn({ vendor, operation, ...drift }, 'the responses of a vendor have changed')
      store.addDrift({ vendor_id: vendor, operation, ...drift, seen_at: clock.now() }).catch(onBug)
    },
  })
  new Gauge({
    name: 'serai_vendor_drifts',
    help: 'Changes of the shape of the vendor’s responses, found within seven days.',
    labelNames: ['vendor'],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      this.reset()
      const onFailure = (error: unknown) => reportJobFailure(error, 'metrics of drifts')
      const found = (await store.drifts(clock.now() - DRIFT_SHOWN_MS).catch(onFailure)) ?? []
      for (const { vendor_id: vendor } of found) this.inc({ vendor })
    },
  })
  return {
    shapes,
    attention: driftSource(store),
    /** Stores the shapes that this process has seen. */
    async keep(): Promise<number> {
      await store.saveShapes(shapes.takeChanged())
      await store.deleteOld(clock.now() - KEPT_MS)
      return 0
    },
  }
}
