import { readFileSync } from 'node:fs'

/**
 * How long a thread was ready to run while others had the processor, as the kernel counts it. A promise about the service's time
 * cannot hold for what a crowded machine takes away, so that much is left out; waiting, sleeping and working all count.
 * 0 where the kernel does not tell.
 */
export function starvedMs(pid: number | 'own' = 'own'): number {
  const thread = pid === 'own' ? 'thread-self' : `${pid}/task/${pid}`
  try {
    const [, waitedNs = '0'] = readFileSync(`/proc/${thread}/schedstat`, 'utf8').trim().split(' ')
    return Number(waitedNs) / 1e6
  } catch {
    return 0
  }
}

/** How long it took, without what the machine took away meanwhile from this thread, or from the main one of `pid`. */
export async function fairlyTimed<T>(
  act: () => Promise<T>,
  pid: number | 'own' = 'own',
): Promise<{ value: T; ms: number }> {
  const [startedAt, starvedBefore] = [performance.now(), starvedMs(pid)]
  const value = await act()
  return { value, ms: performance.now() - startedAt - (starvedMs(pid) - starvedBefore) }
}
