import { expect } from 'vitest'
import { type FuzzOptions, fuzz, type startFuzzedApp } from '../../../chaos/fuzz/run.ts'

/** Random unless set. `npm run chaos -- fuzz` sends many more requests. */
const seed = Number(process.env.SERAI_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Fuzzes the app and expects no unexpected errors in its log. */
export async function expectNoFuzzFailures(
  app: Awaited<ReturnType<typeof startFuzzedApp>>,
  options: Omit<FuzzOptions, 'seed'>,
) {
  try {
    const started = performance.now()
    const seen = await fuzz(app, { seed, ...options })
    const total = Object.values(seen).reduce((sum, count) => sum + count, 0)
    const seconds = Math.round((performance.now() - started) / 1_000)
    console.log(`fuzz, seed ${seed}: ${total} requests in ${seconds} s, by status ${JSON.stringify(seen)}`)
    expect(app.logged.filter((line) => line.includes('unexpected'))).toEqual([])
    return { seen, total }
  } finally {
    await app.close()
  }
}
