import { join } from 'node:path'
import type { Fault } from '../../src/sandbox/faults.ts'
import { assertSound } from '../../src/store/backup.ts'
import { type Clients, startClients } from './crash-clients.ts'
import { ageWaiting, createDraw, createShelf, isWaiting, ledgersOf, untilAgreed, untilSettled } from './crash-rig.ts'
import { addAccounts, collectOffers, createTraveller, signIn, type Traveller } from './crash-traveller.ts'
import { compareBooks } from './ledger-compare.ts'
import { freePort } from './postgres.ts'
import { openStage, type ServerProcess, type Stage, sleep, spawnServer } from './server-process.ts'

export type CrashLoopOptions = {
  readonly seed: number
  readonly cycles: number
  /** No new cycle begins after this long. */
  readonly millis: number
  readonly databaseUrl?: string
  readonly workers?: number
}

export type CrashReport = {
  /** Every promise that was broken; empty when all is well. */
  readonly violations: readonly string[]
  readonly cycles: number
  readonly intents: number
  readonly bookings: number
  readonly byState: Readonly<Record<string, number>>
  readonly seen: Readonly<Record<string, number>>
  /** Bookings that were under way or in doubt when the last server died. */
  readonly openAtCrash: number
  /** From the next start until everything the vendors hold was shown as they hold it. */
  readonly agreedAfterMs: number
}

const OFFERS_EACH = 400

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

/** One server at a time on one port, each started after the one before it was killed. */
type Rig = {
  readonly stage: Stage
  readonly env: Readonly<Record<string, string>>
  current(): ServerProcess
  start(): void
  kill(): Promise<void>
}

/**
 * Kills the server again and again while clients book and the vendors misbehave, lets everything settle, and holds the
 * vendors' books against ours.
 */
export async function runCrashLoop(options: CrashLoopOptions): Promise<CrashReport> {
  const random = createDraw(options.seed)
  const rig = await openRig(options)
  let clients: Clients | undefined
  try {
    rig.start()
    await rig.current().ready
    const { url } = rig.current()
    const token = await signIn(url)
    const traveller = createTraveller(url, token)
    const shelf = createShelf(() => collectOffers(traveller, OFFERS_EACH, 20 + Math.floor(random() * 200)))
    await shelf.fill()
    for (const control of Object.values(rig.stage.sandbox.control)) await control.addFaults(...FAULTS)
    clients = startClients({ url, token, workers: options.workers ?? 10, random, nextOffer: shelf.take })
    const cycles = await rampage(rig, options, random, shelf.fillIfLow)
    return { cycles, ...(await settleAndCompare(rig, traveller, clients)) }
  } finally {
    clients?.halt()
    await rig.kill()
    await rig.stage.close()
  }
}

async function openRig({ seed, databaseUrl }: CrashLoopOptions): Promise<Rig> {
  const stage = await openStage('crash', seed)
  const env = {
    ...stage.sandbox.environment,
    SERAI_DATA_DIR: stage.dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
  await addAccounts(env)
  const port = await freePort()
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

/** Answers how many servers were killed. Leaves one running. */
async function rampage(
  rig: Rig,
  options: CrashLoopOptions,
  random: () => number,
  prepare: () => Promise<void>,
): Promise<number> {
  const until = performance.now() + options.millis
  let cycles = 0
  for (; cycles < options.cycles && performance.now() < until; cycles += 1) {
    const { ready } = rig.current()
    // Every fifth dies while it starts, or while it takes up what the one before it left behind.
    if (cycles % 5 === 4) {
      await Promise.race([ready.catch(() => undefined), sleep(200 + 2_500 * random())])
      await sleep(700 * random())
    } else {
      await ready
      await prepare()
      await sleep(20 + 1_180 * random())
    }
    await rig.kill()
    if (options.databaseUrl === undefined) assertSound(join(rig.stage.dataDir, 'serai.db'))
    rig.start()
  }
  return cycles
}

async function settleAndCompare(
  rig: Rig,
  traveller: Traveller,
  clients: Clients,
): Promise<Omit<CrashReport, 'cycles'>> {
  const finished = clients.finish()
  // A call that the stand-ins never answer would hold the last server for two minutes: it dies like the others.
  await rig.kill()
  for (const control of Object.values(rig.stage.sandbox.control)) await control.clearFaults()
  rig.start()
  await rig.current().ready
  const openAtCrash = (await traveller.bookings()).filter(isWaiting).length
  await finished
  const agreed = await untilAgreed(rig.stage, traveller)
  await rig.kill()

  await ageWaiting(rig.env)
  rig.start()
  await rig.current().ready
  await untilSettled(traveller)
  await clients.replayAll()
  const bookings = await traveller.bookings()
  const ledgers = await ledgersOf(rig.stage)
  const wrong = compareBooks({ intents: clients.intents, bookings, ledgers, absenceIsNotFinal: ['hotelbeds'] })
  return {
    violations: [...wrong, ...agreed.late, ...clients.surprises.map((words) => `SURPRISE: ${words}`)],
    intents: clients.intents.length,
    bookings: bookings.length,
    byState: Object.fromEntries([...Map.groupBy(bookings, (b) => b.status)].map(([state, all]) => [state, all.length])),
    seen: Object.fromEntries(clients.seen),
    openAtCrash,
    agreedAfterMs: agreed.afterMs,
  }
}
