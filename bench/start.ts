/** Time from the start of a process to its readiness, on an empty data directory, and its memory when idle. */
import { setTimeout as wait } from 'node:timers/promises'
import { median, round } from './support/figures.ts'
import { processCpuMs, residentMb } from './support/processor.ts'
import { report } from './support/report.ts'
import { startSerai } from './support/servers.ts'

/** Long enough for background work after the start. */
const SETTLE_MS = 1_500

export async function benchStart({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const [ready, cpu, resident]: [number[], number[], number[]] = [[], [], []]
  for (let run = 0; run < (quick ? 2 : 5); run += 1) {
    const serai = await startSerai()
    try {
      ready.push(serai.readyMs)
      cpu.push(processCpuMs(serai.pid))
      await wait(SETTLE_MS)
      resident.push(residentMb(serai.pid))
    } finally {
      await serai.close()
    }
  }
  return { ready_ms: round(median(ready), 0), ready_cpu_ms: round(median(cpu), 0), rss_mb: median(resident) }
}

if (import.meta.main) await report(benchStart)
