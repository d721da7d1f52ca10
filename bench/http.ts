/**
 * Complete operations over HTTP compared with constant responses of the same size, to show the cost of our middleware
 * and work. Server and load generator have a core each, and all three servers get the same load in many short turns.
 * The result is the median of the ratios per round, because other load on the machine slows a whole round, not one side
 * of it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStay, detailPath, openSession, type SearchAnswer } from './support/client-calls.ts'
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
    const { request, headers } = await openSession(serai.url)
    const locationPaths = PREFIXES.map((prefix) => `/api/locations/search?starts_with=${prefix}&first=10`)
    const locations = await fetchBodies(request, locationPaths)
    const { paths, cpuMs } = await fetchDetails(serai, request, quick ? 45 : 90)
    const details = await fetchBodies(request, paths.slice(0, DETAILS))
    const compareBodies = (bodies: Record<string, string>) =>
      compareWithConstants({ serai, generator, bodies, headers, pace, file: join(folder, 'bodies.json') })
    return {
      ...summarize('locations', await compareBodies(locations)),
      ...summarize('detail', await compareBodies(details)),
      detail_first_cpu_ms: round(cpuMs),
      detail_kb: round(median(Object.values(details).map((body) => Buffer.byteLength(body) / 1_000)), 1),
    }
  } finally {
    generator.close()
    await serai.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type SendRequest = Awaited<ReturnType<typeof openSession>>['request']

async function fetchBodies(request: SendRequest, paths: readonly string[]): Promise<Record<string, string>> {
  const bodies: Record<string, string> = {}
  for (const path of paths) bodies[path] = await request('GET', path)
  return bodies
}

/**
 * Requests the detail of every property of a search once, including its vendors: the cost of a detail before it is
 * cached.
 */
async function fetchDetails(
  serai: Server,
  request: SendRequest,
  count: number,
): Promise<{ paths: string[]; cpuMs: number }> {
  const found = JSON.parse(await request('GET', '/api/locations/search?starts_with=lisbon')) as {
    data: { id: string }[]
  }
  const body = { ...createStay(40), destination_id: found.data[0]?.id, timeout_ms: 15_000 }
  const { data } = JSON.parse(await request('POST', '/api/accommodation_searches/search', body)) as SearchAnswer
  const paths = data.availability.slice(0, count).map(({ property_id }) => detailPath(data.search_id, property_id))
  const warmUp = Math.floor(paths.length / 3)
  for (const path of paths.slice(0, warmUp)) await request('GET', path)
  const before = processCpuMs(serai.pid)
  for (const path of paths.slice(warmUp)) await request('GET', path)
  return { paths, cpuMs: (processCpuMs(serai.pid) - before) / (paths.length - warmUp) }
}

type Comparison = {
  readonly serai: Server
  readonly generator: Generator
  /** Our exact response body for each path. */
  readonly bodies: Record<string, string>
  readonly headers: Record<string, string>
  readonly pace: Pace
  readonly file: string
}

async function compareWithConstants({ serai, generator, bodies, headers, pace, file }: Comparison): Promise<Sample[]> {
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
    for (let index = 0; index < pace.rounds; index += 1) {
      const sample: Partial<Sample> = {}
      for (const side of [...SIDES.slice(index % 3), ...SIDES.slice(0, index % 3)])
        sample[side] = await load(side, pace.seconds)
      samples.push(sample as Sample)
    }
    return samples
  } finally {
    await Promise.all([fastify.close(), node.close()])
  }
}

function summarize(name: string, samples: readonly Sample[]): Record<string, number> {
  const medianBy = (read: (sample: Sample) => number) => median(samples.map(read))
  const cpuUs = {
    ours: averageCpuUs(samples, 'ours'),
    fastify: averageCpuUs(samples, 'fastify'),
    node: averageCpuUs(samples, 'node'),
  }
  return {
    [`${name}_http_rps`]: Math.round(medianBy(({ ours }) => ours.perSecond)),
    [`${name}_fastify_rps`]: Math.round(medianBy(({ fastify }) => fastify.perSecond)),
    [`${name}_node_rps`]: Math.round(medianBy(({ node }) => node.perSecond)),
    [`${name}_http_vs_fastify`]: round(medianBy(({ ours, fastify }) => ours.perSecond / fastify.perSecond)),
    [`${name}_http_vs_node`]: round(medianBy(({ ours, node }) => ours.perSecond / node.perSecond)),
    [`${name}_http_cpu_us`]: round(cpuUs.ours, 1),
    [`${name}_fastify_cpu_us`]: round(cpuUs.fastify, 1),
    [`${name}_node_cpu_us`]: round(cpuUs.node, 1),
    [`${name}_http_cpu_vs_fastify`]: round(cpuUs.ours / cpuUs.fastify),
  }
}

/** Over all rounds together, because the system counts processor time too coarsely for one of them. */
function averageCpuUs(samples: readonly Sample[], side: Side): number {
  const sum = (read: (turn: Turn) => number) => samples.reduce((total, sample) => total + read(sample[side]), 0)
  return (sum(({ cpuMs }) => cpuMs) * 1_000) / sum(({ requests }) => requests)
}

if (import.meta.main) await report(benchHttp)
