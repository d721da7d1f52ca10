/**
 * Requests made from our own document for as long as you like: `node scripts/chaos/fuzz.ts --seed 7 --minutes 30`. Stops at
 * the first that is answered wrongly, with the smallest request that shows it. Exit code 1 then.
 */
import { parseArgs } from 'node:util'
import { fuzz, fuzzedApp } from '../../test/support/fuzz-run.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    minutes: { type: 'string', default: '5' },
  },
})

const seed = Number(values.seed)
console.log(`fuzz, seed ${seed}, ${values.minutes} min`)
const app = await fuzzedApp()
try {
  console.log(await fuzz(app, { seed, runs: 2 ** 31 - 1, millis: Number(values.minutes) * 60_000 }))
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await app.close()
}
