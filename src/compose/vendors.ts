import { createCatalogue } from '../catalogue/catalogue.ts'
import { createCatalogueStores } from '../catalogue/store/stores.ts'
import { addContentMetrics } from '../catalogue/sync/metrics.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import { VENDOR_CALL_KEPT_MS } from '../domain/vendor-call.ts'
import { cachedFor } from '../lib/async/cached.ts'
import { deriveKeyring } from '../lib/crypto/keyring.ts'
import type { Circle } from '../lib/geo.ts'
import type { LocationIndex } from '../locations/location-index.ts'
import { createVendorCallStore } from '../operator/store/vendor-calls.ts'
import { createVendorHealthStore } from '../operator/store/vendor-health.ts'
import { type ClassState, createCountVendors } from '../operator/vendors/count-vendors.ts'
import { addVendorMetrics } from '../operator/vendors/metrics.ts'
import { createVendors, type VendorSet } from '../vendors/registry.ts'
import { CALL_CLASSES } from '../vendors/transport/call.ts'
import { createCallLog } from '../vendors/transport/call-log.ts'
import type { CallReport, HttpClient } from '../vendors/transport/http-client.ts'
import type { ConnectDeps } from '../vendors/vendor-kind.ts'
import type { Core, Overrides } from './core.ts'
import { composeDrift } from './drift.ts'
import { createCallLogger } from './log/log-vendor-calls.ts'
import { composeMonitoring, PROCESS_NAME } from './monitoring.ts'

/** Reads more of an area than a search covers, because vendors disagree about the location of a property. */
const AREA_MARGIN = 1.2
const WHOLE_EARTH = { point: { lat: 0, lon: 0 }, radiusKm: 20_100 }
const BEST_KNOWN = 100

/** Places that the page and the quick start suggest: new users search for these within minutes of the first start. */
export const SUGGESTED_PLACES = (
  'Paris|Barcelona|Zermatt|Lisbon|Istanbul|Kyoto|Marrakesh|Vienna|Buenos Aires|Lyon|Edinburgh|Hamburg|Bologna|Jaipur|' +
  'Melbourne|Boston|New Orleans|San Francisco'
).split('|')

/** Places to preload, in this order. */
function placesToRead(locations: LocationIndex): Circle[] {
  const suggested = SUGGESTED_PLACES.flatMap((name) => locations.search(name, 1))
  const bestKnown = locations.nearby(WHOLE_EARTH.point, WHOLE_EARTH.radiusKm, ['city'], BEST_KNOWN)
  const byId = new Map([...suggested, ...bestKnown].map((place) => [place.id, place]))
  return [...byId.values()].map(({ point, radiusKm }) => ({ center: point, radiusKm }))
}

type Parts = { readonly locations: LocationIndex; rates(): ExchangeRates }

/** Counting a million properties takes a while. */
const CONTENT_STATUS_MS = 60_000

export async function composeVendors(core: Core, overrides: Overrides, { locations, rates }: Parts) {
  const { config, clock, registry, shared, database, reportJobFailure } = core
  const calls = createCalls(core)
  const counts = createCountVendors({ store: createVendorHealthStore(database), clock, process: PROCESS_NAME })
  const drift = await composeDrift(core)
  const connected = await connect(core, overrides, {
    shapes: drift.shapes,
    onRecord: calls.add,
    onCall: counts.onCall,
    rates,
  })
  const { vendors } = connected
  const catalogue = createCatalogue({
    ...createCatalogueStores(database),
    vendors,
    clock,
    locks: shared.locks,
    settings: { ...config.content, propertiesMax: Math.ceil(config.search.propertiesMax * AREA_MARGIN) },
    places: () => placesToRead(locations),
    countRequests: connected.countContentRequests,
    onBug: reportJobFailure,
  })
  const contentStatus = cachedFor(clock, CONTENT_STATUS_MS, () => catalogue.contentStatus())
  addContentMetrics(registry, {
    contentStatus,
    clock,
    onBug: (error) => reportJobFailure(error, 'metrics of content'),
  })
  const monitoring = composeMonitoring(core, { counts, contentStatus, ...clientStates(connected) })
  await catalogue.start()
  return {
    vendors,
    getEnvironment: connected.getEnvironment,
    catalogue,
    calls,
    drift,
    monitoring,
    async close() {
      await catalogue.stop()
      await monitoring.finish()
      await connected.close()
      while ((await calls.flush()) > 0);
    },
  }
}

type CallListeners = {
  readonly shapes: ConnectDeps['shapes']
  readonly onRecord: ConnectDeps['onRecord']
  rates(): ExchangeRates
  onCall(report: CallReport): void
}

async function connect({ config, clock, log, registry, shared }: Core, overrides: Overrides, listeners: CallListeners) {
  const metrics = addVendorMetrics(registry)
  const requests = new Map<string, number>()
  const logCall = createCallLogger(clock, log)
  const connected = await createVendors((await overrides.vendorEnvironment) ?? config.vendorEnvironment, {
    clock,
    onRecord: listeners.onRecord,
    shapes: listeners.shapes,
    traceVendors: config.traceVendors,
    rates: listeners.rates,
    onExchange: overrides.onExchange,
    threads: overrides.readingThreads,
    createLimiter: shared.createLimiter,
    onCall: (report) => {
      if (report.class === 'content') requests.set(report.vendor, (requests.get(report.vendor) ?? 0) + 1)
      metrics.onCall(report)
      listeners.onCall(report)
      logCall(report)
    },
  })
  metrics.watchBreakers({
    vendorIds: connected.vendors.map(({ id }) => id),
    classes: CALL_CLASSES,
    readState: (vendorId, callClass) => connected.getClient(vendorId)?.breakerState(callClass) ?? 'closed',
  })
  return { ...connected, countContentRequests: (vendorId: string) => requests.get(vendorId) ?? 0 }
}

function clientStates({ vendors, getClient: clientOf, getEnvironment: environmentOf }: VendorSet) {
  return {
    known: vendors.map(({ id }) => ({
      id,
      environment: environmentOf(id),
      limitFor: (callClass: string) => readLimit(clientOf(id), callClass),
      readQuotas: async () => (await clientOf(id)?.readQuotas()) ?? [],
    })),
    classStates: () => vendors.flatMap(({ id }) => readClassStates(id, clientOf(id))),
  }
}

const readLimit = (client: HttpClient | undefined, callClass: string): number => {
  const known = CALL_CLASSES.find((name) => name === callClass)
  return known === undefined ? 0 : (client?.limit(known) ?? 0)
}

const readClassStates = (vendorId: string, client: HttpClient | undefined): ClassState[] =>
  CALL_CLASSES.map((callClass) => ({
    vendorId,
    callClass,
    state: client?.breakerState(callClass) ?? 'closed',
    underWay: client?.inFlight(callClass) ?? 0,
    heldUntil: client?.heldUntil(),
  }))

function createCalls({ config, clock, ids, log, database }: Core) {
  const store = createVendorCallStore(database, deriveKeyring(config.secrets, 'vendor-calls'))
  const { add, flush } = createCallLog({
    ids,
    write: store.add,
    onFailure: (error, lost) => log.warn({ err: error, lost }, 'calls to vendors could not be kept'),
  })
  return { store, add, flush, forgetOld: () => store.deleteOld(clock.now() - VENDOR_CALL_KEPT_MS) }
}
