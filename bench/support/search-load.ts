import { median, percentile, round } from './figures.ts'
import type { Paced, PacedClient } from './paced-client.ts'
import { SEARCH_PATH, type SearchStage, STANDARD_SIZE } from './search-stage.ts'
import { type Seen, watchSearches } from './search-times.ts'

type Cell = { readonly size: number; readonly perSecond: number; readonly times: number }
type Watch = ReturnType<typeof watchSearches>

/** The load that the targets refer to. */
const STANDARD_RATE = 5
const FULL: readonly Cell[] = [
  ...[1, 5, 20].map((perSecond) => ({ size: 50, perSecond, times: Math.min(100, perSecond * 8) })),
  { size: 500, perSecond: 1, times: 8 },
  { size: 500, perSecond: 5, times: 100 },
  { size: 500, perSecond: 12, times: 100 },
  { size: 500, perSecond: 20, times: 100 },
  { size: 4_500, perSecond: 1, times: 8 },
  { size: 4_500, perSecond: 5, times: 12 },
  { size: 4_500, perSecond: 20, times: 16 },
]
const QUICK: readonly Cell[] = [{ size: 500, perSecond: 5, times: 25 }]
/** Response time of the slower vendor. Real ones are slower, which does not affect the added time. */
const VENDOR_MS = 150

/**
 * Time that the service adds to its slowest vendor under a steady load of 1, 5, 12 and 20 searches per second. It is
 * measured inside the service, from the last byte of the last vendor's response to the last byte of ours. The client's
 * times are reported too; they include its own work on the same two cores.
 */
export async function measureLoad(
  stage: SearchStage,
  client: PacedClient,
  size: number,
  quick: boolean,
): Promise<Record<string, number>> {
  const watch = watchSearches()
  try {
    await warmUp(stage, client, size)
    const figures: Record<string, number> = {}
    for (const cell of quick ? QUICK : FULL) {
      if (cell.size === size) Object.assign(figures, await measureCell(stage, client, watch, cell))
    }
    if (size === STANDARD_SIZE) Object.assign(figures, await measureStream(stage, client, watch, quick ? 5 : 20))
    return figures
  } finally {
    watch.stop()
  }
}

async function warmUp(stage: SearchStage, client: PacedClient, size: number): Promise<void> {
  await stage.replay.pause(0)
  await client.send({ path: SEARCH_PATH, bodies: stage.bodiesFor(size), times: 6, perSecond: 5 })
  await stage.replay.pause(VENDOR_MS)
}

async function measureCell(stage: SearchStage, client: PacedClient, watch: Watch, cell: Cell) {
  const { size, perSecond, times } = cell
  const answers = await client.send({ path: SEARCH_PATH, bodies: stage.bodiesFor(size), times, perSecond })
  const good = answers.filter(({ status }) => status === 200)
  const seen = matchSeen(watch, good)
  const inside = seen.map(({ calls, finishedAt }) => finishedAt - Math.max(...calls.map(({ arrivedAt }) => arrivedAt)))
  const outside = seen.map((entry) => entry.answer.ms - slowestMs(entry))
  const name = `search_${size}x${perSecond}`
  const figures: Record<string, number> = {
    [`${name}_added_p50_ms`]: round(median(inside)),
    [`${name}_added_p99_ms`]: round(percentile(inside, 0.99)),
    [`${name}_client_added_p50_ms`]: round(median(outside)),
    [`${name}_client_added_p99_ms`]: round(percentile(outside, 0.99)),
  }
  if (good.length < answers.length) figures[`${name}_refused`] = answers.length - good.length
  if (size === STANDARD_SIZE && perSecond === STANDARD_RATE) {
    figures.search_added_p50_ms = round(median(inside))
    figures.search_added_p99_ms = round(percentile(inside, 0.99))
    figures.search_upstream_calls = median(seen.map(({ calls }) => calls.length))
    figures.search_answer_kb = Math.round((good[0]?.bytes ?? 0) / 1024)
  }
  return figures
}

/** Time from the first vendor's response until the client has the first property of an event stream. */
async function measureStream(stage: SearchStage, client: PacedClient, watch: Watch, times: number) {
  const bodies = stage.bodiesFor(STANDARD_SIZE)
  const answers = await client.send({ path: SEARCH_PATH, bodies, times, perSecond: 2, stream: true })
  const [packed] = await client.send({
    ...{ path: SEARCH_PATH, bodies, times: 1, perSecond: 1, stream: true },
    encoding: 'br, zstd, gzip',
  })
  const seen = matchSeen(watch, answers)
  const delays = seen.map((entry) => entry.answer.firstMs - firstArrivalMs(entry))
  const ahead = answers.map(({ firstMs, ms }) => ms - firstMs)
  return {
    search_stream_first_property_ms: round(median(delays)),
    search_stream_first_ahead_of_last_ms: round(median(ahead)),
    search_stream_kb: Math.round((answers[0]?.bytes ?? 0) / 1024),
    search_stream_packed_kb: Math.round((packed?.bytes ?? 0) / 1024),
  }
}

type SeenAnswer = Seen & { readonly answer: Paced }

/**
 * Matches responses with the service's own measurements. A call that waited for its turn is attributed to the search
 * that made room for it; searches without calls are skipped, which only happens under excessive load.
 */
function matchSeen(watch: Watch, answers: readonly Paced[]): SeenAnswer[] {
  const seen = answers.flatMap((answer): SeenAnswer[] => {
    const entry = watch.find(answer.requestId)
    return entry === undefined || entry.calls.length === 0 ? [] : [{ ...entry, answer }]
  })
  if (seen.length < answers.length / 2) throw new Error('most searches were not measured')
  return seen
}

const slowestMs = ({ calls }: Seen) => Math.max(...calls.map((call) => call.arrivedAt - call.askedAt))
const firstArrivalMs = ({ calls, startedAt }: Seen) => Math.min(...calls.map(({ arrivedAt }) => arrivedAt)) - startedAt
