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
const listExperiments = (countsRuns: boolean, wantedRuns?: number): readonly Experiment[] => [
  simulationOf('simulation', false, wantedRuns ?? (countsRuns ? 50_000 : undefined)),
  simulationOf('payments', true, wantedRuns ?? (countsRuns ? 20_000 : undefined)),
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
    name: 'crash-loop-cards',
    isTimed: true,
    run: (from, share) => runProgram('crash-loop', ['--seed', String(from), '--minutes', String(share), '--cards']),
  },
  {
    name: 'fuzz',
    isTimed: true,
    run: (from, share) => runProgram('fuzz', ['--seed', String(from), '--minutes', String(share)]),
  },
  { name: 'lost-database', isTimed: false, run: () => runCampaign('lost-database') },
  { name: 'new-vendor', isTimed: false, run: () => runCampaign('new-vendor-suite') },
  { name: 'nodes', isTimed: false, run: () => runProgram('nodes', []) },
  { name: 'failover', isTimed: false, run: () => runProgram('failover', []) },
  { name: 'overload', isTimed: false, run: () => runProgram('overload', []) },
  { name: 'isolation', isTimed: false, run: () => runProgram('isolation', []) },
  { name: 'soak', isTimed: true, run: (_from, share) => runProgram('soak', ['--minutes', String(share)]) },
]

const RUNS_PER_BATCH = 500

const NAMES = listExperiments(false).map(({ name }) => name)
const USAGE = `Usage: npm run chaos -- [EXPERIMENT] [--seed N] [--minutes M] [--runs R]

Runs one experiment, or all of them. Both simulations, the crash loops, fuzz and soak share the minutes (default 1, for
soak alone 10); the others take as long as they need. A simulation runs R schedules instead (default 50000, with payments
20000, unless minutes are given).
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
const wantedRuns = values.runs === undefined ? undefined : readNumber(USAGE, '--runs', values.runs)
const chosen = listExperiments(values.minutes === undefined, wantedRuns).filter(
  ({ name }) => only === undefined || only === name,
)
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
  return spawnNode([join(import.meta.dirname, 'experiments', `${name}.ts`), ...args])
}

/** A test of `npm run test:stress` without its shortcuts. */
function runCampaign(name: string): Promise<string> {
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project', 'campaigns', `test/campaigns/${name}.test.ts`]
  return spawnNode(args, { SERAI_CHAOS_WHOLE: 'true' })
}

function spawnNode(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve('passed') : reject(new Error(`exit code ${code}; see above`))))
  })
}

function simulationOf(name: string, cards: boolean, wantedRuns: number | undefined): Experiment {
  const run: Experiment['run'] = (first, share) => runSimulation({ first, share, wantedRuns, cards })
  return { name, isTimed: wantedRuns === undefined, run }
}

type Wanted = {
  readonly first: number
  readonly share: number
  readonly wantedRuns: number | undefined
  readonly cards: boolean
}

/** Each batch has its own seed, so that a failure can be repeated without the previous batches. */
async function runSimulation({ first, share, wantedRuns, cards }: Wanted): Promise<string> {
  // Loaded here, so that --help answers at once.
  const { simulate } = await import('./simulation/simulate.ts')
  const started = performance.now()
  let runs = 0
  const end = started + share * 60_000
  const isDone = () => (wantedRuns === undefined ? performance.now() >= end : runs >= wantedRuns)
  for (let batch = 0; batch === 0 || !isDone(); batch += 1) {
    const seed = first + batch
    // Every fourth seed plays databases that lose commits.
    const result = await simulate({ runs: RUNS_PER_BATCH, seed, shrink: true, cards, losesCommits: seed % 4 === 0 })
    runs += result.runs
    if (result.failure !== undefined) {
      throw new Error(`broken after ${runs} runs; repeat with --seed ${seed}\n${result.failure.message}`)
    }
  }
  const seconds = (performance.now() - started) / 1000
  return `${runs} runs in ${seconds.toFixed(0)} s, passed`
}
