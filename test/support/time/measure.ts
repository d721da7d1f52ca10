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

/**
 * Returns a function that returns the time since now, without the time that this thread (and the main thread of another
 * process) waited for a processor.
 */
export function startStopwatch(pid: number | 'own' = 'own'): () => number {
  // This thread waits for the answer of the other, so that the two rarely wait for a processor at the same time.
  const waitedMs = () => processorWaitMs() + (pid === 'own' ? 0 : processorWaitMs(pid))
  const [startedAt, waitedBefore] = [performance.now(), waitedMs()]
  return () => performance.now() - startedAt - (waitedMs() - waitedBefore)
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
