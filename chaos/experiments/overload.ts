/**
 * One account sends ten times its rate while four others behave normally, and many connections are slow. There are two
 * floods: one exceeds the account's rate limit while vendors are slow, the other exceeds the capacity of the process
 * within a large rate limit.
 */
import { readArguments, readChoice, readNumber } from '../../scripts/read-arguments.ts'
import type { OverloadReport } from '../load/overload.ts'
import { openSlowClients } from '../load/slow-clients.ts'

const USAGE = `Usage: node chaos/experiments/overload.ts [--seconds 30] [--only rate|capacity]

Measures alternately with and without the flood how long the other accounts wait. Exit code 1 if it is too long.`

const { values } = readArguments(USAGE, {
  options: { seconds: { type: 'string', default: '30' }, only: { type: 'string' } },
})
const ROUNDS = 3
const seconds = readNumber(USAGE, '--seconds', values.seconds) / ROUNDS
const FLOODS = ['rate', 'capacity']
const only = values.only === undefined ? FLOODS : [readChoice(USAGE, '--only', FLOODS, values.only)]
const GROWN_MAX_MB = 100
const CLOSED_MAX_MS = 15_000
const VENDOR_MS = 250
const STARVED_MAX = 0.03
const problems: string[] = []

// Loaded after the arguments are read, so that --help answers at once.
const { runOverload } = await import('../load/overload.ts')
const { openOverload } = await import('../load/overload-stage.ts')
if (only.includes('rate')) await overRateLimit()
if (only.includes('capacity')) await overCapacity()
for (const message of problems) console.error(message)
process.exitCode = problems.length > 0 ? 1 : 0

/** The default rate limit, 1,200 units per minute, allows two searches per second; the flood sends twenty. */
async function overRateLimit(): Promise<void> {
  const stage = await openOverload({ SERAI_RATE_LIMIT_PER_MINUTE: '1200' })
  try {
    const destinationId = await stage.visitTown()
    for (const vendor of Object.values(stage.stage.sandbox.control)) {
      await vendor.addFaults({ kind: 'latency', operation: 'availability', ms: VENDOR_MS })
    }
    const slow = openSlowClients(stage.server.url, 300)
    const { tokens } = stage
    const report = await runOverload({
      ...stage,
      others: { tokens: tokens.others, perSecond: 2, kind: 'real', destinationId },
      flood: { tokens: [tokens.flood], perSecond: 20, kind: 'real', destinationId },
      rounds: ROUNDS,
      seconds,
    })
    const connections = await slow.closed()
    console.log('ten times the rate limit:', report, connections)
    checkReport('ten times the rate limit', report)
    if (connections.closedAfterMs > CLOSED_MAX_MS) problems.push('slow connections were not closed')
  } finally {
    await stage.close()
  }
}

/** Simulated searches use only our own time; this is several times the capacity of one process. */
async function overCapacity(): Promise<void> {
  const stage = await openOverload({ SERAI_RATE_LIMIT_PER_MINUTE: '10000000' })
  try {
    const { tokens } = stage
    const report = await runOverload({
      ...stage,
      others: { tokens: tokens.others, perSecond: 2, kind: 'simulated' },
      flood: { tokens: [tokens.flood], perSecond: 300, kind: 'simulated_searches' },
      rounds: ROUNDS,
      seconds,
    })
    console.log('over capacity:', report)
    checkReport('over capacity', report)
  } finally {
    await stage.close()
  }
}

function checkReport(name: string, report: OverloadReport): void {
  problems.push(...report.failures.map((message) => `${name}: ${message}`))
  const { quiet, flooded } = report.inService
  if (report.starvedShare.flooded > STARVED_MAX)
    console.log(`${name}: inconclusive: the machine was too busy to measure durations`)
  else if (flooded > quiet * 1.2) problems.push(`${name}: the others waited ${flooded} ms instead of ${quiet} ms`)
  const refused = Object.entries(report.others).filter(([status]) => status !== '200' && status !== '201')
  if (refused.length > 0) problems.push(`${name}: others were refused: ${JSON.stringify(report.others)}`)
  const grown = report.residentMb.after - report.residentMb.before
  if (grown > GROWN_MAX_MB) problems.push(`${name}: memory grew by ${grown} MB`)
}
