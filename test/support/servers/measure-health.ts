import { expect } from 'vitest'
import { measure } from '../time/measure.ts'
import { type ServerProcess, sleep } from './server-process.ts'

const P99_MAX_MS = 50
/** Enough that one slow answer is not the 99th percentile. */
const REQUESTS_MIN = 200

/**
 * Expects that `/healthz` answers fast for at least `forMs` while `attack` runs. Time spent waiting for a processor does not
 * count.
 */
export async function expectHealthDuring(
  name: string,
  server: Pick<ServerProcess, 'url' | 'pid'>,
  forMs: number,
  attack: (isOver: () => boolean) => Promise<unknown>,
): Promise<void> {
  const times: number[] = []
  const ask = async () => {
    const { value, ms } = await measure(async () => (await fetch(`${server.url}/healthz`)).text(), server.pid)
    expect(value).toContain('ok')
    times.push(ms)
    await sleep(5)
  }
  // Until the server's code is compiled.
  while (times.length < REQUESTS_MIN) await ask()
  times.length = 0
  let isMeasured = false
  let isAttacked = true
  const attacking = attack(() => isMeasured).finally(() => {
    isAttacked = false
  })
  const until = performance.now() + forMs
  while (performance.now() < until || times.length < REQUESTS_MIN) await ask()
  isMeasured = true
  while (isAttacked) await ask()
  await attacking

  const p99 = readShare(times, 0.99)
  console.log(`${name}: /healthz p99 ${p99.toFixed(1)} ms of ${times.length}`)
  expect(p99).toBeLessThanOrEqual(P99_MAX_MS)
}

const readShare = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.POSITIVE_INFINITY
