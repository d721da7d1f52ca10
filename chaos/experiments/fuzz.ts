/**
 * Sends requests generated from the OpenAPI document and the tools of agents until one gets a wrong answer; prints the
 * smallest such request.
 */
import { readArguments, readNumber } from '../../scripts/read-arguments.ts'

const USAGE = `Usage: node chaos/experiments/fuzz.ts [--seed N] [--minutes 5]

Exit code 1 if a request got a wrong answer.`

const { values } = readArguments(USAGE, {
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    minutes: { type: 'string', default: '5' },
  },
})

const seed = readNumber(USAGE, '--seed', values.seed)
const minutes = readNumber(USAGE, '--minutes', values.minutes)
// Loaded after the arguments are read, so that --help answers at once.
const { fuzz, startFuzzedApp: fuzzedApp } = await import('../fuzz/run.ts')
console.log(`fuzz, seed ${seed}, ${minutes} min`)
const app = await fuzzedApp()
try {
  console.log(await fuzz(app, { seed, runs: 2 ** 31 - 1, millis: minutes * 60_000 }))
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await app.close()
}
