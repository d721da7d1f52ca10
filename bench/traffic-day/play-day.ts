import { originOfOne } from './answer-reuse.ts'
import { DEADLINE_MS, type Figures, HOURS, type VendorModel } from './assumptions.ts'
import type { Demand, Search } from './demand.ts'
import { exponential, logNormal, type Random } from './random.ts'

/** What an average search of one hour costs, measured over a sample of them. */
export type HourSample = {
  readonly hour: number
  /** Searches a second in this hour, on average. */
  readonly rate: number
  readonly reusedOwn: number
  readonly reusedShared: number
  readonly properties: number
  readonly mainMs: number
  readonly asideMs: number
  readonly savedBytes: number
  readonly answerBytes: number
  readonly keptAnswerBytes: number
  readonly redisOps: number
  readonly tookMs: { readonly p50: number; readonly p95: number }
  readonly vendors: readonly VendorSample[]
}

/** Of one average search. */
type VendorSample = {
  readonly id: string
  readonly calls: number
  /** Properties × rooms × nights, for each question. */
  readonly load: number
  readonly bytes: number
  readonly latencyMs: number
  readonly lateShare: number
}

export type Day = {
  readonly peakPerSecond: number
  readonly processes: number
  readonly figures: Figures
  readonly vendors: readonly VendorModel[]
  readonly hasRedis: boolean
}

/** Searches a second at a moment of the day (hours as a fraction), between the hours' own figures. */
export function rateAt(peakPerSecond: number, hour: number): number {
  const from = Math.floor(hour) % HOURS.length
  const part = hour - Math.floor(hour)
  const here = HOURS[from] ?? 0
  const next = HOURS[(from + 1) % HOURS.length] ?? 0
  return peakPerSecond * (here + (next - here) * part)
}

type Sums = {
  [Name in 'own' | 'shared' | 'properties' | 'main' | 'aside' | 'saved' | 'answer' | 'kept' | 'ops']: number
}
type VendorSums = { calls: number; load: number; bytes: number; latency: number; late: number; asked: number }

export function playHour(random: Random, hour: number, searches: number, day: Day, demand: Demand): HourSample {
  const sums: Sums = { own: 0, shared: 0, properties: 0, main: 0, aside: 0, saved: 0, answer: 0, kept: 0, ops: 0 }
  const vendorSums = day.vendors.map((): VendorSums => ({ calls: 0, load: 0, bytes: 0, latency: 0, late: 0, asked: 0 }))
  const took: number[] = []
  let rateSum = 0
  for (let count = 0; count < searches; count += 1) {
    const rate = rateAt(day.peakPerSecond, hour + (count + random()) / searches)
    rateSum += rate
    took.push(playSearch(random, rate, day, demand.draw(random), sums, vendorSums))
  }
  took.sort((a, b) => a - b)
  const mean = (sum: number) => sum / searches
  return {
    hour,
    rate: mean(rateSum),
    reusedOwn: mean(sums.own),
    reusedShared: mean(sums.shared),
    properties: mean(sums.properties),
    mainMs: mean(sums.main),
    asideMs: mean(sums.aside),
    savedBytes: mean(sums.saved),
    answerBytes: mean(sums.answer),
    keptAnswerBytes: mean(sums.kept),
    redisOps: mean(sums.ops),
    tookMs: { p50: took[Math.floor(searches * 0.5)] ?? 0, p95: took[Math.floor(searches * 0.95)] ?? 0 },
    vendors: vendorSums.map((sum, index) => ({
      id: day.vendors[index]?.id ?? '',
      calls: mean(sum.calls),
      load: mean(sum.load),
      bytes: mean(sum.bytes),
      latencyMs: sum.asked === 0 ? 0 : sum.latency / sum.asked,
      lateShare: sum.asked === 0 ? 0 : sum.late / sum.asked,
    })),
  }
}

/** Adds one search to the sums; answers how long its client waited. */
function playSearch(
  random: Random,
  rate: number,
  day: Day,
  search: Search,
  sums: Sums,
  vendorSums: readonly VendorSums[],
): number {
  const { figures } = day
  const latencies = day.vendors.map((vendor) => logNormal(random, vendor.latencyMedianMs, vendor.latencySpread))
  const slowest = Math.min(DEADLINE_MS, Math.max(0, ...latencies))
  const askedBeforeS = random() < figures.repeatShare ? exponential(random, 1 / figures.repeatAfterS) : undefined
  const sharedS = day.hasRedis ? figures.reuseSharedS : 0
  const ownS = day.hasRedis ? figures.reuseOwnS : figures.reuseOwnS + figures.reuseSharedS
  const reuse = { ownS, sharedS, processes: day.processes, latencyS: slowest / 1_000 }
  const origin = originOfOne(random, rate * search.share, reuse, { askedBeforeS })

  const isAsked = origin === 'asked'
  const batches = day.vendors.map((vendor) => batchesOf(vendor, search))
  const main = figures.cpuFixedMs + search.properties * (isAsked ? figures.cpuAskedMs : figures.cpuReusedMs)
  const aside = isAsked ? figures.cpuAsideAskedMs : figures.cpuAsideReusedMs
  sums.own += origin === 'own' ? 1 : 0
  sums.shared += origin === 'shared' ? 1 : 0
  sums.properties += search.properties
  sums.main += main
  sums.aside += search.properties * (aside + figures.cpuPackingMs)
  sums.saved += figures.savedHeadBytes + search.properties * figures.savedBytes
  sums.answer += search.properties * figures.answerBytes * figures.answerPackedShare
  if (day.hasRedis) sums.ops += redisOpsOf(origin, batches)
  if (!isAsked) return main
  for (const [index, vendor] of day.vendors.entries()) {
    const offered = Math.round(search.properties * vendor.share)
    if (day.hasRedis) sums.kept += offered * figures.keptAnswerBytes
    add(vendorSums[index], vendor, search, batches[index] ?? 0, latencies[index] ?? 0)
  }
  return slowest + main
}

const batchesOf = (vendor: VendorModel, search: Search) =>
  Math.ceil(Math.round(search.properties * vendor.share) / vendor.propertiesPerCall)

/** Two counters and the saved search; a look for every batch that its own process does not have, and a note of what was asked. */
function redisOpsOf(origin: string, batches: readonly number[]): number {
  const all = batches.reduce((sum, count) => sum + count, 0)
  const looks = origin === 'own' ? 0 : all
  return 3 + looks + (origin === 'asked' ? all : 0)
}

function add(sum: VendorSums | undefined, vendor: VendorModel, search: Search, batches: number, latency: number): void {
  if (sum === undefined || batches === 0) return
  const asked = Math.round(search.properties * vendor.share)
  sum.asked += 1
  sum.calls += batches * vendor.questions
  sum.load += asked * search.rooms * search.nights * vendor.questions
  sum.bytes += asked * vendor.rawBytes * vendor.packedShare
  sum.latency += Math.min(DEADLINE_MS, latency)
  sum.late += latency > DEADLINE_MS ? 1 : 0
}
