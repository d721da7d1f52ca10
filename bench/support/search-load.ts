import { median, percentile, round } from './figures.ts'
import type { Paced, PacedClient } from './paced-client.ts'
import { SEARCH_PATH, type SearchStage, USUAL_SIZE } from './search-stage.ts'
import { type Seen, watchSearches } from './search-times.ts'

type Cell = { readonly size: number; readonly perSecond: number; readonly times: number }
type Watch = ReturnType<typeof watchSearches>

/** The load that the targets speak of. */
const USUAL_RATE = 5
const FULL: readonly Cell[] = [
  ...[1, 5, 20].map((perSecond) => ({ size: 50, perSecond, times: Math.min(100, perSecond * 8) })),
  { size: 500, perSecond: 1, times: 8 },
  { size: 500, perSecond: 5, times: 100 },
  { size: 500, perSecond: 20, times: 100 },
  { size: 5_000, perSecond: 1, times: 8 },
  { size: 5_000, perSecond: 5, times: 12 },
  { size: 5_000, perSecond: 20, times: 16 },
]
const QUICK: readonly Cell[] = [{ size: 500, perSecond: 5, times: 25 }]
/** How long the slower vendor thinks; real ones take longer, which changes nothing for what is added. */
const VENDOR_MS = 150

/**
 * What the service adds to its slowest vendor under a steady load of 1, 5 and 20 searches a second. "Added" is taken inside the
 * service, from the last byte of the last vendor's answer to the last byte of ours handed to the socket; the client's own
 * times stand beside it and hold its work too, on the same two cores.
 */
export async function measureLoad(
  stage: SearchStage,
  client: PacedClient,
  size: number,
  quick: boolean,
): Promise<Record<string, number>> {
  const watch = watchSearches()
  try {
    await warm(stage, client, size)
    const figures: Record<string, number> = {}
    for (const cell of quick ? QUICK : FULL) {
      if (cell.size === size) Object.assign(figures, await measureCell(stage, client, watch, cell))
    }
    if (size === USUAL_SIZE) Object.assign(figures, await measureStream(stage, client, watch, quick ? 5 : 20))
    return figures
  } finally {
    watch.stop()
  }
}

async function warm(stage: SearchStage, client: PacedClient, size: number): Promise<void> {
  await stage.replay.pause(0)
  await client.send({ path: SEARCH_PATH, bodies: stage.bodiesFor(size), times: 6, perSecond: 5 })
  await stage.replay.pause(VENDOR_MS)
}

async function measureCell(stage: SearchStage, client: PacedClient, watch: Watch, cell: Cell) {
  const { size, perSecond, times } = cell
  const answers = await client.send({ path: SEARCH_PATH, bodies: stage.bodiesFor(size), times, perSecond })
  const good = answers.filter(({ status }) => status === 200)
  const seen = seenOf(watch, good)
  const inside = seen.map(({ calls, finishedAt }) => finishedAt - Math.max(...calls.map(({ arrivedAt }) => arrivedAt)))
  const outside = seen.map((one) => one.answer.ms - slowestMs(one))
  const name = `search_${size}x${perSecond}`
  const figures: Record<string, number> = {
    [`${name}_added_p50_ms`]: round(median(inside)),
    [`${name}_added_p99_ms`]: round(percentile(inside, 0.99)),
    [`${name}_client_added_p50_ms`]: round(median(outside)),
    [`${name}_client_added_p99_ms`]: round(percentile(outside, 0.99)),
  }
  if (good.length < answers.length) figures[`${name}_refused`] = answers.length - good.length
  if (size === USUAL_SIZE && perSecond === USUAL_RATE) {
    figures.search_added_p50_ms = round(median(inside))
    figures.search_added_p99_ms = round(percentile(inside, 0.99))
    figures.search_upstream_calls = median(seen.map(({ calls }) => calls.length))
    figures.search_answer_kb = Math.round((good[0]?.bytes ?? 0) / 1024)
  }
  return figures
}

/** How long after the first vendor's answer the first property is with the client, when it asked for events. */
async function measureStream(stage: SearchStage, client: PacedClient, watch: Watch, times: number) {
  const bodies = stage.bodiesFor(USUAL_SIZE)
  const answers = await client.send({ path: SEARCH_PATH, bodies, times, perSecond: 2, stream: true })
  const seen = seenOf(watch, answers)
  const late = seen.map((one) => one.answer.firstMs - firstArrivalMs(one))
  const ahead = answers.map(({ firstMs, ms }) => ms - firstMs)
  return {
    search_stream_first_property_ms: round(median(late)),
    search_stream_first_ahead_of_last_ms: round(median(ahead)),
  }
}

type SeenAnswer = Seen & { readonly answer: Paced }

/**
 * What the service saw of each. A call that had to wait for its turn at the vendor is made in the name of the search that made
 * room for it; a search without any to its name is left out, which only happens where far more is asked than can be done.
 */
function seenOf(watch: Watch, answers: readonly Paced[]): SeenAnswer[] {
  const seen = answers.flatMap((answer): SeenAnswer[] => {
    const one = watch.of(answer.requestId)
    return one === undefined || one.calls.length === 0 ? [] : [{ ...one, answer }]
  })
  if (seen.length < answers.length / 2) throw new Error('most searches were not seen')
  return seen
}

const slowestMs = ({ calls }: Seen) => Math.max(...calls.map((call) => call.arrivedAt - call.askedAt))
const firstArrivalMs = ({ calls, startedAt }: Seen) => Math.min(...calls.map(({ arrivedAt }) => arrivedAt)) - startedAt
