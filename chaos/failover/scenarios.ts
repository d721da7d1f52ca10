import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { addDays, dateIn } from '../../src/lib/time/plain-date.ts'
import { ROOT, sleep } from '../../test/support/servers/server-process.ts'
import { type ApiClient, collectOffers, createApiClient, fetchToken } from '../crash/api-client.ts'
import { letters } from '../crash/clients.ts'
import { isWaiting, readLedgers } from '../crash/rig.ts'
import { type Intent, startBookers } from '../nodes/bookers.ts'
import { type ServiceNodes, startServiceNodes } from '../nodes/nodes.ts'
import { measureUntil, settleAndCompare } from '../nodes/outages.ts'
import { type Pair, type Route, startPair } from './pair.ts'

export type FailoverReport = {
  readonly violations: readonly string[]
  /** Intents with a final answer. */
  readonly decided: number
  readonly seen: Readonly<Record<string, number>>
  /** Times from the loss of the primary until a node was ready again. */
  readonly recoveryMs: readonly number[]
  /** Bookings whose outcome a client knew and the database lost. */
  readonly lost: number
  /** Lost bookings that a reconciliation found. */
  readonly found?: number
}

type Rig = { readonly pair: Pair; readonly nodes: ServiceNodes; readonly client: ApiClient; readonly token: string }
type Bookers = ReturnType<typeof startBookers>

const BOOKERS = 5
const OFFERS = 80
/** Time under load before and after an event. */
const UP_MS = 2_500
const BEFORE_LAG_MS = 500
/** A recovery may be so fast that no check finds a node unready. */
const UNREADY_WITHIN_MS = 3_000

/** Two nodes on a pair of PostgreSQL servers, with the vendors' stand-ins. */
async function withRig<T>(route: Route, work: (rig: Rig) => Promise<T>): Promise<T> {
  const pair = await startPair(route)
  let nodes: ServiceNodes | undefined
  try {
    nodes = await startServiceNodes(2, pair.environment)
    const token = await fetchToken(nodes.balancer.url)
    return await work({ pair, nodes, token, client: createApiClient(nodes.balancer.url, token) })
  } finally {
    await nodes?.close()
    await pair.stop()
  }
}

/** Kills the primary again and again while clients book; its synchronous standby takes over. */
export const failOverSynchronously = (route: Route, runs: number): Promise<FailoverReport> =>
  withRig(route, async ({ pair, ...rig }) => {
    const groups: Bookers[] = []
    const recoveryMs: number[] = []
    for (let run = 0; run < runs; run += 1) {
      await pair.setSynchronous('on')
      const bookers = await startGroup(rig, run)
      groups.push(bookers)
      await sleep(UP_MS)
      recoveryMs.push(await measureRecovery(rig, pair.failOver))
      await sleep(UP_MS)
      await bookers.finish()
      await pair.replaceKilled()
    }
    return report(rig, groups, { recoveryMs, lost: (await findLost(rig, groups)).length })
  })

/** Promotes a standby that misses the last commits. Clients then repeat the bookings that they remember. */
export const failOverWithLag = (lagMs: number): Promise<FailoverReport> =>
  withRig('hosts', async ({ pair, ...rig }) => {
    const bookers = await startGroup(rig)
    // Most offers are left for the time of the lag, however fast the machine is.
    await sleep(BEFORE_LAG_MS)
    await pair.stopReplication()
    await sleep(lagMs)
    const recoveryMs = await measureRecovery(rig, pair.failOver)
    await sleep(UP_MS)
    return repeatLost(rig, bookers, recoveryMs)
  })

/** Restores a backup that is older than the last bookings. */
export const restoreBackup = (): Promise<FailoverReport> =>
  withRig('pgbouncer', async ({ pair, ...rig }) => {
    const bookers = await startGroup(rig)
    await sleep(UP_MS)
    const copy = await pair.backUp()
    await sleep(UP_MS)
    const recoveryMs = await measureRecovery(rig, () => pair.restore(copy))
    await sleep(UP_MS)
    return repeatLost(rig, bookers, recoveryMs)
  })

/** The synchronous standby does not answer for a while, so that no commit ends. */
export const loseStandby = (awayMs: number): Promise<FailoverReport> =>
  withRig('pgbouncer', async ({ pair, ...rig }) => {
    await pair.setSynchronous('on')
    const bookers = await startGroup(rig)
    await sleep(UP_MS)
    pair.freezeStandby()
    await sleep(awayMs)
    pair.resumeStandby()
    const recoveryMs = await measureUntil(() => rig.nodes.balancer.ready().length > 0)
    await sleep(UP_MS)
    await bookers.finish()
    const unsent = await findUnsentInDoubt(rig)
    const { violations, ...rest } = await report(rig, [bookers], { recoveryMs: [recoveryMs], lost: 0 })
    return { ...rest, violations: [...unsent, ...violations] }
  })

async function startGroup({ nodes, client, token }: Omit<Rig, 'pair'>, number = 0): Promise<Bookers> {
  const offers = await collectOffers(client, OFFERS, 30 + Math.floor(Math.random() * 200))
  const prefix = `N${letters(number).padStart(2, 'a')}`
  return startBookers({ url: nodes.balancer.url, token, offers, bookers: BOOKERS, prefix })
}

/** Returns the time from the beginning of the event until a node is ready again. */
async function measureRecovery({ nodes }: Pick<Rig, 'nodes'>, event: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  let isNoticed = false
  const unready = measureUntil(() => nodes.balancer.ready().length === 0).then((ms) => {
    isNoticed = Number.isFinite(ms)
  })
  await event()
  const eventMs = Math.round(performance.now() - startedAt)
  await Promise.race([unready, sleep(UNREADY_WITHIN_MS)])
  if (!isNoticed) return eventMs
  await measureUntil(() => nodes.balancer.ready().length > 0)
  return Math.round(performance.now() - startedAt)
}

/** Intents whose outcome a client knows and the database no longer does. */
async function findLost({ client }: Pick<Rig, 'client'>, groups: readonly Bookers[]): Promise<Intent[]> {
  const known = new Set((await client.bookings()).map(({ client_reference }) => client_reference))
  const intents = groups.flatMap((group) => group.intents)
  return intents.filter(({ name, answers }) => answers.length > 0 && !known.has(name))
}

async function repeatLost(rig: Omit<Rig, 'pair'>, bookers: Bookers, recoveryMs: number): Promise<FailoverReport> {
  await bookers.finish()
  const lost = await findLost(rig, [bookers])
  const { found, overlooked } = await reconcile(rig, lost)
  // A lost 201 must come again as one. A lost 202 promised nothing: it may come again as a refusal without a booking. A
  // lost refusal leaves doubt, or comes again without a booking.
  const isLost = new Set(lost)
  const repeated = bookers.intents.filter((intent) => isLost.has(intent) || lastStatus(intent) >= 400)
  for (const intent of repeated.filter((intent) => lastStatus(intent) !== 201)) intent.answers.length = 0
  for (const intent of repeated) await bookers.repeat(intent)
  const { violations, ...rest } = await report(rig, [bookers], { recoveryMs: [recoveryMs], lost: lost.length })
  return { ...rest, found, violations: [...overlooked, ...violations] }
}

const lastStatus = ({ answers }: Intent): number => answers.at(-1)?.status ?? 0

/** Checks that `serai bookings reconcile` proposes to adopt all lost bookings of vendors that list their bookings. */
async function reconcile({ nodes }: Pick<Rig, 'nodes'>, lost: readonly Intent[]) {
  const yesterday = addDays(dateIn('UTC', Date.now()), -1)
  const output = await runCommand(nodes.env, ['bookings', 'reconcile', '--from', yesterday])
  const names = new Set(lost.map(({ name }) => name))
  const listed = Object.entries(await readLedgers(nodes.stage)).flatMap(([vendorId, entries]) => {
    if (!new RegExp(`^${vendorId}  \\d+ bookings listed$`, 'm').test(output)) return []
    const theirs = entries.filter(({ holder }) => holder.split(' ').some((word) => names.has(word)))
    return theirs.map(({ ourReference }) => `adopt  ${vendorId} ${ourReference}`)
  })
  const missing = listed.filter((line) => !output.includes(line))
  return {
    found: listed.length - missing.length,
    overlooked: missing.map((line) => `OVERLOOKED: reconcile does not propose "${line}":\n${output}`),
  }
}

async function report(
  { nodes, client }: Omit<Rig, 'pair'>,
  groups: readonly Bookers[],
  figures: Pick<FailoverReport, 'recoveryMs' | 'lost'>,
): Promise<FailoverReport> {
  const intents = groups.flatMap((group) => group.intents)
  const surprises = groups.flatMap((group) => group.surprises)
  // A lost booking may get another id when it is repeated, so only the last answer counts.
  const last = intents.map((intent) => ({ ...intent, answers: intent.answers.slice(-1) }))
  return {
    violations: [
      ...(await settleAndCompare(nodes, client, last)),
      ...surprises.map((message) => `SURPRISE: ${message}`),
    ],
    decided: intents.filter(({ answers }) => answers.length > 0).length,
    seen: sumCounts(groups.map(({ seen }) => seen)),
    ...figures,
  }
}

const DECIDED_WITHIN_MS = 30_000

/** Bookings in doubt or in review although the vendor has none: they were never sent. */
async function findUnsentInDoubt({ nodes, client }: Omit<Rig, 'pair'>): Promise<string[]> {
  const held = new Set(
    Object.values(await readLedgers(nodes.stage)).flatMap((entries) => entries.map((entry) => entry.ourReference)),
  )
  const until = performance.now() + DECIDED_WITHIN_MS
  for (;;) {
    const open = (await client.bookings()).filter(
      (booking) => !held.has(booking.reference) && (isWaiting(booking) || booking.status === 'needs_review'),
    )
    if (open.length === 0) return []
    if (performance.now() > until)
      return open.map(({ booking_id, status }) => `UNSENT: ${booking_id} is ${status}, although it was never sent`)
    await sleep(250)
  }
}

/** Runs `serai` against the database of the nodes; returns its output, whatever its exit code. */
const runCommand = (env: Readonly<Record<string, string>>, args: readonly string[]) =>
  new Promise<string>((resolve) => {
    const options = {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', NODE_NO_WARNINGS: '1', SERAI_SANDBOX: 'false', ...env },
    }
    execFile(process.execPath, [join(ROOT, 'src/cli/serai.ts'), ...args], options, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })

function sumCounts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const counts of all) for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count
  return sum
}
