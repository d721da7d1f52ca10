/**
 * Steady traffic for a long time: `node scripts/chaos/soak.ts [--minutes 10] [--per-second 20]`. Exit code 1 when the heap
 * grows by a megabyte a minute or more, when handles pile up, or when a request fails.
 */
import { parseArgs } from 'node:util'
import { runSoak } from '../../test/support/soak.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, 'per-second': { type: 'string', default: '20' } },
})
const SLOPE_MAX_MB = 1
const HANDLES_GROWN_MAX = 20

const soak = await runSoak({ minutes: Number(values.minutes), perSecond: Number(values['per-second']) })
const { load, slopeMbPerMinute, handlesGrown } = soak
const { sent, byStatus, failures } = load
const p95Ms = load.percentile(0.95)
console.log({ sent, byStatus, failures, p95Ms, slopeMbPerMinute, heapMb: soak.heapMb.join(' ') })
console.log({ handles: soak.handles.join(' '), handlesGrown, residentMb: soak.residentMb })
process.exitCode = slopeMbPerMinute >= SLOPE_MAX_MB || handlesGrown > HANDLES_GROWN_MAX || failures.length > 0 ? 1 : 0
