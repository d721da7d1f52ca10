/** A PostgreSQL primary and standby, PgBouncer and two nodes: failovers, a lost standby and a restored backup under load. */
import { readArguments, readCount } from '../../scripts/read-arguments.ts'
import type { FailoverReport } from '../failover/scenarios.ts'

const USAGE = `Usage: node chaos/experiments/failover.ts [--runs 20]

Runs that many synchronous failovers, half of them through PgBouncer, and one of each other scenario.
Exit code 1 if a booking was lost or doubled.`

const { values } = readArguments(USAGE, { options: { runs: { type: 'string', default: '20' } } })
const runs = readCount(USAGE, '--runs', values.runs)

// Loaded after the arguments are read, so that --help answers at once.
const { failOverSynchronously, failOverWithLag, loseStandby, restoreBackup } = await import('../failover/scenarios.ts')
const problems: string[] = []

function check(name: string, report: FailoverReport, mayLose: boolean): void {
  console.log(`${name}:`, report)
  problems.push(...report.violations.map((violation) => `${name}: ${violation}`))
  if (report.decided === 0) problems.push(`${name}: inconclusive, no booking was decided`)
  if (!mayLose && report.lost > 0) problems.push(`${name}: ${report.lost} bookings were lost`)
  if (mayLose && !report.found) problems.push(`${name}: inconclusive, no lost booking was found`)
}

const half = Math.ceil(runs / 2)
check(`${half} synchronous failovers with two hosts`, await failOverSynchronously('hosts', half), false)
check(`${runs - half} synchronous failovers`, await failOverSynchronously('pgbouncer', runs - half), false)
check('a failover 3 s behind', await failOverWithLag(3_000), true)
check('a standby that was away for 35 s', await loseStandby(35_000), false)
check('an older backup', await restoreBackup(), true)
for (const message of problems) console.error(message)
process.exit(problems.length > 0 ? 1 : 0)
