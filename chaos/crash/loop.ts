import { join } from 'node:path'
import type { Fault } from '../../sandbox/server/faults.ts'
import { createRandom } from '../../sandbox/world/hash.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { assertIntact } from '../../src/store/backup.ts'
import { listVendorsWithoutFinalAbsence } from '../../test/support/sandbox/absence.ts'
import { freePort } from '../../test/support/servers/postgres.ts'
import {
  openStage,
  type ServerProcess,
  type Stage,
  sleep,
  spawnServer,
} from '../../test/support/servers/server-process.ts'
import { type ApiClient, addAccounts, collectOffers, createApiClient, fetchToken, type Offer } from './api-client.ts'
import { type Clients, startClients } from './clients.ts'
import { compareBookings } from './compare-bookings.ts'
import { comparePayments } from './compare-payments.ts'
import { disturbPayments, openCards, payForOffer, reconcileByCommand, waitUntilPaid } from './pay-by-card.ts'
import {
  backdateUnsettled,
  createOfferStock,
  isWaiting,
  readLedgers,
  waitUntilAgreed,
  waitUntilSettled,
} from './rig.ts'

type CrashLoopOptions = {
  readonly seed: number
  readonly cycles: number
  /** Time after which no new cycle starts. */
  readonly millis: number
  readonly databaseUrl?: string
  /** The account pays by card. */
  readonly cards?: boolean
}

type CrashReport = {
  readonly violations: readonly string[]
  readonly cycles: number
  readonly intents: number
  readonly bookings: number
  readonly byState: Readonly<Record<string, number>>
  readonly byVendor: Readonly<Record<string, number>>
  readonly seen: Readonly<Record<string, number>>
  /** Bookings that were not settled when the last server was killed. */
  readonly openAtCrash: number
  /** Time from the next start until our bookings agreed with the vendors'. */
  readonly agreedAfterMs: number
  /** Payments by state, if the account pays by card. */
  readonly byPayment: Readonly<Record<string, number>>
}

const OFFERS_PER_FILL = 400
const WORKERS = 10

const FAULTS: readonly Fault[] = [
  { kind: 'latency', operation: 'book', share: 0.6, ms: 150 },
  { kind: 'late_visibility', operation: 'book', share: 0.2, ms: 1_500 },
  { kind: 'error_after', operation: 'book', share: 0.07 },
  { kind: 'reset_after', operation: 'book', share: 0.06 },
  { kind: 'hang_after', operation: 'book', share: 0.04 },
  { kind: 'truncate', operation: 'book', share: 0.03 },
  { kind: 'html', operation: 'book', share: 0.02 },
  { kind: 'reset_before', operation: 'book', share: 0.03 },
  { kind: 'error_before', operation: 'book', share: 0.02 },
  { kind: 'sold_out', operation: 'book', share: 0.03 },
  { kind: 'error_before', operation: 'price_check', share: 0.03 },
  { kind: 'error_before', operation: 'find', share: 0.1 },
  { kind: 'latency', operation: 'cancel', share: 0.5, ms: 100 },
  { kind: 'error_after', operation: 'cancel', share: 0.15 },
  { kind: 'reset_after', operation: 'cancel', share: 0.1 },
]

/** Share of offers whose terms get worse at the price check. */
const WORSE_TERMS_SHARE = 0.15

/** One server at a time on one port. */
type Rig = {
  readonly stage: Stage
  readonly env: Readonly<Record<string, string>>
  current(): ServerProcess
  start(): void
  kill(): Promise<void>
}

/**
 * Kills the server repeatedly while clients book and the vendors misbehave, waits until everything is settled, and
 * compares the vendors' bookings with ours.
 */
export async function runCrashLoop(options: CrashLoopOptions): Promise<CrashReport> {
  const random = createRandom(options.seed).next
  const rig = await openRig(options)
  let clients: Clients | undefined
  try {
    rig.start()
    await rig.current().ready
    const { url } = rig.current()
    const token = await fetchToken(url)
    const client = createApiClient(url, token)
    const stock = createOfferStock(() => collectOffers(client, OFFERS_PER_FILL, 20 + Math.floor(random() * 200)))
    await stock.fill()
    for (const control of Object.values(rig.stage.sandbox.control)) {
      await control.addFaults(...FAULTS)
      await control.change({ worseTerms: WORSE_TERMS_SHARE })
    }
    const { payments } = rig.stage.sandbox
    if (options.cards === true) await disturbPayments(payments)
    const pay = options.cards === true && {
      pay: (offer: Offer, count: (event: string) => void) => payForOffer(client, payments, offer, count),
    }
    clients = startClients({ url, token, workers: WORKERS, random, nextOffer: stock.take, ...pay })
    const cycles = await crashRepeatedly(rig, options, random, stock.fillIfLow)
    return { cycles, ...(await settleAndCompare(rig, client, clients, options.cards === true)) }
  } finally {
    clients?.halt()
    await rig.kill()
    await rig.stage.close()
  }
}

async function openRig({ seed, databaseUrl, cards = false }: CrashLoopOptions): Promise<Rig> {
  const stage = await openStage('crash', seed)
  const env = {
    ...stage.sandbox.environment,
    ...(cards && stage.sandbox.payments.environment),
    SERAI_DATA_DIR: stage.dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
  await addAccounts(env)
  const port = await freePort()
  if (cards) await openCards(env, stage.sandbox.payments, port)
  let server: ServerProcess | undefined
  return {
    stage,
    env,
    current() {
      if (server === undefined) throw new Error('no server was started')
      return server
    },
    start() {
      server = spawnServer({ dataDir: stage.dataDir, port, env })
    },
    kill: async () => server?.kill(),
  }
}

/** Returns the number of killed servers. Leaves one running. */
async function crashRepeatedly(
  rig: Rig,
  options: CrashLoopOptions,
  random: () => number,
  prepare: () => Promise<void>,
): Promise<number> {
  const until = performance.now() + options.millis
  let cycles = 0
  for (; cycles < options.cycles && performance.now() < until; cycles += 1) {
    const { ready } = rig.current()
    // Every fifth server dies while it starts or while it resumes the work of its predecessor.
    if (cycles % 5 === 4) {
      await Promise.race([ready.catch(() => undefined), sleep(200 + 2_500 * random())])
      await sleep(700 * random())
    } else {
      await ready
      await prepare()
      await sleep(20 + 1_180 * random())
    }
    await rig.kill()
    if (options.databaseUrl === undefined) assertIntact(join(rig.stage.dataDir, 'serai.db'))
    rig.start()
  }
  return cycles
}

async function settleAndCompare(
  rig: Rig,
  client: ApiClient,
  clients: Clients,
  cards: boolean,
): Promise<Omit<CrashReport, 'cycles'>> {
  const finished = clients.finish()
  // Killed too, because a call without an answer would block it for two minutes.
  await rig.kill()
  for (const control of Object.values(rig.stage.sandbox.control)) await control.clearFaults()
  await rig.stage.sandbox.payments.control.clearFaults()
  rig.start()
  await rig.current().ready
  const openAtCrash = (await client.bookings()).filter(isWaiting).length
  await finished
  const agreed = await waitUntilAgreed(rig.stage, client)
  await rig.kill()

  await backdateUnsettled(rig.env)
  rig.start()
  await rig.current().ready
  await waitUntilSettled(client)
  await clients.replayAll()
  const bookings = await client.bookings()
  const ledgers = await readLedgers(rig.stage)
  const absenceIsNotFinal = await listVendorsWithoutFinalAbsence(rig.stage.sandbox.environment)
  const payments = cards ? await waitUntilPaid(rig.env) : []
  const money = cards ? await rig.stage.sandbox.payments.control.ledger() : []
  const differences = cards ? reconcileByCommand(rig.env, systemClock.now()) : ''
  const violations = compareBookings({ intents: clients.intents, bookings, ledgers, absenceIsNotFinal })
  return {
    violations: [
      ...violations,
      ...comparePayments(payments, money),
      ...(differences === '' ? [] : [`RECONCILE: ${differences}`]),
      ...agreed.late,
      ...clients.surprises.map((message) => `SURPRISE: ${message}`),
    ],
    intents: clients.intents.length,
    bookings: bookings.length,
    byState: countBy(bookings, ({ status }) => status),
    byVendor: countBy(bookings, ({ vendor_id }) => vendor_id),
    seen: Object.fromEntries(clients.seen),
    openAtCrash,
    agreedAfterMs: agreed.afterMs,
    byPayment: countBy(payments, ({ state, booking_state }) => `${booking_state ?? 'none'}/${state}`),
  }
}

const countBy = <Item>(items: readonly Item[], getKey: (item: Item) => string): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(items, getKey)].map(([key, all]) => [key, all.length]))
