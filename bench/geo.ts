/** Memory and query times of the geo index with a million properties: node --expose-gc bench/geo.ts */
import { createRandom } from '../sandbox/world/hash.ts'
import { GeoIndex } from '../src/catalogue/index/geo-index.ts'
import { derivePropertyId } from '../src/catalogue/properties/property-id.ts'
import { monotonicMs } from '../src/lib/time/clock.ts'

const COUNT = 1_000_000
const TOWNS = 8_000
const LIMIT = 500
const QUERIES = 2_000

const random = createRandom(7).next
const collect = globalThis.gc ?? (() => undefined)
const memory = () => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
/** Towns of very different sizes, like real ones: a few have hundreds of properties within a few kilometres. */
const towns = Array.from({ length: TOWNS }, () => ({
  lat: random() * 120 - 55,
  lon: random() * 360 - 180,
  size: random() ** 3,
}))

const before = memory()
const index = new GeoIndex()
let started = monotonicMs()
let slowest = 0
for (let n = 0; n < COUNT; n += 1) {
  const town = towns[Math.floor(random() ** 2 * TOWNS)] ?? { lat: 0, lon: 0, size: 1 }
  const spread = 0.02 + town.size * 0.2
  const point = { lat: town.lat + (random() - 0.5) * spread, lon: town.lon + (random() - 0.5) * spread }
  const vendors = [{ vendorId: 'expedia_rapid', vendorPropertyId: String(1_000_000 + n) }]
  if (n % 2 === 0) vendors.push({ vendorId: 'hotelbeds', vendorPropertyId: String(n) })
  index.put({ propertyId: derivePropertyId('expedia_rapid', String(n)), point, vendors })
}
console.log(`filled with ${index.size()} properties in ${(monotonicMs() - started).toFixed(0)} ms`)

// While another thread builds the tree, this thread must not block.
started = monotonicMs()
const timer = setInterval(() => {
  const now = monotonicMs()
  slowest = Math.max(slowest, now - lastTick)
  lastTick = now
}, 5)
let lastTick = monotonicMs()
const settling = index.settle()
const blockedMs = monotonicMs() - started
await settling
clearInterval(timer)
console.log(
  `tree built in ${(monotonicMs() - started).toFixed(0)} ms; this thread was blocked for ${Math.max(blockedMs, slowest).toFixed(0)} ms at most`,
)
console.log(`memory ${((memory() - before) / 2 ** 20).toFixed(1)} MiB`)

for (const radiusKm of [5, 25, 100]) {
  const times: number[] = []
  let hits = 0
  for (let n = 0; n < QUERIES; n += 1) {
    const town = towns[Math.floor(random() ** 2 * TOWNS)]
    if (town === undefined) continue
    const start = monotonicMs()
    hits += index.candidates({ center: town, radiusKm }, LIMIT).length
    times.push(monotonicMs() - start)
  }
  times.sort((a, b) => a - b)
  const percentileMs = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(2)
  console.log(
    `${radiusKm} km: ${(hits / QUERIES).toFixed(0)} hits on average, median ${percentileMs(0.5)} ms, 95th ${percentileMs(0.95)} ms, 99th ${percentileMs(0.99)} ms`,
  )
}
