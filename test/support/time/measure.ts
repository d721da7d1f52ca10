import { readFileSync } from 'node:fs'

/**
 * Time that a thread has waited for a processor, as counted by Linux; 0 on other systems.
 * Tests of response times subtract it, because it depends on the load of the machine.
 */
export function processorWaitMs(pid: number | 'own' = 'own'): number {
  const thread = pid === 'own' ? 'thread-self' : `${pid}/task/${pid}`
  try {
    const [, waitedNs = '0'] = readFileSync(`/proc/${thread}/schedstat`, 'utf8').trim().split(' ')
    return Number(waitedNs) / 1e6
  } catch {
    return 0
  }
}

const TICK_MS = 10

/** Time for each processor in which a virtual machine wanted to run and its host did not let it. */
function readStolenMs(): number[] {
  try {
    const lines = readFileSync('/proc/stat', 'utf8').match(/^cpu\d.*$/gm) ?? []
    return lines.map((line) => Number(line.split(' ')[8] ?? 0) * TICK_MS)
  } catch {
    return []
  }
}

/**
 * Returns a function that returns the time since now, without the time that this thread (and the main thread of another
 * process) waited for a processor, or that the host took a processor away.
 */
export function startStopwatch(pid: number | 'own' = 'own'): () => number {
  // This thread waits for the answer of the other, so that the two rarely wait for a processor at the same time.
  const waitedMs = () => processorWaitMs() + (pid === 'own' ? 0 : processorWaitMs(pid))
  const [startedAt, waitedBefore, stolenBefore] = [performance.now(), waitedMs(), readStolenMs()]
  return () => {
    const stolenMs = Math.max(0, ...readStolenMs().map((ms, index) => ms - (stolenBefore[index] ?? ms)))
    // A thread that waits for a stolen processor is counted in both.
    return performance.now() - startedAt - Math.max(waitedMs() - waitedBefore, stolenMs)
  }
}

/** Runs `act` and returns its duration, measured by such a stopwatch. */
export async function measure<T>(
  act: () => Promise<T>,
  pid: number | 'own' = 'own',
): Promise<{ value: T; ms: number }> {
  const readMs = startStopwatch(pid)
  const value = await act()
  return { value, ms: readMs() }
}
