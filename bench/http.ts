/**
 * Whole operations over HTTP beside constants of the same bytes: what our frame and work cost a request. Server and load
 * generator have a core each, all three servers get the same load in many short turns, and what is told is the median of the
 * rounds' own ratios: a neighbour on the machine slows a whole round, not one side of it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detailPathOf, type SearchAnswer, signIn, stay } from './support/client-calls.ts'
import { median, round } from './support/figures.ts'
import { type Generator, startGenerator } from './support/generator.ts'
import { pin, processCpuMs } from './support/processor.ts'
import { report } from './support/report.ts'
import { type Server, startConstant, startSerai } from './support/servers.ts'

const CONNECTIONS = 16
const DETAILS = 8
const PREFIXES = 'par lond new+y tok barc rom ams ber madr lis vien prag dub syd bang sing'.split(' ')
const SIDES = ['ours', 'fastify', 'node'] as const
type Side = (typeof SIDES)[number]
type Turn = { readonly requests: number; readonly perSecond: number; readonly cpuMs: number }
type Sample = Record<Side, Turn>
type Pace = { readonly rounds: number; readonly seconds: number; readonly warmUp: number }

export async function benchHttp({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const pace = quick ? { rounds: 7, seconds: 0.2, warmUp: 0.7 } : { rounds: 15, seconds: 0.3, warmUp: 8 }
  const folder = mkdtempSync(join(tmpdir(), 'serai-bench-'))
  const generator = startGenerator()
  const serai = await startSerai()
  try {
    const { ask, headers } = await signIn(serai.url)
    const locationPaths = PREFIXES.map((prefix) => `/api/locations/search?starts_with=${prefix}&first=10`)
    const locations = await bodiesOf(ask, locationPaths)
    const { paths, cpuMs } = await detailsOnce(serai, ask, quick ? 45 : 90)
    const details = await bodiesOf(ask, paths.slice(0, DETAILS))
    const beside = (bodies: Record<string, string>) =>
      besideConstants({ serai, generator, bodies, headers, pace, file: join(folder, 'bodies.json') })
    return {
      ...figuresOf('locations', await beside(locations)),
      ...figuresOf('detail', await beside(details)),
      detail_first_cpu_ms: round(cpuMs),
      detail_kb: round(median(Object.values(details).map((body) => Buffer.byteLength(body) / 1_000)), 1),
    }
  } finally {
    generator.close()
    await serai.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Ask = Awaited<ReturnType<typeof signIn>>['ask']

async function bodiesOf(ask: Ask, paths: readonly string[]): Promise<Record<string, string>> {
  const bodies: Record<string, string> = {}
  for (const path of paths) bodies[path] = await ask('GET', path)
  return bodies
}

/** Every property of a search looked at once, its vendors asked: what a detail costs before it is kept. */
async function detailsOnce(serai: Server, ask: Ask, count: number): Promise<{ paths: string[]; cpuMs: number }> {
  const found = JSON.parse(await ask('GET', '/api/locations/search?starts_with=lisbon')) as { data: { id: string }[] }
  const body = { ...stay(40), destination_id: found.data[0]?.id, timeout_ms: 15_000 }
  const { data } = JSON.parse(await ask('POST', '/api/accommodation_searches/search', body)) as SearchAnswer
  const paths = data.availability.slice(0, count).map(({ property_id }) => detailPathOf(data.search_id, property_id))
  const warmUp = Math.floor(paths.length / 3)
  for (const path of paths.slice(0, warmUp)) await ask('GET', path)
  const before = processCpuMs(serai.pid)
  for (const path of paths.slice(warmUp)) await ask('GET', path)
  return { paths, cpuMs: (processCpuMs(serai.pid) - before) / (paths.length - warmUp) }
}

type Beside = {
  readonly serai: Server
  readonly generator: Generator
  /** What we answered to each path, to the byte. */
  readonly bodies: Record<string, string>
  readonly headers: Record<string, string>
  readonly pace: Pace
  readonly file: string
}

async function besideConstants({ serai, generator, bodies, headers, pace, file }: Beside): Promise<Sample[]> {
  writeFileSync(file, JSON.stringify(bodies))
  const [fastify, node] = await Promise.all([startConstant('fastify', file), startConstant('http', file)])
  const servers: Record<Side, Server> = { ours: serai, fastify, node }
  const load = async (side: Side, seconds: number) => {
    const { url, pid } = servers[side]
    const before = processCpuMs(pid)
    const loaded = await generator.run({
      url,
      headers,
      connections: CONNECTIONS,
      work: { paths: Object.keys(bodies), seconds },
    })
    const cpuMs = processCpuMs(pid) - before
    return { requests: loaded.requests, perSecond: loaded.requests / loaded.seconds, cpuMs }
  }
  try {
    pin(generator.pid, 1)
    for (const { pid } of Object.values(servers)) pin(pid, 0)
    for (const side of SIDES) await load(side, pace.warmUp)
    const samples: Sample[] = []
    for (let at = 0; at < pace.rounds; at += 1) {
      const sample: Partial<Sample> = {}
      for (const side of [...SIDES.slice(at % 3), ...SIDES.slice(0, at % 3)])
        sample[side] = await load(side, pace.seconds)
      samples.push(sample as Sample)
    }
    return samples
  } finally {
    await Promise.all([fastify.close(), node.close()])
  }
}

function figuresOf(name: string, samples: readonly Sample[]): Record<string, number> {
  const of = (read: (sample: Sample) => number) => median(samples.map(read))
  const cpuUs = { ours: cpuUsOf(samples, 'ours'), fastify: cpuUsOf(samples, 'fastify'), node: cpuUsOf(samples, 'node') }
  return {
    [`${name}_http_rps`]: Math.round(of(({ ours }) => ours.perSecond)),
    [`${name}_fastify_rps`]: Math.round(of(({ fastify }) => fastify.perSecond)),
    [`${name}_node_rps`]: Math.round(of(({ node }) => node.perSecond)),
    [`${name}_http_vs_fastify`]: round(of(({ ours, fastify }) => ours.perSecond / fastify.perSecond)),
    [`${name}_http_vs_node`]: round(of(({ ours, node }) => ours.perSecond / node.perSecond)),
    [`${name}_http_cpu_us`]: round(cpuUs.ours, 1),
    [`${name}_fastify_cpu_us`]: round(cpuUs.fastify, 1),
    [`${name}_node_cpu_us`]: round(cpuUs.node, 1),
    [`${name}_http_cpu_vs_fastify`]: round(cpuUs.ours / cpuUs.fastify),
  }
}

/** Over all rounds together: the system counts processor time in steps too coarse for one of them. */
function cpuUsOf(samples: readonly Sample[], side: Side): number {
  const sum = (read: (turn: Turn) => number) => samples.reduce((total, sample) => total + read(sample[side]), 0)
  return (sum(({ cpuMs }) => cpuMs) * 1_000) / sum(({ requests }) => requests)
}

if (import.meta.main) await report(benchHttp)
