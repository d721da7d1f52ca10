import { freePort } from '../../test/support/servers/postgres.ts'
import { openStage, type ServerProcess, sleep, startServer } from '../../test/support/servers/server-process.ts'
import { addAccounts, createApiClient, fetchToken } from '../crash/api-client.ts'
import { readResidentMb } from './overload.ts'
import { simulatedTraffic } from './simulated-traffic.ts'
import { type LoadReport, startLoad } from './steady-load.ts'

type SoakReport = {
  readonly load: LoadReport
  /** Growth of the heap after garbage collection, without the first fifth of the run. */
  readonly slopeMbPerMinute: number
  readonly heapMb: readonly number[]
  readonly handles: readonly number[]
  /** Difference between the minima of the first and the last third, because leaked handles remain. */
  readonly handlesGrown: number
  readonly residentMb: number
}

type Options = { readonly minutes: number; readonly perSecond: number }
type Sample = { readonly minute: number; readonly heapMb: number; readonly handles: number }

const SAMPLES = 20

/** Steady traffic, some of it to the vendors' stand-ins. */
export async function runSoak({ minutes, perSecond }: Options): Promise<SoakReport> {
  const stage = await openStage('soak')
  // Vendor answers kept for reuse must expire within the run, or they would look like a leak.
  const env = { ...stage.sandbox.environment, SERAI_DATA_DIR: stage.dataDir, SERAI_ANSWER_REUSE_SECONDS: '3' }
  await addAccounts(env)
  const server = await startServer({ dataDir: stage.dataDir, port: await freePort(), env })
  try {
    const token = await fetchToken(server.url)
    const load = startLoad({ url: server.url, token, perSecond, createRequest: simulatedTraffic('soak') })
    const samples = await watch(server, token, minutes * 60_000)
    const report = await load.stop()
    // Compiling and caching in the first fifth is not a leak.
    const settled = samples.filter(({ minute }) => minute > minutes / 5)
    const handles = settled.map((sample) => sample.handles)
    const third = Math.ceil(handles.length / 3)
    return {
      load: report,
      slopeMbPerMinute: computeSlope(settled.map(({ minute, heapMb }) => [minute, heapMb])),
      heapMb: settled.map(({ heapMb }) => Math.round(heapMb)),
      handles,
      handlesGrown: Math.min(...handles.slice(-third)) - Math.min(...handles.slice(0, third)),
      residentMb: Math.round(readResidentMb(server.pid)),
    }
  } finally {
    await server.kill()
    await stage.close()
  }
}

/** One sample per window: its smallest heap, which is the size after collection. Also makes some real searches. */
async function watch(server: ServerProcess, token: string, totalMs: number): Promise<Sample[]> {
  const windowMs = totalMs / SAMPLES
  const client = createApiClient(server.url, token)
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
      await client.search('Zermatt', 30 + (samples.length % 200))
      await sleep(Math.min(1_000, windowMs / 4))
    }
    samples.push({ minute: (performance.now() - startedAt) / 60_000, heapMb: smallest, handles })
  }
  return samples
}

function read(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

/** Least-squares slope. */
function computeSlope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (pick: 0 | 1) => points.reduce((sum, point) => sum + point[pick], 0) / points.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const under = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return Math.round((over / under) * 100) / 100
}
