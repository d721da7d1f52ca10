import { addAccounts, createTraveller, signIn } from './crash-traveller.ts'
import { residentMb } from './overload.ts'
import { freePort } from './postgres.ts'
import { openStage, type ServerProcess, sleep, startServer } from './server-process.ts'
import { simulatedTraffic } from './simulated-traffic.ts'
import { type LoadReport, startLoad } from './steady-load.ts'

export type SoakReport = {
  readonly load: LoadReport
  /** Of what remains after collecting, once the first fifth is over. */
  readonly slopeMbPerMinute: number
  readonly heapMb: readonly number[]
  readonly handles: readonly number[]
  /** From the fewest of the first third to the fewest of the last: connections come and go, what is lost stays. */
  readonly handlesGrown: number
  readonly residentMb: number
}

type Options = { readonly minutes: number; readonly perSecond: number }
type Sample = { readonly minute: number; readonly heapMb: number; readonly handles: number }

const SAMPLES = 20

/** Steady traffic, some of it at the vendors' stand-ins, for as long as it is told to. */
export async function runSoak({ minutes, perSecond }: Options): Promise<SoakReport> {
  const stage = await openStage('soak')
  const env = { ...stage.sandbox.environment, SERAI_DATA_DIR: stage.dataDir }
  await addAccounts(env)
  const server = await startServer({ dataDir: stage.dataDir, port: await freePort(), env })
  try {
    const token = await signIn(server.url)
    const load = startLoad({ url: server.url, token, perSecond, requestOf: simulatedTraffic('soak') })
    const samples = await watch(server, token, minutes * 60_000)
    const report = await load.stop()
    // What is compiled and cached in the first fifth is no leak.
    const settled = samples.filter(({ minute }) => minute > minutes / 5)
    const handles = settled.map((sample) => sample.handles)
    const third = Math.ceil(handles.length / 3)
    return {
      load: report,
      slopeMbPerMinute: slopeOf(settled.map(({ minute, heapMb }) => [minute, heapMb])),
      heapMb: settled.map(({ heapMb }) => Math.round(heapMb)),
      handles,
      handlesGrown: Math.min(...handles.slice(-third)) - Math.min(...handles.slice(0, third)),
      residentMb: Math.round(residentMb(server.pid)),
    }
  } finally {
    await server.kill()
    await stage.close()
  }
}

/** One sample a window: the smallest heap of it, for that is what remains after collecting. Some real searches beside. */
async function watch(server: ServerProcess, token: string, totalMs: number): Promise<Sample[]> {
  const windowMs = totalMs / SAMPLES
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
      await sleep(Math.min(1_000, windowMs / 4))
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
