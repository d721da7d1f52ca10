/**
 * Everything a commit must pass, in the order of its cost: format and lint, types, then the test rings. Ends with one
 * plain line. `fast` stops before the rings that start processes and browsers.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureSystemPackages } from './system-packages.ts'

type Tally = { passed: number; failed: number; skipped: number }

const fast = process.argv.includes('fast')
const bin = (name: string) => join('node_modules', '.bin', name)
const total: Tally = { passed: 0, failed: 0, skipped: 0 }

/** Rings that share nothing run together; those that own the machine run alone. */
const PHASES = fast
  ? [['structure', 'unit', 'app']]
  : [['structure', 'unit', 'contract', 'app'], ['store'], ['process'], ['web']]

if (!fast) ensureSystemPackages()
check('format and lint', bin('biome'), [
  'ci',
  '--diagnostic-level=warn',
  '--max-diagnostics=20',
  ...(process.stdout.isTTY ? [] : ['--colors=off']),
  '.',
])
check('types', bin('tsc'), [])
if (existsSync('web/tsconfig.json')) check('types of the page', bin('tsc'), ['-p', 'web'])
for (const rings of PHASES) runRings(rings)

console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 ? 1 : 0

function check(name: string, program: string, args: string[]): void {
  const started = performance.now()
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status === 0) total.passed += 1
  else total.failed += 1
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
}

function runRings(rings: string[]): void {
  const present = rings.filter((ring) => ring === 'structure' || existsSync(join('test', ring)))
  if (present.length === 0) return
  const folder = mkdtempSync(join(tmpdir(), 'serai-test-'))
  const report = join(folder, 'report.json')
  const { status } = spawnSync(
    bin('vitest'),
    [
      'run',
      ...present.flatMap((ring) => ['--project', ring]),
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    {
      stdio: 'inherit',
      env: {
        ...(fast ? { SIMULATION_RUNS: '1000' } : {}),
        ...process.env,
        NODE_ENV: 'test',
        ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
      },
    },
  )
  count(report, status ?? 1, present)
  rmSync(folder, { recursive: true, force: true })
}

function count(report: string, status: number, rings: string[]): void {
  if (!existsSync(report)) {
    total.failed += 1
    console.log(`✗ ${rings.join(', ')}: the runner died`)
    return
  }
  const result = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
  total.passed += result.numPassedTests ?? 0
  total.failed += result.numFailedTests ?? 0
  total.skipped += (result.numPendingTests ?? 0) + (result.numTodoTests ?? 0)
  // A file that cannot even be loaded, or an unhandled rejection, fails no test; the run failed all the same.
  if (status !== 0 && (result.numFailedTests ?? 0) === 0) total.failed += 1
}
