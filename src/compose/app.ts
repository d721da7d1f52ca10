import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Config } from '../config.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import { createMetricsServer } from '../http/metrics.ts'
import { deriveKeyring } from '../lib/crypto/keyring.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import { createCursorCodec } from '../lists/cursor.ts'
import { openLocations } from '../locations/load-locations.ts'
import type { CardForm } from '../payments/card-form.ts'
import type { ExchangeRatesKeeper } from '../rates/exchange-rates.ts'
import { addRatesMetrics } from '../rates/metrics.ts'
import type { Vendor } from '../vendors/contract.ts'
import { composeAccounts } from './accounts.ts'
import { composeMcp } from './agents.ts'
import { composeBooking } from './booking.ts'
import { admitCommandLine } from './command-line.ts'
import { type Core, type Overrides, openCore } from './core.ts'
import { buildHttp } from './http.ts'
import { composeMail } from './mail.ts'
import type { ComposedMonitoring } from './monitoring.ts'
import { composeOperator } from './operator.ts'
import { composeMap } from './page.ts'
import { connectProvider } from './payments/connect-provider.ts'
import { composeRates } from './rates.ts'
import { createJobs } from './run-jobs.ts'
import { type ComposedSearch, composeSearch } from './search.ts'
import { composeVendors } from './vendors.ts'
import { composeWebhooks } from './webhooks.ts'

export type App = Awaited<ReturnType<typeof buildApp>>

const PAGE_FOLDER = join(import.meta.dirname, '../../web/dist')
const EVERY_SECOND_MS = 1_000
const EVERY_MINUTE_MS = 60_000
/** Pause between two slices of content. `areas` is for trying out the service, without other traffic. */
const CONTENT_EVERY_MS = { feed: 20_000, areas: 5_000, off: 20_000 }
/** Expired searches are kept so that clients get "expired" instead of "unknown". */
const KEEP_EXPIRED_MS = DAY_MS

/** Builds every part from the configuration and connects them. */
export async function buildApp(config: Config, overrides: Overrides = {}) {
  const core = await openCore(config, overrides)
  const exchangeRates = await composeRates(core)
  addRatesMetrics(core.registry, exchangeRates)
  const { rates } = exchangeRates
  const accounts = composeAccounts({ ...core, rates })
  const locations = await (overrides.locations ?? openLocations())
  const connected = await composeVendors(core, overrides, { locations, rates })
  const cards = await connectProvider(core, overrides, connected)
  const offerKeys = deriveKeyring(config.secrets, 'offers')
  const search = composeSearch(core, { offerKeys, locations, rates, ...connected })
  const mail = composeMail(core)
  let draining = false
  const isDraining = () => draining
  const webhooks = composeWebhooks(core, isDraining)
  const booking = composeBooking(core, search, offerKeys, { ...accounts, ...connected, cards, mail, webhooks })

  const mcp = composeMcp(core, { bookings: booking.bookings, callers: accounts.callers, http: () => http })

  const operator = composeOperator(core, { search, booking, mail, webhooks, locations, exchangeRates, ...connected })
  const parts = { ...accounts, ...search, ...booking, ...webhooks, ...operator }
  const http: FastifyInstance = await buildHttp({
    ...core,
    ...core.shared,
    ...parts,
    ...admitCommandLine({ ...accounts, ...search }, overrides.commandLine),
    ...mcp,
    readiness: [{ name: 'store', check: () => core.database.probe() }],
    isDraining,
    settings: { ...config, ...(cards?.form && { cardForm: cards.form.hosts }) },
    onRoute: overrides.onRoute,
    cursors: openCursors(config),
    page: pageOptions(config, overrides, rates, cards?.form),
    map: composeMap(locations),
    ...mail.forHttp,
    ...booking.paying.forHttp,
  })
  const jobs = startJobs(core, { ...connected, exchangeRates, accounts, search, booking, webhooks, mail, mcp })

  const metrics = config.metrics.port === undefined ? undefined : createMetricsServer(core.registry)
  return {
    http,
    metrics,
    ...withoutHttp(core, { ...connected, exchangeRates, accounts, search, booking, webhooks, mail, mcp }, operator),
    /** Fails readiness checks from now on; requests are still answered. */
    drain: () => {
      draining = true
    },
    async close(): Promise<void> {
      draining = true
      await mcp.quiet()
      const quiet = () => Promise.all([booking.quiet(), mail.forHttp.sendLink.quiet()])
      await closeAll([http, metrics, { close: jobs.stop }, { close: quiet }, connected, webhooks, cards, core])
    },
  }
}

/** Closes in order: each part uses only later ones. */
async function closeAll(parts: readonly ({ close(): PromiseLike<unknown> } | undefined)[]): Promise<void> {
  for (const part of parts) await part?.close()
}

/** Parts that the start-up and the command line use. */
function withoutHttp(
  { migrated }: Core,
  parts: Parts & { readonly vendors: readonly Vendor[] },
  { reconcile }: ReturnType<typeof composeOperator>,
) {
  const { accounts, booking, catalogue, vendors, drift, exchangeRates, search, webhooks, mail, mcp, monitoring } = parts
  const { manageAccounts, manageKeys, oneTimeCodes, audit } = accounts
  const { bookings, settleBookings, readBookings, watchLists, paying } = booking
  return {
    migrated,
    vendorIds: vendors.map(({ id }) => id),
    hasPage: existsSync(join(PAGE_FOLDER, 'index.html')),
    manageAccounts,
    manageKeys,
    oneTimeCodes,
    operator: {
      catalogue,
      vendors,
      bookings,
      audit,
      rules: search.manageRules,
      mcpFor: mcp.serverFor,
      reconcile,
      payments: paying.forOperators,
    },
    // One round of each job.
    settleBookings,
    readBookings,
    drivePayments: paying.drive,
    watchLists,
    deliverWebhooks: webhooks.deliver,
    deliverMails: mail.deliver,
    writeFigures: monitoring.writeFigures,
    renewExchangeRates: exchangeRates.keep,
    keepShapes: drift.keep,
  }
}

function openCursors({ secrets }: Config) {
  const { current, all } = deriveKeyring(secrets, 'cursors')
  return createCursorCodec(current.key, ...all.slice(1).map(({ key }) => key))
}

const pageOptions = (
  { mode, mapStyleUrl, mail, guests, sandbox }: Config,
  { demo = null, picture }: Overrides,
  exchangeRates: () => ExchangeRates,
  cardForm: CardForm | undefined,
) => ({
  folder: PAGE_FOLDER,
  settings: {
    mode,
    demo,
    mapStyleUrl,
    mail: mail.smtp !== undefined,
    isSandbox: sandbox,
    guests: guests.access,
    exchangeRates,
    cardForm,
  },
  picture,
})

type Parts = {
  readonly catalogue: Catalogue
  readonly calls: Awaited<ReturnType<typeof composeVendors>>['calls']
  readonly exchangeRates: ExchangeRatesKeeper
  readonly drift: Awaited<ReturnType<typeof composeVendors>>['drift']
  readonly accounts: ReturnType<typeof composeAccounts>
  readonly search: ComposedSearch
  readonly booking: ReturnType<typeof composeBooking>
  readonly webhooks: ReturnType<typeof composeWebhooks>
  readonly mail: ReturnType<typeof composeMail>
  readonly mcp: ReturnType<typeof composeMcp>
  readonly monitoring: ComposedMonitoring
}

/** Starts the periodic jobs, unless the configuration turns them off. */
function startJobs({ clock, config, log, reportJobFailure }: Core, parts: Parts) {
  const { accounts, catalogue, calls, drift, exchangeRates, search, booking, webhooks, mail, mcp, monitoring } = parts
  const forgetSearches = () => search.searches.forgetExpired(clock.now(), clock.now() - KEEP_EXPIRED_MS)
  const forgetNotices = () => search.notices.deleteExpired()
  const forgetTokens = async () => {
    await accounts.deleteExpired()
    return 0
  }
  const rejudge = async () => {
    const progress = await catalogue.rejudge()
    if (progress?.isDone) log.info(progress, 'all properties were matched by the new rules')
    return progress === undefined || progress.isDone ? 0 : 1
  }
  // Returns 0 to pause between slices: reading content blocks the thread that answers requests.
  const keepContent = async () => {
    await catalogue.keepContent()
    return 0
  }
  const jobs = createJobs(
    [
      { name: 'deliver webhooks', everyMs: EVERY_SECOND_MS, run: webhooks.job },
      { name: 'send mails', everyMs: EVERY_SECOND_MS, run: mail.deliver },
      { name: 'settle bookings', everyMs: EVERY_SECOND_MS, run: booking.jobs.settle },
      { name: 'drive payments', everyMs: EVERY_SECOND_MS, run: booking.jobs.pay },
      { name: 'read bookings again', everyMs: 5 * EVERY_SECOND_MS, run: booking.jobs.read },
      { name: 'watch lists of vendors', everyMs: EVERY_MINUTE_MS, run: booking.watchLists },
      { name: 'erase persons', everyMs: 10 * EVERY_MINUTE_MS, run: booking.erasePersons },
      { name: 'match properties again', everyMs: 10 * EVERY_SECOND_MS, run: rejudge },
      { name: 'keep content fresh', everyMs: CONTENT_EVERY_MS[config.content.job], run: keepContent },
      { name: 'renew exchange rates', everyMs: EVERY_MINUTE_MS, run: exchangeRates.keep },
      { name: 'keep shapes of responses', everyMs: EVERY_MINUTE_MS, run: drift.keep },
      { name: 'keep calls to vendors', everyMs: EVERY_SECOND_MS, run: calls.flush },
      { name: 'forget calls to vendors', everyMs: 10 * EVERY_MINUTE_MS, run: calls.forgetOld },
      {
        name: 'forget notifications of payments',
        everyMs: 10 * EVERY_MINUTE_MS,
        run: booking.paying.forgetOld,
      },
      { name: 'forget deliveries', everyMs: 10 * EVERY_MINUTE_MS, run: webhooks.deleteOld },
      { name: 'forget mails', everyMs: 10 * EVERY_MINUTE_MS, run: mail.deleteOld },
      { name: 'forget idempotency keys', everyMs: 10 * EVERY_MINUTE_MS, run: accounts.idempotentRequests.deleteOld },
      { name: 'forget searches', everyMs: EVERY_MINUTE_MS, run: forgetSearches },
      { name: 'forget notices', everyMs: 10 * EVERY_MINUTE_MS, run: forgetNotices },
      { name: 'forget ids of agents', everyMs: EVERY_MINUTE_MS, run: mcp.forgetHandles },
      { name: 'forget tokens', everyMs: 10 * EVERY_MINUTE_MS, run: forgetTokens },
      { name: 'write figures of vendors', everyMs: 15 * EVERY_SECOND_MS, run: monitoring.writeCounts },
      { name: 'write requests', everyMs: EVERY_SECOND_MS, run: monitoring.requestLog.write },
      { name: 'forget requests', everyMs: EVERY_MINUTE_MS, run: monitoring.requestLog.deleteExpired },
      { name: 'forget figures of vendors', everyMs: 10 * EVERY_MINUTE_MS, run: monitoring.vendorHealth.deleteOld },
    ],
    { onFailure: reportJobFailure },
  )
  if (config.jobs) jobs.start()
  return jobs
}
