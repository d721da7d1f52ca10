import { createCatalogue } from '../catalogue/catalogue.ts'
import { addContentMetrics } from '../jobs/content-metrics.ts'
import { addVendorMetrics } from '../jobs/vendor-metrics.ts'
import { cachedFor } from '../lib/cached.ts'
import type { Circle } from '../lib/geo.ts'
import type { LocationIndex } from '../locations/location-index.ts'
import { type ClassState, createCountVendors } from '../monitoring/count-vendors.ts'
import { createCatalogueStores } from '../store/catalogue-stores.ts'
import { createVendorHealthStore } from '../store/vendor-health.ts'
import { createVendors } from '../vendors/registry.ts'
import { CALL_CLASSES } from '../vendors/transport/call.ts'
import type { HttpClient } from '../vendors/transport/http-client.ts'
import type { Core, Overrides } from './core.ts'
import { PROCESS_NAME } from './monitoring.ts'

/** Of an area more is read than a search looks at, because vendors do not agree on where a property is. */
const AREA_MARGIN = 1.2
const WHOLE_EARTH = { point: { lat: 0, lon: 0 }, radiusKm: 20_100 }
/** These are read before anybody asks for them. */
const BEST_KNOWN = 100

const bestKnown = (locations: LocationIndex): Circle[] =>
  locations
    .nearby(WHOLE_EARTH.point, WHOLE_EARTH.radiusKm, ['city'], BEST_KNOWN)
    .map(({ point, radiusKm }) => ({ center: point, radiusKm }))

/** Counting a million properties takes a while. */
const CONTENT_STATUS_MS = 60_000

const limitOf = (client: HttpClient | undefined, callClass: string): number => {
  const known = CALL_CLASSES.find((one) => one === callClass)
  return known === undefined ? 0 : (client?.limitOf(known) ?? 0)
}

/** How each class of calls to a vendor stands in this process. */
const statesOf = (vendorId: string, client: HttpClient | undefined): ClassState[] =>
  CALL_CLASSES.map((callClass) => ({
    vendorId,
    callClass,
    state: client?.breakerState(callClass) ?? 'closed',
    underWay: client?.underWay(callClass) ?? 0,
    heldUntil: client?.heldUntil(),
  }))

/** The connected vendors, watched by the metrics, and the catalogue of their properties. */
export async function composeVendors(
  { config, clock, log, registry, shared, database }: Core,
  overrides: Overrides,
  locations: LocationIndex,
) {
  const metrics = addVendorMetrics(registry)
  const counts = createCountVendors({ store: createVendorHealthStore(database), clock, process: PROCESS_NAME })
  const requests = new Map<string, number>()
  const { vendors, clientOf, environmentOf, close } = await createVendors(
    (await overrides.vendorEnvironment) ?? config.vendorEnvironment,
    {
      clock,
      onExchange: overrides.onExchange,
      onCall: (report) => {
        if (report.class === 'content') requests.set(report.vendor, (requests.get(report.vendor) ?? 0) + 1)
        metrics.onCall(report)
        counts.onCall(report)
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
  const contentStatus = cachedFor(clock, CONTENT_STATUS_MS, () => catalogue.contentStatus())
  addContentMetrics(registry, {
    contentStatus,
    clock,
    onBug: (error) => log.error({ err: error }, 'the content cannot be counted'),
  })
  await catalogue.start()
  return {
    vendors,
    catalogue,
    watch: {
      counts,
      contentStatus,
      known: vendors.map(({ id }) => ({
        id,
        environment: environmentOf(id),
        limitOf: (callClass: string) => limitOf(clientOf(id), callClass),
      })),
      classStates: () => vendors.flatMap(({ id }) => statesOf(id, clientOf(id))),
    },
    async close() {
      await catalogue.stop()
      await close()
    },
  }
}
