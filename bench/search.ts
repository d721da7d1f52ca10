/**
 * Searches in circles with 50, 500 and 4,500 properties of each vendor: their cost, to show that it grows
 * linearly, and the time that they add to the vendors' own under load.
 */
import { startPacedClient } from './support/paced-client.ts'
import { report } from './support/report.ts'
import { measureCost } from './support/search-cost.ts'
import { measureLoad } from './support/search-load.ts'
import { openSearchStage, SEARCH_PATH, STANDARD_SIZE } from './support/search-stage.ts'

const SIZES = { quick: [STANDARD_SIZE], full: [50, STANDARD_SIZE, 4_500] } as const
const SHAPED_SEARCHES = 500

export async function benchSearch({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const sizes = quick ? SIZES.quick : SIZES.full
  const stage = await openSearchStage(Math.ceil(Math.max(...sizes) * 1.2))
  const client = startPacedClient(stage.bench.url, stage.bench.token)
  try {
    // The service describes the shapes of an operation's first responses, which would be measured otherwise.
    await client.send({ path: SEARCH_PATH, bodies: stage.bodiesFor(50), times: SHAPED_SEARCHES, perSecond: 40 })
    const figures: Record<string, number> = {}
    for (const size of sizes) {
      Object.assign(figures, await measureCost(stage, client, size, quick))
      Object.assign(figures, await measureLoad(stage, client, size, quick))
    }
    return figures
  } finally {
    await client.close()
    await stage.close()
  }
}

if (import.meta.main) await report(benchSearch)
