import { createCatalogue } from '../catalogue/catalogue.ts'
import { VENDOR_CALL_KEPT_MS } from '../domain/vendor-call.ts'
import { addContentMetrics } from '../jobs/content-metrics.ts'
import { addVendorMetrics } from '../jobs/vendor-metrics.ts'
import type { Circle } from '../lib/geo.ts'
import { deriveKeyring } from '../lib/keyring.ts'
import type { LocationIndex } from '../locations/location-index.ts'
import { createCatalogueStores } from '../store/catalogue-stores.ts'
import { createVendorCallStore } from '../store/vendor-calls.ts'
import { createVendors } from '../vendors/registry.ts'
import { CALL_CLASSES } from '../vendors/transport/call.ts'
import { createCallLog } from '../vendors/transport/call-log.ts'
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
export async function composeVendors(core: Core, overrides: Overrides, locations: LocationIndex) {
  const { config, clock, log, registry, shared, database } = core
  const calls = callsOf(core)
  const metrics = addVendorMetrics(registry)
  const requests = new Map<string, number>()
  const { vendors, clientOf, close } = await createVendors(
    (await overrides.vendorEnvironment) ?? config.vendorEnvironment,
    {
      clock,
      onRecord: calls.add,
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
    calls,
    async close() {
      await catalogue.stop()
      await close()
      while ((await calls.flush()) > 0);
    },
  }
}

/** The calls to vendors that are kept for operators. */
function callsOf({ config, clock, ids, log, database }: Core) {
  const store = createVendorCallStore(database, deriveKeyring(config.secrets, 'vendor-calls'))
  const kept = createCallLog({
    ids,
    write: store.add,
    onFailure: (error, lost) => log.warn({ err: error, lost }, 'calls to vendors could not be kept'),
  })
  return {
    store,
    add: kept.add,
    flush: kept.flush,
    /** Deletes those that are too old; returns how many. */
    forgetOld: () => store.deleteOld(clock.now() - VENDOR_CALL_KEPT_MS),
  }
}
