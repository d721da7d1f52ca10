/**
 * One account at ten times its rate beside four as always, and many slow connections: `node scripts/chaos/overload.ts
 * [--seconds 30] [--only rate|capacity]`. Two floods: of searches past the account's allowance, among searches that vendors
 * take their time for; and of searches within a large allowance that are more than the process can do. Prints what the
 * others waited, without and with it, in turn. Exit code 1 when a promise was broken.
 */
import { parseArgs } from 'node:util'
import { type OverloadReport, runOverload } from '../../test/support/overload.ts'
import { openOverload } from '../../test/support/overload-stage.ts'
import { slowClients } from '../../test/support/slow-clients.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '30' }, only: { type: 'string' } } })
const ROUNDS = 3
const seconds = Number(values.seconds) / ROUNDS
const GROWN_MAX_MB = 100
const CLOSED_MAX_MS = 15_000
const VENDOR_MS = 250
const STARVED_MAX = 0.03
const wrong: string[] = []

if (values.only !== 'capacity') await pastAllowance()
if (values.only !== 'rate') await pastCapacity()
for (const words of wrong) console.error(words)
process.exitCode = wrong.length > 0 ? 1 : 0

/** The allowance as it comes: 1,200 units a minute are two searches a second; the flood asks for twenty. */
async function pastAllowance(): Promise<void> {
  const stage = await openOverload({ SERAI_RATE_LIMIT_PER_MINUTE: '1200' })
  try {
    for (const vendor of Object.values(stage.stage.sandbox.control)) {
      await vendor.addFaults({ kind: 'latency', operation: 'availability', ms: VENDOR_MS })
    }
    const slow = slowClients(stage.server.url, 300)
    const { destinationId, tokens } = stage
    const report = await runOverload({
      ...stage,
      others: { tokens: tokens.others, perSecond: 2, kind: 'real', destinationId },
      flood: { tokens: [tokens.flood], perSecond: 20, kind: 'real', destinationId },
      rounds: ROUNDS,
      seconds,
    })
    const connections = await slow.closed()
    console.log('ten times the allowance:', report, connections)
    judge('ten times the allowance', report)
    if (connections.closedAfterMs > CLOSED_MAX_MS) wrong.push('slow connections stayed')
  } finally {
    await stage.close()
  }
}

/** Simulated searches take no vendor's time, only ours: this many are several times what one process can do. */
async function pastCapacity(): Promise<void> {
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
    console.log('more than one process can do:', report)
    judge('more than one process can do', report)
  } finally {
    await stage.close()
  }
}

function judge(name: string, report: OverloadReport): void {
  wrong.push(...report.failures.map((words) => `${name}: ${words}`))
  const { quiet, flooded } = report.inService
  if (report.starvedShare.flooded > STARVED_MAX) console.log(`${name}: the machine was too busy to judge by the clock`)
  else if (flooded > quiet * 1.2) wrong.push(`${name}: the others waited ${flooded} ms instead of ${quiet} ms`)
  const refused = Object.entries(report.others).filter(([status]) => status !== '200' && status !== '201')
  if (refused.length > 0) wrong.push(`${name}: others were refused: ${JSON.stringify(report.others)}`)
  const grown = report.residentMb.after - report.residentMb.before
  if (grown > GROWN_MAX_MB) wrong.push(`${name}: memory grew by ${grown} MB`)
}
