import { listVendorsWithoutFinalAbsence } from '../../test/support/sandbox/absence.ts'
import { sleep } from '../../test/support/servers/server-process.ts'
import { type ApiClient, collectOffers, createApiClient, fetchToken } from '../crash/api-client.ts'
import { letters } from '../crash/clients.ts'
import { compareBookings, type IntentHistory } from '../crash/compare-bookings.ts'
import { backdateUnsettled, readLedgers, waitUntilAgreed, waitUntilSettled } from '../crash/rig.ts'
import { simulatedTraffic } from '../load/simulated-traffic.ts'
import { type LoadReport, startLoad } from '../load/steady-load.ts'
import { startBookers } from './bookers.ts'
import type { Nodes, ServiceNodes } from './nodes.ts'

/** Restarts one node after the other under load; returns the clients' results. */
export async function rollingRestarts(
  nodes: ServiceNodes,
  { rounds, perSecond }: { rounds: number; perSecond: number },
): Promise<LoadReport & { readonly exitCodes: readonly (number | null)[] }> {
  const token = await fetchToken(nodes.balancer.url)
  const load = startLoad({ url: nodes.balancer.url, token, perSecond, createRequest: simulatedTraffic('rolling') })
  const exitCodes: (number | null)[] = []
  try {
    await sleep(500)
    for (let round = 0; round < rounds; round += 1) {
      exitCodes.push(await nodes.restart(round % 2))
      await sleep(300)
    }
    return { ...(await load.stop()), exitCodes }
  } finally {
    await load.stop()
  }
}

type OutageReport = {
  readonly violations: readonly string[]
  readonly intents: number
  readonly decided: number
  readonly seen: Readonly<Record<string, number>>
  /** Times in ms from the loss of the database until no node was ready, and from its return until one was. */
  readonly unreadyAfterMs: readonly number[]
  readonly readyAfterMs: readonly number[]
}

/** Kills PostgreSQL repeatedly while clients book at the vendors' stand-ins, then compares all bookings. */
export async function databaseOutages(
  nodes: Nodes,
  options: { outages: number; upMs: number; downMs: number; bookers: number },
): Promise<OutageReport> {
  const { url } = nodes.balancer
  const token = await fetchToken(url)
  const client = createApiClient(url, token)
  const offers = await collectOffers(client, 60 + options.outages * 60, 60 + Math.floor(Math.random() * 100))
  // New for each call, so that a repeated one does not meet the bookings of an earlier one.
  const prefix = `N${letters(Math.floor(Math.random() * 26 ** 4))}`
  const bookers = startBookers({ url, token, offers, bookers: options.bookers, prefix })
  const unreadyAfterMs: number[] = []
  const readyAfterMs: number[] = []
  for (let outage = 0; outage < options.outages; outage += 1) {
    await sleep(options.upMs)
    await nodes.postgres.kill()
    unreadyAfterMs.push(await measureUntil(() => nodes.balancer.ready().length === 0))
    await sleep(options.downMs)
    await nodes.postgres.start()
    readyAfterMs.push(await measureUntil(() => nodes.balancer.ready().length > 0))
  }
  await sleep(options.upMs)
  await bookers.finish()

  const violations = await settleAndCompare(nodes, client, bookers.intents)
  return {
    violations: [...violations, ...bookers.surprises.map((message) => `SURPRISE: ${message}`)],
    intents: bookers.intents.length,
    decided: bookers.intents.filter(({ answers }) => answers.length > 0).length,
    seen: bookers.seen,
    unreadyAfterMs,
    readyAfterMs,
  }
}

/** Waits until all bookings are settled, then compares those of the intents with the vendors'. */
export async function settleAndCompare(
  { stage, env }: ServiceNodes,
  client: ApiClient,
  intents: readonly IntentHistory[],
): Promise<string[]> {
  const { late } = await waitUntilAgreed(stage, client)
  await backdateUnsettled(env)
  await waitUntilSettled(client)
  // Ignores bookings of other tests and simulated ones.
  const names = new Set(intents.map(({ name }) => name))
  const bookings = (await client.bookings()).filter(({ client_reference }) => names.has(client_reference ?? ''))
  const ledgers = Object.entries(await readLedgers(stage)).map(([vendor, entries]) => [
    vendor,
    entries.filter(({ holder }) => holder.split(' ').some((word) => names.has(word))),
  ])
  const absenceIsNotFinal = await listVendorsWithoutFinalAbsence(stage.sandbox.environment)
  return [...compareBookings({ intents, bookings, ledgers: Object.fromEntries(ledgers), absenceIsNotFinal }), ...late]
}

const CHANGED_WITHIN_MS = 30_000

export async function measureUntil(isReached: () => boolean): Promise<number> {
  const startedAt = performance.now()
  while (!isReached()) {
    if (performance.now() - startedAt > CHANGED_WITHIN_MS) return Number.POSITIVE_INFINITY
    await sleep(20)
  }
  return Math.round(performance.now() - startedAt)
}
