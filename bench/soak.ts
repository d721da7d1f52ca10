/** Resident memory of the service before, during and after minutes of mixed load, with its default settings. */
import { setTimeout as wait } from 'node:timers/promises'
import {
  createStay,
  detailPath,
  findPlaceId,
  openSession,
  type SearchAnswer,
  type SendRequest,
} from './support/client-calls.ts'
import { round } from './support/figures.ts'
import { residentMb } from './support/processor.ts'
import { type BenchOptions, report } from './support/report.ts'
import { startSerai } from './support/servers.ts'

const CONCURRENCY = 6
const CALM_MS = 3_000
const TOWNS = ['lisbon', 'porto', 'madrid', 'rome', 'vienna', 'prague', 'dublin', 'oslo']
const PREFIXES = ['par', 'lon', 'new', 'tok', 'bar', 'ams', 'ber', 'syd']

export async function benchSoak({ quick, soakSeconds }: BenchOptions): Promise<Record<string, number>> {
  const seconds = soakSeconds ?? (quick ? 5 : 30)
  const serai = await startSerai()
  try {
    const { request } = await openSession(serai.url)
    const ids = await Promise.all(TOWNS.map((town) => findPlaceId(request, town)))
    const before = residentMb(serai.pid)
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMb(serai.pid))
    }, 250)
    const requests = await runLoad(request, ids, seconds)
    clearInterval(watch)
    await wait(CALM_MS)
    return {
      load_minutes: round(seconds / 60, 1),
      load_requests: requests,
      rss_before_load_mb: before,
      rss_load_peak_mb: peak,
      rss_after_load_mb: residentMb(serai.pid),
    }
  } finally {
    await serai.close()
  }
}

/** Each visitor types, searches and views two properties. Returns the number of requests. */
async function runLoad(request: SendRequest, towns: readonly string[], seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000
  let requests = 0
  let visitor = 0
  const count = (method: string, path: string, body?: unknown) => {
    requests += 1
    return request(method, path, body)
  }
  const lane = async () => {
    while (performance.now() < until) {
      visitor += 1
      for (const prefix of PREFIXES) await count('GET', `/api/locations/search?starts_with=${prefix}`)
      const body = { ...createStay(10 + (visitor % 200)), destination_id: towns[visitor % towns.length], radius_km: 5 }
      const { data } = JSON.parse(await count('POST', '/api/accommodation_searches/search', body)) as SearchAnswer
      for (const { property_id } of data.availability.slice(0, 2)) {
        await count('GET', detailPath(data.search_id, property_id)).catch(ignoreSoldOut)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, lane))
  return requests
}

/** The stand-ins sell out like vendors; that is a valid answer. */
function ignoreSoldOut(error: Error): void {
  if (!/: (404|409|410) /.test(error.message)) throw error
}

if (import.meta.main) await report(benchSoak)
