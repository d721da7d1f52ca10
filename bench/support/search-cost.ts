import { setTimeout as sleep } from 'node:timers/promises'
import { call } from './app.ts'
import { median, round, threadCpuMs } from './figures.ts'
import type { PacedClient } from './paced-client.ts'
import { serviceCpuMs } from './processor.ts'
import { SEARCH_PATH, type SearchAnswer, type SearchStage, USUAL_SIZE } from './search-stage.ts'

/** The system counts processor time in ticks of several milliseconds: one search alone cannot be measured. */
const AT_A_TIME = 8
/** Vendors answer one after another in real life; here that keeps their process from competing for the cores. */
const PAUSE_MS = 40

/**
 * What a search costs beyond what cannot be avoided: parsing the vendors' bytes and writing the answer's. Both in turns, as
 * processor time of the main thread and of those that read vendors' answers.
 */
export async function measureCost(
  stage: SearchStage,
  client: PacedClient,
  size: number,
  quick: boolean,
): Promise<Record<string, number>> {
  const bodies = stage.bodiesFor(size)
  /** One after another; the client reads the answers and forgets them, so that none of its work is on this thread. */
  const send = async (times: number) => {
    for (let at = 0; at < times; at += 1) {
      const [answered] = await client.send({ path: SEARCH_PATH, bodies, times: 1, perSecond: 1 })
      if (answered?.status !== 200) throw new Error(`a search was answered with ${answered?.status}`)
    }
  }
  const times = Math.max(2, Math.round((AT_A_TIME * USUAL_SIZE) / Math.max(size, USUAL_SIZE)))
  await stage.replay.pause(0)
  await send(times * 2)
  await stage.replay.forgetServed()
  const answer = await call<SearchAnswer>(stage.bench, 'POST', SEARCH_PATH, bodies[0])
  const texts = await stage.replay.served()

  await stage.replay.pause(PAUSE_MS)
  const batches = size > USUAL_SIZE ? 3 : quick ? 5 : 7
  const cpu: number[] = []
  const main: number[] = []
  const floor: number[] = []
  for (let batch = 0; batch < batches; batch += 1) {
    const onMain = threadCpuMs()
    cpu.push(await cpuOf(times, serviceCpuMs, () => send(1)))
    main.push((threadCpuMs() - onMain) / times)
    floor.push(
      await cpuOf(times, threadCpuMs, async () => {
        await sleep(PAUSE_MS)
        parseAndWrite(texts, answer)
      }),
    )
  }
  const ofSize = {
    properties: answer.data.availability.length,
    offers: answer.data.availability.reduce((sum, { offers }) => sum + offers.length, 0),
    cpu_ms: round(median(cpu)),
    main_cpu_ms: round(median(main)),
    floor_ms: round(median(floor)),
    cpu_vs_floor: round(median(cpu) / median(floor)),
    cpu_us_a_property: round((median(cpu) / answer.data.availability.length) * 1000, 1),
  }
  const name = size === USUAL_SIZE ? 'search' : `search_${size}`
  return Object.fromEntries(Object.entries(ofSize).map(([key, value]) => [`${name}_${key}`, value]))
}

/** Processor time of one, measured over several. */
async function cpuOf(times: number, usedMs: () => number, act: () => Promise<unknown>): Promise<number> {
  const started = usedMs()
  for (let at = 0; at < times; at += 1) await act()
  return (usedMs() - started) / times
}

/** The floor: exactly the vendors' answers, and exactly this one. At the service's own pace, with caches as cold as there. */
function parseAndWrite(texts: readonly string[], answer: SearchAnswer): void {
  for (const text of texts) {
    if (text.startsWith('data:')) for (const event of text.matchAll(/^data: (\{.*)$/gm)) JSON.parse(event[1] ?? '')
    else JSON.parse(text)
  }
  JSON.stringify(answer)
}
