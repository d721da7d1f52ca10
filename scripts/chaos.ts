/**
 * Makes trouble for as long as it is told to: `npm run chaos -- [simulation] --seed 7 --minutes 10`. Without a name all
 * experiments are made, and the minutes are shared among them. Ends with one line each; the exit code is 1 when a promise was broken.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { simulate } from '../test/support/booking/simulate.ts'

type Experiment = {
  readonly name: string
  /** Goes on until `isTimeUp`; answers what it did, or throws what went wrong in words that let one repeat it. */
  run(seed: number, isTimeUp: () => boolean, minutes: number): Promise<string>
}

/** Further experiments are further entries. Those that start processes are programs of their own beside this one. */
const EXPERIMENTS: readonly Experiment[] = [
  { name: 'simulation', run: runSimulation },
  {
    name: 'crash-loop',
    run: (from, _isTimeUp, share) => runProgram('crash-loop', ['--seed', String(from), '--minutes', String(share)]),
  },
  {
    name: 'fuzz',
    run: (from, _isTimeUp, share) => runProgram('fuzz', ['--seed', String(from), '--minutes', String(share)]),
  },
  { name: 'nodes', run: () => runProgram('nodes', []) },
  { name: 'overload', run: () => runProgram('overload', []) },
  { name: 'isolation', run: () => runProgram('isolation', []) },
  { name: 'soak', run: (_from, _isTimeUp, share) => runProgram('soak', ['--minutes', String(share)]) },
]

const RUNS_A_BATCH = 500

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    minutes: { type: 'string' },
    only: { type: 'string' },
  },
})
const seed = Number(values.seed)
const only = values.only ?? positionals[0]
// A soak of a minute would show nothing.
const minutes = Number(values.minutes ?? (only === 'soak' ? 10 : 1))
const chosen = EXPERIMENTS.filter(({ name }) => only === undefined || only === name)
if (!Number.isSafeInteger(seed) || !(minutes > 0) || chosen.length === 0) {
  console.error(`usage: npm run chaos -- [${EXPERIMENTS.map(({ name }) => name).join('|')}] --seed N --minutes M`)
  process.exit(2)
}

console.log(`chaos: seed ${seed}, ${minutes} minute(s): ${chosen.map(({ name }) => name).join(', ')}`)
for (const { name, run } of chosen) {
  const end = performance.now() + (minutes * 60_000) / chosen.length
  try {
    console.log(`✓ ${name}: ${await run(seed, () => performance.now() >= end, minutes / chosen.length)}`)
  } catch (error) {
    console.error(`✗ ${name}: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}

/** Its own output tells what it did; only how it ended is told here. */
function runProgram(name: string, args: readonly string[]): Promise<string> {
  const program = join(import.meta.dirname, 'chaos', `${name}.ts`)
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve('every promise kept') : reject(new Error(`ended with ${code}; see above`)),
    )
  })
}

/** Each batch has a seed of its own, so that a failure can be played again without those before it. */
async function runSimulation(first: number, isTimeUp: () => boolean): Promise<string> {
  const started = performance.now()
  let runs = 0
  for (let batch = 0; batch === 0 || !isTimeUp(); batch += 1) {
    const result = await simulate({ runs: RUNS_A_BATCH, seed: first + batch, shrink: true })
    runs += result.runs
    if (result.failure !== undefined) {
      throw new Error(`broken after ${runs} runs; again with --seed ${first + batch}\n${result.failure.words}`)
    }
  }
  const seconds = (performance.now() - started) / 1000
  return `${runs} runs in ${seconds.toFixed(0)} s, every promise kept`
}
