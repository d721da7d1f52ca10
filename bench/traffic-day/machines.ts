import type { Figures, VendorModel } from './assumptions.ts'
import type { HourSample } from './play-day.ts'

/** What one hour needs at its busiest moment. */
export type HourNeeds = {
  readonly hour: number
  readonly rate: number
  readonly reused: number
  readonly nodes: {
    readonly count: number
    readonly because: 'two at least' | 'processors' | 'event loops' | 'calls under way'
  }
  readonly cores: number
  readonly redis: { readonly gb: number; readonly ops: number; readonly mbPerSecond: number; readonly shards: number }
  readonly database: {
    readonly commits: number
    readonly mbPerSecond: number
    readonly reads: number
    readonly primaries: number
    readonly replicas: number
    readonly connections: number
  }
  readonly vendors: readonly VendorNeeds[]
  readonly mbOut: number
  readonly mbIn: number
}

type VendorNeeds = {
  readonly id: string
  readonly callsPerSecond: number
  /** In the quota's own unit. */
  readonly used: number
  readonly most: number
  /** Of the searches that would ask, which part the quota leaves without an answer. */
  readonly refusedShare: number
  readonly inFlight: number
}

const MB = 1e6
const GB = 1e9
/** Of the calls a process may have under way; the rest is for the slow minute. */
const IN_FLIGHT_SHARE = 0.7
const NODES_MIN = 2

/** From what a search costs on average and how many come to how many machines stand there. */
export function needsOf(
  sample: HourSample,
  rate: number,
  figures: Figures,
  models: readonly VendorModel[],
  hasRedis: boolean,
): HourNeeds {
  const bookings = rate / figures.lookToBook
  const others = otherCpuMs(figures)
  const loops = (rate * (sample.mainMs + others)) / 1_000 / figures.utilisation
  const cores = (rate * (sample.mainMs + others + sample.asideMs)) / 1_000 / figures.utilisation
  const vendors = models.map((model, index) => vendorNeeds(model, sample.vendors[index], rate))
  const mostInFlight = Math.max(0, ...vendors.map(({ inFlight }) => inFlight))
  const nodes = nodesFor(cores, loops, mostInFlight, figures)
  const requests = rate * (1 + figures.lookupsPerSearch + figures.pagesPerSearch + figures.detailsPerSearch) + bookings
  return {
    hour: sample.hour,
    rate,
    reused: sample.reusedOwn + sample.reusedShared,
    nodes,
    cores,
    redis: hasRedis ? redisNeeds(sample, rate, figures) : { gb: 0, ops: 0, mbPerSecond: 0, shards: 0 },
    database: databaseNeeds(sample, rate, bookings, requests, nodes.count, figures),
    vendors,
    mbOut: (rate * sample.answerBytes) / MB,
    mbIn: (rate * sample.vendors.reduce((sum, { bytes }) => sum + bytes, 0)) / MB,
  }
}

/** Of everything that comes along with one search. */
export function otherCpuMs(figures: Figures): number {
  return (
    figures.lookupsPerSearch * figures.cpuLookupMs +
    figures.pagesPerSearch * figures.cpuPageMs +
    figures.detailsPerSearch * figures.cpuDetailMs +
    figures.cpuBookMs / figures.lookToBook
  )
}

/** Little's law: what is under way is what comes in a second times how long it takes. */
function vendorNeeds(model: VendorModel, sample: HourSample['vendors'][number] | undefined, rate: number): VendorNeeds {
  const { calls = 0, load = 0, latencyMs = 0 } = sample ?? {}
  const used = model.quota.kind === 'load_per_minute' ? rate * load * 60 : rate * calls
  return {
    id: model.id,
    callsPerSecond: rate * calls,
    used,
    most: model.quota.most,
    refusedShare: used <= model.quota.most ? 0 : 1 - model.quota.most / used,
    inFlight: (rate * calls * latencyMs) / 1_000,
  }
}

function nodesFor(cores: number, loops: number, inFlight: number, figures: Figures): HourNeeds['nodes'] {
  const perNode = figures.nodeCores
  const wanted = [
    { count: NODES_MIN, because: 'two at least' as const },
    { count: Math.ceil(cores / perNode), because: 'processors' as const },
    { count: Math.ceil(loops / perNode), because: 'event loops' as const },
    {
      count: Math.ceil(inFlight / (figures.inFlightMax * IN_FLIGHT_SHARE * perNode)),
      because: 'calls under way' as const,
    },
  ]
  return wanted.reduce((most, one) => (one.count > most.count ? one : most))
}

function redisNeeds(sample: HourSample, rate: number, figures: Figures): HourNeeds['redis'] {
  const kept =
    rate * sample.savedBytes * figures.savedMinutes * 60 + rate * sample.keptAnswerBytes * figures.reuseSharedS
  const gb = (kept * figures.redisOverhead) / GB
  const reads = figures.pagesPerSearch + figures.detailsPerSearch
  const ops = rate * (sample.redisOps + figures.lookupsPerSearch + 2 * reads)
  const asked = 1 - sample.reusedOwn - sample.reusedShared
  const readAgain = asked > 0 ? (sample.keptAnswerBytes / asked) * sample.reusedShared : 0
  const mbPerSecond = (rate * (sample.savedBytes * (1 + reads) + sample.keptAnswerBytes + readAgain)) / MB
  const shards = Math.max(
    1,
    Math.ceil(gb / figures.redisShardGb),
    Math.ceil(ops / figures.redisShardOps),
    Math.ceil(mbPerSecond / figures.redisShardMb),
  )
  return { gb, ops, mbPerSecond, shards }
}

/** A search is saved before it is answered, whatever Redis does: one commit each. */
function databaseNeeds(
  sample: HourSample,
  rate: number,
  bookings: number,
  requests: number,
  nodes: number,
  figures: Figures,
): HourNeeds['database'] {
  const commits = rate + bookings * figures.commitsPerBooking
  const mbPerSecond = (rate * sample.savedBytes) / MB
  // Each request looks its token up.
  const reads = requests
  return {
    commits,
    mbPerSecond,
    reads,
    primaries: Math.max(1, Math.ceil(commits / figures.databaseCommits), Math.ceil(mbPerSecond / figures.databaseMb)),
    replicas: Math.max(0, Math.ceil(reads / figures.databaseReads) - 1),
    connections: nodes * figures.nodeCores * figures.databaseConnections,
  }
}

export type DayNeeds = {
  readonly peak: HourNeeds
  readonly hours: readonly HourNeeds[]
  readonly searches: number
  readonly nodeHours: number
  /** Saved searches in PostgreSQL until they are forgotten. */
  readonly databaseGb: number
  readonly euroAMonth: number
  readonly euroPerMillionSearches: number
}

const DAYS = 30
const HOURS_A_MONTH = 720

/** Nodes come and go by the hour; what keeps data is there for the peak all day. */
export function dayOf(hours: readonly HourNeeds[], samples: readonly HourSample[], figures: Figures): DayNeeds {
  const peak = hours.reduce((most, hour) => (hour.rate > most.rate ? hour : most))
  const searches = samples.reduce((sum, sample) => sum + sample.rate * 3_600, 0)
  const nodeHours = hours.reduce((sum, hour) => sum + hour.nodes.count, 0)
  const savedBytes = samples.reduce((sum, sample) => sum + sample.rate * 3_600 * sample.savedBytes, 0)
  const databaseGb = (savedBytes * ((figures.keptExpiredHours + figures.savedMinutes / 60) / 24)) / GB
  const outGb = samples.reduce((sum, sample) => sum + sample.rate * 3_600 * sample.answerBytes, 0) / GB
  // Everything that keeps data stands twice.
  const databases = peak.database.primaries * 2 + peak.database.replicas
  const euroAMonth =
    nodeHours * DAYS * figures.nodeEuro +
    peak.redis.shards * 2 * HOURS_A_MONTH * figures.redisEuro +
    databases * HOURS_A_MONTH * figures.databaseEuro +
    outGb * DAYS * figures.trafficEuro +
    databaseGb * 2 * figures.diskEuro
  return {
    peak,
    hours,
    searches,
    nodeHours,
    databaseGb,
    euroAMonth,
    euroPerMillionSearches: euroAMonth / ((searches * DAYS) / 1e6),
  }
}
