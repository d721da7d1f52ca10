import { readFileSync } from 'node:fs'
import { type ServerProcess, sleep } from '../../test/support/servers/server-process.ts'
import type { GeneratorReport, LoadGenerator, LoadOrder } from './load-generator.ts'
import { readPercentile } from './steady-load.ts'

/** The 95th percentile in ms, without and with the flood. */
type Compared = { readonly quiet: number; readonly flooded: number; readonly requests: number }

export type OverloadReport = {
  readonly failures: readonly string[]
  /** Answers to the flood, by status. */
  readonly flood: Readonly<Record<string, number>>
  /** Answers to the others during the flood, by status. */
  readonly others: Readonly<Record<string, number>>
  /** The others' requests, from reading their head to sending the last byte. */
  readonly inService: Compared
  readonly bookingsInService: Compared
  /** The same requests, measured by the clients on the same machine. */
  readonly atClient: Compared
  /** Share of the time in which the server's event loop ran. */
  readonly loopShare: { readonly quiet: number; readonly flooded: number }
  /** Share of the time in which it waited for a processor. If large, the machine was too busy to measure. */
  readonly starvedShare: { readonly quiet: number; readonly flooded: number }
  readonly residentMb: { readonly before: number; readonly after: number }
}

type Traffic = Omit<LoadOrder, 'url' | 'seconds' | 'name'>

type Options = {
  readonly server: ServerProcess
  readonly generators: { readonly others: LoadGenerator; readonly flood: LoadGenerator }
  readonly others: Traffic
  readonly flood: Traffic
  /** Traffic of the flood's account in quiet periods; none by default. */
  readonly background?: Traffic
  /** Called at the start of each period. */
  onPeriod?(isFlooded: boolean): Promise<void>
  /** Account of the flood, as in the log. */
  readonly floodAccount: string
  /** Quiet and flooded periods alternate, so that other load on the machine affects both. */
  readonly rounds: number
  readonly seconds: number
}

type Answered = { readonly operation: string; readonly ms: number }

/** Runs one account far over its rate next to several normal ones. The server must log at `info`. */
export async function runOverload(options: Options): Promise<OverloadReport> {
  const { server, generators, rounds, seconds, background } = options
  const { url } = server
  const send = (name: string) => generators.others.send({ ...options.others, url, seconds, name })
  const sendFlood = (kind: Traffic, name: string) => generators.flood.send({ ...kind, url, seconds, name })
  await generators.others.send({ ...options.others, url, seconds: 3, name: 'warm' })
  const quiet: GeneratorReport[] = []
  const flooded: GeneratorReport[] = []
  const floods: GeneratorReport[] = []
  const lines: { quiet: Answered[]; flooded: Answered[] } = { quiet: [], flooded: [] }
  const busy = { quiet: createStopwatch(server.pid), flooded: createStopwatch(server.pid) }
  let residentBefore = 0
  for (let round = 0; round < rounds; round += 1) {
    let from = server.output().length
    await options.onPeriod?.(false)
    busy.quiet.start()
    const backgroundLoad = background && sendFlood(background, `background-${round}`)
    quiet.push(await send(`quiet-${round}`))
    await backgroundLoad
    busy.quiet.stop()
    lines.quiet.push(...parseAnswered(server.output().slice(from), options.floodAccount))
    from = server.output().length
    // Excludes the memory used by normal traffic.
    if (round === 0) residentBefore = readResidentMb(server.pid)
    await options.onPeriod?.(true)
    busy.flooded.start()
    const flooding = sendFlood(options.flood, `flood-${round}`)
    flooded.push(await send(`flooded-${round}`))
    floods.push(await flooding)
    busy.flooded.stop()
    lines.flooded.push(...parseAnswered(server.output().slice(from), options.floodAccount))
    await sleep(500)
  }
  const bookings = (all: Answered[]) => all.filter(({ operation }) => operation === 'booking.create')
  const times = (all: readonly Answered[]) => all.map(({ ms }) => ms)
  return {
    failures: [...quiet, ...flooded, ...floods].flatMap(({ failures }) => failures),
    flood: sum(floods),
    others: sum(flooded),
    inService: compare(times(lines.quiet), times(lines.flooded)),
    bookingsInService: compare(times(bookings(lines.quiet)), times(bookings(lines.flooded))),
    atClient: compare(
      quiet.flatMap((report) => report.times),
      flooded.flatMap((report) => report.times),
    ),
    loopShare: { quiet: busy.quiet.shares().ran, flooded: busy.flooded.shares().ran },
    starvedShare: { quiet: busy.quiet.shares().starved, flooded: busy.flooded.shares().starved },
    residentMb: { before: Math.round(residentBefore), after: Math.round(readResidentMb(server.pid)) },
  }
}

/** Measures for how long a process's main thread ran and waited for a processor. */
function createStopwatch(pid: number) {
  const read = () => {
    const [ran = 0, starved = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ').map(Number)
    return { ran: ran / 1e6, starved: starved / 1e6, passed: performance.now() }
  }
  const total = { ran: 0, starved: 0, passed: 0 }
  let since = read()
  const share = (ms: number) => Math.round((ms / total.passed) * 1_000) / 1_000
  return {
    start() {
      since = read()
    },
    stop() {
      const now = read()
      total.ran += now.ran - since.ran
      total.starved += now.starved - since.starved
      total.passed += now.passed - since.passed
    },
    shares: () => ({ ran: share(total.ran), starved: share(total.starved) }),
  }
}

/** Logged answers to all accounts but one. */
function parseAnswered(text: string, excludedAccount: string): Answered[] {
  return text.split('\n').flatMap((line) => {
    if (!line.includes('"answered"')) return []
    try {
      const { operation, ms, account } = JSON.parse(line) as Answered & { account?: string }
      return account === undefined || account === excludedAccount ? [] : [{ operation, ms }]
    } catch {
      return []
    }
  })
}

function compare(quiet: number[], flooded: number[]): Compared {
  const p95 = (times: number[]) =>
    Math.round(
      readPercentile(
        times.sort((a, b) => a - b),
        0.95,
      ) * 10,
    ) / 10
  return { quiet: p95(quiet), flooded: p95(flooded), requests: flooded.length }
}

function sum(reports: readonly GeneratorReport[]): Record<string, number> {
  const all: Record<string, number> = {}
  for (const { byStatus } of reports) {
    for (const [status, count] of Object.entries(byStatus)) all[status] = (all[status] ?? 0) + count
  }
  return all
}

export const readResidentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
