/**
 * What the service adds to its slowest vendor under a steady load: 50, 500 and 5,000 properties of each vendor at 1, 5 and 20
 * searches a second. "Added" is taken inside the service, from the last byte of the last vendor's answer to the last byte of ours
 * handed to the socket; the client's own times stand beside it and hold its work too, on the same two cores.
 */
import { median, percentile, round } from './support/figures.ts'
import { type Paced, startPacedClient } from './support/paced-client.ts'
import { report } from './support/report.ts'
import { openSearchStage, SEARCH_PATH, type SearchStage } from './support/search-stage.ts'
import { type Seen, watchSearches } from './support/search-times.ts'

type Cell = { readonly size: number; readonly perSecond: number; readonly times: number }
type Client = ReturnType<typeof startPacedClient>
type Watch = ReturnType<typeof watchSearches>

/** The pair of figures that the targets speak of. */
const MEASURED = { size: 500, perSecond: 5 }
const FULL: readonly Cell[] = [
  ...[1, 5, 20].map((perSecond) => ({ size: 50, perSecond, times: Math.min(100, perSecond * 8) })),
  { size: 500, perSecond: 1, times: 8 },
  { size: 500, perSecond: 5, times: 100 },
  { size: 500, perSecond: 20, times: 100 },
  { size: 5_000, perSecond: 1, times: 8 },
  { size: 5_000, perSecond: 5, times: 12 },
  { size: 5_000, perSecond: 20, times: 16 },
]
const QUICK: readonly Cell[] = [
  { size: 50, perSecond: 20, times: 30 },
  { size: 500, perSecond: 5, times: 25 },
]
/** How long the slower vendor thinks; real ones take longer, which changes nothing for what is added. */
const VENDOR_MS = 150

export async function benchSearchLoad({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const cells = quick ? QUICK : FULL
  const stage = await openSearchStage(Math.ceil(Math.max(...cells.map(({ size }) => size)) * 1.2))
  const client = startPacedClient(stage.bench.url, stage.bench.token)
  const watch = watchSearches()
  try {
    const figures: Record<string, number> = {}
    let warmed = 0
    for (const cell of cells) {
      if (cell.size !== warmed) await warm(stage, client, cell.size)
      warmed = cell.size
      Object.assign(figures, await measureCell(stage, client, watch, cell))
    }
    Object.assign(figures, await measureStream(stage, client, watch, quick ? 5 : 20))
    return figures
  } finally {
    watch.stop()
    await client.close()
    await stage.close()
  }
}

async function warm(stage: SearchStage, client: Client, size: number): Promise<void> {
  await stage.replay.pause(0)
  await client.send({ path: SEARCH_PATH, bodies: stage.bodiesFor(size), times: 6, perSecond: 5 })
  await stage.replay.pause(VENDOR_MS)
}

async function measureCell(stage: SearchStage, client: Client, watch: Watch, cell: Cell) {
  const { size, perSecond, times } = cell
  const answers = await client.send({ path: SEARCH_PATH, bodies: stage.bodiesFor(size), times, perSecond })
  const good = answers.filter(({ status }) => status === 200)
  const seen = seenOf(watch, good)
  const inside = seen.map(({ calls, finishedAt }) => finishedAt - Math.max(...calls.map(({ arrivedAt }) => arrivedAt)))
  const outside = good.map(({ ms }, at) => ms - slowestMs(seen[at]))
  const name = `search_${size}x${perSecond}`
  const figures: Record<string, number> = {
    [`${name}_added_p50_ms`]: round(median(inside)),
    [`${name}_added_p99_ms`]: round(percentile(inside, 0.99)),
    [`${name}_client_added_p50_ms`]: round(median(outside)),
    [`${name}_client_added_p99_ms`]: round(percentile(outside, 0.99)),
  }
  if (good.length < answers.length) figures[`${name}_refused`] = answers.length - good.length
  if (size === MEASURED.size && perSecond === MEASURED.perSecond) {
    figures.search_added_p50_ms = round(median(inside))
    figures.search_added_p99_ms = round(percentile(inside, 0.99))
    figures.search_upstream_calls = median(seen.map(({ calls }) => calls.length))
    figures.search_answer_kb = Math.round((good[0]?.bytes ?? 0) / 1024)
  }
  return figures
}

/** How long after the first vendor's answer the first property is with the client, when it asked for events. */
async function measureStream(stage: SearchStage, client: Client, watch: Watch, times: number) {
  const bodies = stage.bodiesFor(MEASURED.size)
  const answers = await client.send({ path: SEARCH_PATH, bodies, times, perSecond: 2, stream: true })
  const seen = seenOf(watch, answers)
  const late = answers.map(({ firstMs }, at) => firstMs - firstArrivalMs(seen[at]))
  const ahead = answers.map(({ firstMs, ms }) => ms - firstMs)
  return {
    search_stream_first_property_ms: round(median(late)),
    search_stream_first_ahead_of_last_ms: round(median(ahead)),
  }
}

function seenOf(watch: Watch, answers: readonly Paced[]): Seen[] {
  return answers.map(({ requestId }) => {
    const seen = watch.of(requestId)
    if (seen === undefined || seen.calls.length === 0) throw new Error(`nothing was seen of ${requestId}`)
    return seen
  })
}

const slowestMs = (seen: Seen | undefined) =>
  Math.max(...(seen?.calls ?? []).map((call) => call.arrivedAt - call.askedAt))
const firstArrivalMs = (seen: Seen | undefined) =>
  Math.min(...(seen?.calls ?? []).map(({ arrivedAt }) => arrivedAt)) - (seen?.startedAt ?? Number.NaN)

if (import.meta.main) await report(benchSearchLoad)
