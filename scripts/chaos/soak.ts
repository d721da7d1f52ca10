/**
 * Steady traffic for a long time: `node scripts/chaos/soak.ts [--minutes 10] [--per-second 20]`. Exit code 1 when the heap
 * grows by a megabyte a minute or more, when handles pile up, or when a request fails.
 */
import { parseArgs } from 'node:util'
import { addAccounts, createTraveller, signIn } from '../../test/support/crash-traveller.ts'
import { residentMb } from '../../test/support/overload.ts'
import { freePort } from '../../test/support/postgres.ts'
import { openStage, sleep, startServer } from '../../test/support/server-process.ts'
import { simulatedTraffic } from '../../test/support/simulated-traffic.ts'
import { startLoad } from '../../test/support/steady-load.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, 'per-second': { type: 'string', default: '20' } },
})
const totalMs = Number(values.minutes) * 60_000
const SLOPE_MAX_MB = 1
const HANDLES_GROWN_MAX = 20

type Sample = { readonly minute: number; readonly heapMb: number; readonly handles: number }

const stage = await openStage('soak')
const env = { ...stage.sandbox.environment, SERAI_DATA_DIR: stage.dataDir }
await addAccounts(env)
const server = await startServer({ dataDir: stage.dataDir, port: await freePort(), env })
try {
  const token = await signIn(server.url)
  const perSecond = Number(values['per-second'])
  const load = startLoad({ url: server.url, token, perSecond, requestOf: simulatedTraffic('soak') })
  const samples = await watch(token)
  const report = await load.stop()
  // What is compiled and cached in the first fifth is no leak.
  const settled = samples.filter(({ minute }) => minute * 60_000 > totalMs / 5)
  const slope = slopeOf(settled.map(({ minute, heapMb }) => [minute, heapMb]))
  const handles = settled.map((sample) => sample.handles)
  const grown = (handles.at(-1) ?? 0) - (handles[0] ?? 0)
  const heapMb = settled.map((sample) => Math.round(sample.heapMb))
  console.log({ ...report, p95Ms: report.percentile(0.95), slopeMbPerMinute: slope, heapMb, handles })
  console.log({ residentMb: Math.round(residentMb(server.pid)) })
  process.exitCode = slope >= SLOPE_MAX_MB || grown > HANDLES_GROWN_MAX || report.failures.length > 0 ? 1 : 0
} finally {
  await server.kill()
  await stage.close()
}

/** One sample a window: the smallest heap of it, for that is what remains after collecting. Some real searches beside. */
async function watch(token: string): Promise<Sample[]> {
  const windowMs = totalMs / 20
  const traveller = createTraveller(server.url, token)
  const samples: Sample[] = []
  const startedAt = performance.now()
  while (performance.now() - startedAt < totalMs) {
    const until = performance.now() + windowMs
    let smallest = Number.POSITIVE_INFINITY
    let handles = 0
    while (performance.now() < until) {
      const text = await (await fetch(`${server.url}/metrics`)).text()
      smallest = Math.min(smallest, read(text, 'nodejs_heap_space_size_used_bytes{space="old"}') / 2 ** 20)
      handles = read(text, 'nodejs_active_handles_total')
      await traveller.search('Zermatt', 30 + (samples.length % 200))
      await sleep(1_000)
    }
    samples.push({ minute: (performance.now() - startedAt) / 60_000, heapMb: smallest, handles })
  }
  return samples
}

function read(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

/** Least squares. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (pick: 0 | 1) => points.reduce((sum, point) => sum + point[pick], 0) / points.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const under = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return Math.round((over / under) * 100) / 100
}
