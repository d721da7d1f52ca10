/**
 * Runs the experiments that try to break the guarantees of docs/reliability.md. The exit code is 1 if one was broken.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { readArguments, readNumber, refuse } from '../scripts/read-arguments.ts'
import { minutesEach } from './minutes-each.ts'

type Experiment = {
  readonly name: string
  /** True if it runs for the given minutes; the others take as long as they need. */
  readonly isTimed: boolean
  /** Returns a summary, or throws an error that explains how to repeat the failure. */
  run(seed: number, minutes: number): Promise<string>
}

/** Experiments that start processes are separate programs in experiments/. */
const listExperiments = (wantedRuns: number | undefined): readonly Experiment[] => [
  {
    name: 'simulation',
    isTimed: wantedRuns === undefined,
    run: (from, share) => runSimulation(from, share, wantedRuns),
  },
  {
    name: 'crash-loop',
    isTimed: true,
    run: (from, share) => runProgram('crash-loop', ['--seed', String(from), '--minutes', String(share)]),
  },
  {
    name: 'crash-loop-postgres',
    isTimed: true,
    run: (from, share) => runProgram('crash-loop', ['--seed', String(from), '--minutes', String(share), '--postgres']),
  },
  {
    name: 'fuzz',
    isTimed: true,
    run: (from, share) => runProgram('fuzz', ['--seed', String(from), '--minutes', String(share)]),
  },
  { name: 'nodes', isTimed: false, run: () => runProgram('nodes', []) },
  { name: 'failover', isTimed: false, run: () => runProgram('failover', []) },
  { name: 'overload', isTimed: false, run: () => runProgram('overload', []) },
  { name: 'isolation', isTimed: false, run: () => runProgram('isolation', []) },
  { name: 'soak', isTimed: true, run: (_from, share) => runProgram('soak', ['--minutes', String(share)]) },
]

const RUNS_PER_BATCH = 500

const NAMES = listExperiments(undefined).map(({ name }) => name)
const USAGE = `Usage: npm run chaos -- [EXPERIMENT] [--seed N] [--minutes M] [--runs R]

Runs one experiment, or all of them. The simulation, both crash loops, fuzz and soak share the minutes (default 1, for
soak alone 10); the others take as long as they need. The simulation runs R schedules instead (default 50000, unless minutes
are given).
Experiments: ${NAMES.join(', ')}`

const { values, positionals } = readArguments(USAGE, {
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    minutes: { type: 'string' },
    runs: { type: 'string' },
  },
})
const seed = readNumber(USAGE, '--seed', values.seed)
const [only, ...more] = positionals
const minutes = readNumber(USAGE, '--minutes', values.minutes ?? (only === 'soak' ? '10' : '1'))
const defaultRuns = values.minutes === undefined ? '50000' : undefined
const runsText = values.runs ?? defaultRuns
const wantedRuns = runsText === undefined ? undefined : readNumber(USAGE, '--runs', runsText)
const chosen = listExperiments(wantedRuns).filter(({ name }) => only === undefined || only === name)
if (chosen.length === 0 || more.length > 0) refuse(USAGE, `Unknown experiment: ${positionals.join(' ')}`)

console.log(`chaos: seed ${seed}, ${minutes} minute(s): ${chosen.map(({ name }) => name).join(', ')}`)
const share = minutesEach(minutes, chosen)
for (const { name, run } of chosen) {
  try {
    console.log(`✓ ${name}: ${await run(seed, share)}`)
  } catch (error) {
    console.error(`✗ ${name}: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}

function runProgram(name: string, args: readonly string[]): Promise<string> {
  const program = join(import.meta.dirname, 'experiments', `${name}.ts`)
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve('passed') : reject(new Error(`exit code ${code}; see above`))))
  })
}

/** Each batch has its own seed, so that a failure can be repeated without the previous batches. */
async function runSimulation(first: number, share: number, wantedRuns: number | undefined): Promise<string> {
  // Loaded here, so that --help answers at once.
  const { simulate } = await import('./simulation/simulate.ts')
  const started = performance.now()
  let runs = 0
  const end = started + share * 60_000
  const isDone = () => (wantedRuns === undefined ? performance.now() >= end : runs >= wantedRuns)
  for (let batch = 0; batch === 0 || !isDone(); batch += 1) {
    const seed = first + batch
    // Every fourth seed plays databases that lose commits.
    const result = await simulate({ runs: RUNS_PER_BATCH, seed, shrink: true, losesCommits: seed % 4 === 0 })
    runs += result.runs
    if (result.failure !== undefined) {
      throw new Error(`broken after ${runs} runs; repeat with --seed ${seed}\n${result.failure.message}`)
    }
  }
  const seconds = (performance.now() - started) / 1000
  return `${runs} runs in ${seconds.toFixed(0)} s, passed`
}
