import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import exchangeRates from '../data/exchange-rates.json' with { type: 'json' }
import { createManageAccounts, type ManageAccounts } from './accounts/manage-accounts.ts'
import { createPasswords } from './accounts/passwords.ts'
import { createSignIn } from './accounts/sign-in.ts'
import { createTokens } from './accounts/tokens.ts'
import { type Catalogue, createCatalogue } from './catalogue/catalogue.ts'
import { composeBooking } from './compose-booking.ts'
import { composeSearch } from './compose-search.ts'
import { openShared } from './compose-shared.ts'
import type { Config } from './config.ts'
import { migrateConfigured, openConfigured } from './configured-database.ts'
import type { Booking } from './domain/booking.ts'
import { buildHttp } from './http/build-http.ts'
import { createLog } from './http/log.ts'
import type { PageSettings } from './http/routes/page.ts'
import { addBookingMetrics } from './jobs/booking-metrics.ts'
import { createDeliverWebhooks } from './jobs/deliver-webhooks.ts'
import { createJobs } from './jobs/run-jobs.ts'
import { addVendorMetrics } from './jobs/vendor-metrics.ts'
import { createWebhookSender } from './jobs/webhook-sender.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { type Ids, randomIds } from './lib/ids.ts'
import { deriveKeyring } from './lib/keyring.ts'
import { createCursorCodec } from './lists/cursor.ts'
import { LOCATIONS_FILE, openLocations } from './locations/load-locations.ts'
import type { LocationIndex } from './locations/location-index.ts'
import { createAccountStore } from './store/accounts.ts'
import { type BookingStore, createBookingStore } from './store/bookings.ts'
import { createCatalogueStore } from './store/catalogue.ts'
import { createContentProgressStore } from './store/content-progress.ts'
import type { Counters } from './store/counters.ts'
import type { Database } from './store/database.ts'
import { migrate } from './store/migrations.ts'
import { createSearchStore } from './store/searches.ts'
import { createSignInFailureStore } from './store/sign-in-failures.ts'
import { createTokenStore } from './store/tokens.ts'
import { createWebhookDeliveryStore } from './store/webhook-deliveries.ts'
import { createWebhookQueue, createWebhookStore } from './store/webhooks.ts'
import { CALL_CLASSES } from './vendors/call.ts'
import type { Vendor } from './vendors/contract.ts'
import { createVendors } from './vendors/registry.ts'
import { createSimulator } from './vendors/simulator/index.ts'

/** What a test may turn: everything else follows from the configuration. */
export type Overrides = {
  clock?: Clock
  ids?: Ids
  database?: Database
  locations?: LocationIndex | Promise<LocationIndex>
  logDestination?: { write(line: string): void }
  onRoute?: (route: RouteOptions) => void
  /** Pictures of the sandbox's properties, where there is a sandbox. */
  picture?: (path: string) => string | undefined
  demo?: PageSettings['demo']
  /** Variables that vendors are configured with, where a sandbox brings them. */
  vendorEnvironment?: Promise<Readonly<Record<string, string>>>
  /** Counters shared with the other processes of this machine. */
  counters?: Counters
  /** How to read the metrics of all processes of this machine, given this one's. */
  metrics?: (own: Registry) => () => Promise<string>
}

export type App = {
  readonly http: FastifyInstance
  readonly manageAccounts: ManageAccounts
  /** Names of the migrations that were run. */
  readonly migrated: readonly string[]
  readonly vendorIds: readonly string[]
  /** Whether there is a page to look at, or the API alone. */
  readonly hasPage: boolean
  /** For the command line: the same parts, without HTTP. */
  readonly operator: {
    readonly catalogue: Catalogue
    readonly vendors: readonly Vendor[]
    readonly bookings: BookingStore
    settleOne(booking: Booking): Promise<void>
  }
  /** One round of settling, now. */
  settleBookings(): Promise<number>
  /** From here on readiness says no; requests under way are still answered. */
  drain(): void
  close(): Promise<void>
}

const PAGE_FOLDER = join(import.meta.dirname, '..', 'web', 'dist')
const SETTLE_EVERY_MS = 1_000
const DELIVER_EVERY_MS = 1_000
const CLEAN_EVERY_MS = 60_000
/** A lost search is asked for a little longer than it lives, so that it is told "expired" and not "unknown". */
const KEEP_EXPIRED_MS = 24 * 3_600_000

/** The composition root: the only file that knows all parts. */
export async function buildApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const clock = overrides.clock ?? systemClock
  const ids = overrides.ids ?? randomIds
  const log = createLog(config.logLevel, overrides.logDestination)
  const registry = new Registry()
  if (config.mode !== 'test') collectDefaultMetrics({ register: registry })

  const { counters } = overrides
  const shared = await openShared({ config, clock, log, registry, counters })
  const database = overrides.database ?? openConfigured(config)
  const migrated = overrides.database === undefined ? await migrateConfigured(config) : await migrate(database, clock)

  const accounts = createAccountStore(database)
  const failures = createSignInFailureStore(database)
  const passwords = createPasswords()
  const tokenStore = createTokenStore(database)
  const tokens = createTokens({ store: tokenStore, clock, ttlMs: config.tokenTtlMs })
  const signIn = createSignIn({ accounts, failures, passwords, tokens, clock })
  const manageAccounts = createManageAccounts({ accounts, failures, passwords, clock, ids })

  const locations = await (overrides.locations ?? openLocations(LOCATIONS_FILE))
  const vendorMetrics = addVendorMetrics(registry)
  const vendorSet = await createVendors((await overrides.vendorEnvironment) ?? config.vendorEnvironment, {
    clock,
    onCall: (report) => {
      vendorMetrics.onCall(report)
      log.debug(report, 'vendor call')
    },
  })
  const vendorIds = vendorSet.vendors.map(({ id }) => id)
  vendorMetrics.watchBreakers({
    vendorIds,
    classes: CALL_CLASSES,
    stateOf: (vendorId, of) => vendorSet.clientOf(vendorId)?.breakerState(of) ?? 'closed',
  })
  const catalogue = createCatalogue({
    store: createCatalogueStore(database),
    progress: createContentProgressStore(database),
    vendors: vendorSet.vendors,
    clock,
    locks: shared.locks,
    onBug: (error, where) => log.error({ err: error, where }, 'unexpected error in the catalogue'),
  })
  await catalogue.start()

  const searches = shared.searchesOf(createSearchStore(database))
  const rates = () => exchangeRates
  const offerKeys = deriveKeyring(config.secrets, 'offers')
  const parts = { log, clock, ids, offerKeys, rates, locations, catalogue, searches }
  const search = composeSearch({
    ...parts,
    config: { ...config, search: shared.search },
    vendors: shared.vendorsOf(vendorSet.vendors),
    simulator: createSimulator({ clock }),
  })
  const bookings = createBookingStore(database, deriveKeyring(config.secrets, 'persons'), createWebhookQueue())
  const booking = composeBooking({ ...parts, search, bookings, patienceMs: config.booking.patienceMs })

  const webhookKeys = deriveKeyring(config.secrets, 'webhooks')
  const webhooks = createWebhookStore(database, webhookKeys)
  const sender = createWebhookSender({ allowPrivateTargets: config.allowPrivateWebhookTargets })
  const deliverWebhooks = createDeliverWebhooks({
    deliveries: createWebhookDeliveryStore(database, webhookKeys),
    sender,
    clock,
    onReport: (report) => log.debug(report, 'webhook delivery'),
    onBug: (error) => log.error({ err: error }, 'unexpected error while delivering a webhook'),
  })
  addBookingMetrics(registry, {
    bookings,
    clock,
    onBug: (error) => log.error({ err: error }, 'booking metrics failed'),
  })

  const jobs = createJobs(
    [
      { name: 'deliver webhooks', everyMs: DELIVER_EVERY_MS, run: deliverWebhooks },
      { name: 'settle bookings', everyMs: SETTLE_EVERY_MS, run: booking.settleBookings },
      {
        name: 'forget searches',
        everyMs: CLEAN_EVERY_MS,
        run: () => searches.forgetExpired(clock.now(), clock.now() - KEEP_EXPIRED_MS),
      },
      {
        name: 'forget tokens',
        everyMs: 10 * CLEAN_EVERY_MS,
        run: async () => {
          await tokenStore.deleteExpired(clock.now() - KEEP_EXPIRED_MS)
          return 0
        },
      },
    ],
    { onFailure: (error, job) => log.error({ err: error, job }, 'a job failed and will be tried again') },
  )

  if (overrides.metrics !== undefined) registry.metrics = overrides.metrics(registry)

  let draining = false
  const http = await buildHttp({
    log,
    clock,
    ids,
    registry,
    counters: shared.counters,
    signIn,
    tokens,
    readiness: [{ name: 'store', check: () => database.probe() }],
    isDraining: () => draining,
    settings: config,
    onRoute: overrides.onRoute,
    locations,
    cursors: createCursorCodec(deriveKeyring(config.secrets, 'cursors').current.key),
    desk: search.desk,
    searches,
    ...booking,
    webhooks,
    checkWebhookTarget: sender.checkTarget,
    page: {
      folder: PAGE_FOLDER,
      settings: { mode: config.mode, demo: overrides.demo ?? null, tileStyleUrl: config.tileStyleUrl },
      picture: overrides.picture,
    },
  })
  if (config.jobs) jobs.start()

  return {
    http,
    manageAccounts,
    migrated,
    vendorIds,
    hasPage: existsSync(join(PAGE_FOLDER, 'index.html')),
    operator: { catalogue, vendors: vendorSet.vendors, bookings, settleOne: booking.settleOne },
    settleBookings: booking.settleBookings,
    drain: () => {
      draining = true
    },
    async close() {
      await http.close()
      await jobs.stop()
      await booking.quiet()
      await catalogue.stop()
      await vendorSet.close()
      await sender.close()
      await shared.close()
      if (overrides.database === undefined) await database.close()
    },
  }
}

export { LOCATIONS_FILE }
