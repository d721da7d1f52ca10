import { createCatalogue } from '../catalogue/catalogue.ts'
import { addContentMetrics } from '../jobs/content-metrics.ts'
import { addVendorMetrics } from '../jobs/vendor-metrics.ts'
import type { Circle } from '../lib/geo.ts'
import type { LocationIndex } from '../locations/location-index.ts'
import { createCatalogueStores } from '../store/catalogue-stores.ts'
import { createVendors } from '../vendors/registry.ts'
import { CALL_CLASSES } from '../vendors/transport/call.ts'
import type { Core, Overrides } from './core.ts'

/** Of an area more is read than a search looks at, because vendors do not agree on where a property is. */
const AREA_MARGIN = 1.2
const WHOLE_EARTH = { point: { lat: 0, lon: 0 }, radiusKm: 20_100 }
/** These are read before anybody asks for them. */
const BEST_KNOWN = 100

const bestKnown = (locations: LocationIndex): Circle[] =>
  locations
    .nearby(WHOLE_EARTH.point, WHOLE_EARTH.radiusKm, ['city'], BEST_KNOWN)
    .map(({ point, radiusKm }) => ({ center: point, radiusKm }))

/** The connected vendors, watched by the metrics, and the catalogue of their properties. */
export async function composeVendors(
  { config, clock, log, registry, shared, database }: Core,
  overrides: Overrides,
  locations: LocationIndex,
) {
  const metrics = addVendorMetrics(registry)
  const requests = new Map<string, number>()
  const { vendors, clientOf, close } = await createVendors(
    (await overrides.vendorEnvironment) ?? config.vendorEnvironment,
    {
      clock,
      onExchange: overrides.onExchange,
      onCall: (report) => {
        if (report.class === 'content') requests.set(report.vendor, (requests.get(report.vendor) ?? 0) + 1)
        metrics.onCall(report)
        log.debug(report, 'vendor call')
      },
    },
  )
  metrics.watchBreakers({
    vendorIds: vendors.map(({ id }) => id),
    classes: CALL_CLASSES,
    stateOf: (vendorId, of) => clientOf(vendorId)?.breakerState(of) ?? 'closed',
  })
  const catalogue = createCatalogue({
    ...createCatalogueStores(database),
    vendors,
    clock,
    locks: shared.locks,
    settings: { ...config.content, propertiesMax: Math.ceil(config.search.propertiesMax * AREA_MARGIN) },
    places: () => bestKnown(locations),
    requestsOf: (vendorId) => requests.get(vendorId) ?? 0,
    onBug: (error, where) => log.error({ err: error, where }, 'unexpected error in the catalogue'),
  })
  addContentMetrics(registry, {
    contentStatus: catalogue.contentStatus,
    clock,
    onBug: (error) => log.error({ err: error }, 'the content cannot be counted'),
  })
  await catalogue.start()
  return {
    vendors,
    catalogue,
    async close() {
      await catalogue.stop()
      await close()
    },
  }
}
