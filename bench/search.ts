/**
 * What a search costs beyond what cannot be avoided: parsing the vendors' bytes and writing the answer's. Both in one run, on
 * one machine, as processor time of the main thread.
 */
import { systemClock } from '../src/lib/clock.ts'
import { VENDOR_KINDS } from '../src/vendors/registry.ts'
import { type BenchApp, call, startBenchApp } from './support/app.ts'
import { startClient } from './support/client.ts'
import { median, percentile, round, threadCpuMs } from './support/figures.ts'
import { report } from './support/report.ts'

type Location = { id: string; name: string }
type SearchAnswer = {
  data: {
    availability: { property_id: string; offers: { vendor_id: string; vendors_property_id: string }[] }[]
    vendors: { vendor_id: string; took_ms: number; properties: number }[]
    search_id: string
  }
}

const STAY = { check_in: '', check_out: '', occupancies: [{ adults: 2 }], currency: 'EUR' }

export type SearchFigures = Record<string, number>

export async function benchSearch(options: { quick: boolean }): Promise<SearchFigures> {
  const bench = await startBenchApp({ search: { reuseMs: 0, savedTtlMs: 3_600_000, detailTimeoutMs: 8_000 } })
  try {
    const place = (await call<{ data: Location[] }>(bench, 'GET', '/api/locations/search?starts_with=paris')).data[0]
    if (place === undefined) throw new Error('Paris is gone')
    const day = new Date(systemClock.now() + 40 * 86_400_000).toISOString().slice(0, 10)
    const body = {
      ...STAY,
      destination_id: place.id,
      check_in: day,
      check_out: nextDay(day, 2),
      radius_km: 20,
      timeout_ms: 15_000,
    }
    await settleCatalogue(bench, body)
    return await measure(bench, body, options.quick ? 10 : 40)
  } finally {
    await bench.close()
  }
}

/** The first visits fill the catalogue, partly in the background; what is measured is what everybody after them sees. */
async function settleCatalogue(bench: BenchApp, body: object): Promise<void> {
  let before = -1
  for (let visit = 0; visit < 12; visit += 1) {
    const { data } = await call<SearchAnswer>(bench, 'POST', '/api/accommodation_searches/search', body)
    if (data.availability.length === before && visit > 2) return
    before = data.availability.length
    await new Promise((later) => setTimeout(later, 1_500))
  }
}

async function measure(bench: BenchApp, body: object, rounds: number): Promise<SearchFigures> {
  const client = startClient(bench.url, bench.token)
  const request = { method: 'POST', path: '/api/accommodation_searches/search', body }
  const cpu: number[] = []
  const added: number[] = []
  let answer: SearchAnswer | undefined
  for (let at = 0; at < rounds + 5; at += 1) {
    const startedCpu = threadCpuMs()
    const { answers } = await client.send(request)
    const cpuMs = threadCpuMs() - startedCpu
    const [reply] = answers
    if (reply?.status !== 200) throw new Error(reply?.text.slice(0, 300))
    answer = JSON.parse(reply.text) as SearchAnswer
    if (at < 5) continue
    cpu.push(cpuMs)
    added.push(reply.ms - Math.max(...answer.data.vendors.map((vendor) => vendor.took_ms)))
  }
  await client.close()
  if (answer === undefined) throw new Error('nothing was measured')
  const floor = await floorOf(bench, answer, body, rounds)
  return {
    search_properties: answer.data.availability.length,
    search_cpu_ms: round(median(cpu)),
    search_floor_ms: round(floor),
    search_cpu_vs_floor: round(median(cpu) / floor),
    search_added_p50_ms: round(median(added)),
    search_added_p99_ms: round(percentile(added, 0.99)),
  }
}

/** Parsing exactly the vendors' answers and writing exactly this one. */
async function floorOf(bench: BenchApp, answer: SearchAnswer, body: object, rounds: number): Promise<number> {
  const texts = await vendorTexts(bench, answer, body)
  const times: number[] = []
  for (let at = 0; at < rounds + 3; at += 1) {
    const started = threadCpuMs()
    for (const text of texts) JSON.parse(text)
    JSON.stringify(answer)
    if (at >= 3) times.push(threadCpuMs() - started)
  }
  return median(times)
}

async function vendorTexts(bench: BenchApp, answer: SearchAnswer, body: object): Promise<string[]> {
  const texts: string[] = []
  const { check_in, check_out } = body as typeof STAY
  for (const vendorId of ['expedia_rapid', 'hotelbeds']) {
    const ids = answer.data.availability.flatMap(({ offers }) =>
      offers.filter((one) => one.vendor_id === vendorId).map((one) => one.vendors_property_id),
    )
    texts.push(...(await recordAvailability(bench, vendorId, ids, check_in, check_out)))
  }
  return texts
}

/** The adapter's own calls, with the bytes kept. */
async function recordAvailability(
  bench: BenchApp,
  vendorId: string,
  ids: string[],
  checkIn: string,
  checkOut: string,
): Promise<string[]> {
  const kind = VENDOR_KINDS.find(({ id }) => id === vendorId)
  if (kind === undefined) throw new Error(`no vendor ${vendorId}`)
  const texts: string[] = []
  const parse = JSON.parse
  const { vendor, client } = await kind.connect(bench.sandbox.environment, { clock: systemClock })
  // JSON.parse is where a vendor's bytes become values; for the length of these calls it also remembers them.
  JSON.parse = (text: string, ...rest) => {
    if (text.length > 5_000) texts.push(text)
    return parse(text, ...rest)
  }
  try {
    const size = vendor.capabilities.propertiesPerCallMax
    for (let at = 0; at < ids.length; at += size) {
      const stay = { checkIn, checkOut, occupancies: [{ adults: 2, childrenAges: [] }] }
      const market = { currency: 'EUR', language: 'en-US', countryCode: 'US' }
      const context = { signal: AbortSignal.timeout(20_000), requestId: 'bench' }
      await vendor.availability({ vendorPropertyIds: ids.slice(at, at + size), stay, market }, context)
    }
  } finally {
    JSON.parse = parse
    await client.close()
  }
  return texts
}

const nextDay = (day: string, nights: number) =>
  new Date(Date.parse(day) + nights * 86_400_000).toISOString().slice(0, 10)

if (import.meta.main) await report(benchSearch)
