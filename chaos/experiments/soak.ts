/** Steady traffic for a long time. */
import { readArguments, readNumber } from '../../scripts/read-arguments.ts'

const USAGE = `Usage: node chaos/experiments/soak.ts [--minutes 10] [--per-second 20]

Exit code 1 if the heap grows by 1 MB per minute (50 in less than 10 minutes, in which code is still being compiled and
caches fill), handles accumulate, or a request fails.`

const { values } = readArguments(USAGE, {
  options: { minutes: { type: 'string', default: '10' }, 'per-second': { type: 'string', default: '20' } },
})
const HANDLES_GROWN_MAX = 20

const wanted = {
  minutes: readNumber(USAGE, '--minutes', values.minutes),
  perSecond: readNumber(USAGE, '--per-second', values['per-second']),
}
const slopeMaxMb = wanted.minutes >= 10 ? 1 : 50
// Loaded after the arguments are read, so that --help answers at once.
const { runSoak } = await import('../load/soak.ts')
const soak = await runSoak(wanted)
const { load, slopeMbPerMinute, handlesGrown } = soak
const { sent, byStatus, failures } = load
const p95Ms = load.percentile(0.95)
console.log({ sent, byStatus, failures, p95Ms, slopeMbPerMinute, heapMb: soak.heapMb.join(' ') })
console.log({ handles: soak.handles.join(' '), handlesGrown, residentMb: soak.residentMb })
// An unreadable figure (NaN) fails these comparisons.
const hasPassed = slopeMbPerMinute < slopeMaxMb && handlesGrown <= HANDLES_GROWN_MAX && failures.length === 0
process.exitCode = hasPassed ? 0 : 1
