import { setTimeout as sleep } from 'node:timers/promises'
import { call } from './app.ts'
import { median, round, threadCpuMs } from './figures.ts'
import type { PacedClient } from './paced-client.ts'
import { serviceCpuMs } from './processor.ts'
import { SEARCH_PATH, type SearchAnswer, type SearchStage, STANDARD_SIZE } from './search-stage.ts'

/** The system counts processor time in ticks of several milliseconds, so a single search cannot be measured. */
const BATCH_SIZE = 8
/** Keeps the vendors' process from competing for the cores. */
const PAUSE_MS = 40

/**
 * Cost of a search compared with the unavoidable minimum: parsing the vendors' responses and serialising ours. Both are
 * measured alternately, as processor time of the main thread and of the threads that read vendors' answers.
 */
export async function measureCost(
  stage: SearchStage,
  client: PacedClient,
  size: number,
  quick: boolean,
): Promise<Record<string, number>> {
  const bodies = stage.bodiesFor(size)
  /** Sequential; the client reads and discards the responses in another thread, so that its work is not measured. */
  const send = async (times: number) => {
    for (let index = 0; index < times; index += 1) {
      const [answered] = await client.send({ path: SEARCH_PATH, bodies, times: 1, perSecond: 1 })
      if (answered?.status !== 200) throw new Error(`a search was answered with ${answered?.status}`)
    }
  }
  const times = Math.max(2, Math.round((BATCH_SIZE * STANDARD_SIZE) / Math.max(size, STANDARD_SIZE)))
  await stage.replay.pause(0)
  await send(times * 2)
  await stage.replay.forgetServed()
  const answer = await call<SearchAnswer>(stage.bench, 'POST', SEARCH_PATH, bodies[0])
  const texts = await stage.replay.served()

  await stage.replay.pause(PAUSE_MS)
  const batches = size > STANDARD_SIZE ? 3 : quick ? 5 : 7
  const cpu: number[] = []
  const main: number[] = []
  const floor: number[] = []
  for (let batch = 0; batch < batches; batch += 1) {
    const mainStarted = threadCpuMs()
    cpu.push(await measureCpu(times, serviceCpuMs, () => send(1)))
    main.push((threadCpuMs() - mainStarted) / times)
    floor.push(
      await measureCpu(times, threadCpuMs, async () => {
        await sleep(PAUSE_MS)
        parseAndWrite(texts, answer)
      }),
    )
  }
  const figures = {
    properties: answer.data.availability.length,
    offers: answer.data.availability.reduce((sum, { offers }) => sum + offers.length, 0),
    cpu_ms: round(median(cpu)),
    main_cpu_ms: round(median(main)),
    floor_ms: round(median(floor)),
    cpu_vs_floor: round(median(cpu) / median(floor)),
    vendor_kb_a_property: round(
      texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1024 / answer.data.availability.length,
    ),
    cpu_us_a_property: round((median(cpu) / answer.data.availability.length) * 1000, 1),
  }
  const name = size === STANDARD_SIZE ? 'search' : `search_${size}`
  return Object.fromEntries(Object.entries(figures).map(([key, value]) => [`${name}_${key}`, value]))
}

/** Average processor time of one call. */
async function measureCpu(times: number, usedMs: () => number, act: () => Promise<unknown>): Promise<number> {
  const started = usedMs()
  for (let index = 0; index < times; index += 1) await act()
  return (usedMs() - started) / times
}

/**
 * The minimum: parsing exactly the vendors' responses and serialising exactly this one, at the service's pace and with
 * equally cold caches.
 */
function parseAndWrite(texts: readonly string[], answer: SearchAnswer): void {
  for (const text of texts) {
    if (text.startsWith('data:')) for (const event of text.matchAll(/^data: (\{.*)$/gm)) JSON.parse(event[1] ?? '')
    else JSON.parse(text)
  }
  JSON.stringify(answer)
}
