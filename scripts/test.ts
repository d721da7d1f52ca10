/** Checks that every commit must pass: format, lint, unused code, types and tests. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArguments, refuse } from './read-arguments.ts'
import { ensureSystemPackages, findChromium } from './system-packages.ts'

type Tally = { passed: number; failed: number; skipped: number }

const USAGE = `Usage: npm test               format, lint, unused code, types and all tests except the stress tests
       npm run test:fast      types, and the structure, unit and contract tests
       npm run test:stress    planted bugs, killed servers, unavailable databases, failing vendors, overload, attacks, time limits,
                              and most tests of the pages in a browser`

const RINGS = new Map([
  ['', ['structure', 'unit', 'contract', 'app', 'store', 'process', 'web']],
  ['fast', ['structure', 'unit', 'contract']],
  ['stress', ['campaigns', 'states', 'outages', 'timed-outages', 'timing']],
])

const { positionals } = readArguments(USAGE, { allowPositionals: true })
const choice = positionals.join(' ')
const rings = RINGS.get(choice) ?? refuse(USAGE, `Unknown argument: ${choice}`)
const fast = choice === 'fast'
const stress = choice === 'stress'
const isCi = process.env.CI === 'true'
const bin = (name: string) => join('node_modules', '.bin', name)
/** By path, because the older compiler for client generators has the same name. */
const tsc = join('node_modules', 'typescript', 'bin', 'tsc')
/** Several threads would infer the same types again, at twice the processor time that the tests need. */
const ONE_THREAD = ['--builders', '1', '--singleThreaded']
const total: Tally = { passed: 0, failed: 0, skipped: 0 }

const BROWSER_TESTS = ['test/web/**', 'test/timing/page-budget.test.ts']

if (!fast) ensureSystemPackages()
// In parallel with the tests.
const checks = stress ? [] : startChecks()
await runTests()
for (const result of await Promise.all(checks)) reportCheck(result)

console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
if (total.skipped > 0)
  console.log('Skipped tests prove nothing; see the lines that start with SKIPPED or skipped for the reasons.')
process.exitCode = total.failed > 0 ? 1 : 0

type Checked = { readonly name: string; readonly passed: boolean; readonly seconds: number; readonly output: string }

function startChecks(): Promise<Checked>[] {
  const lint = [
    'ci',
    '--diagnostic-level=warn',
    '--max-diagnostics=20',
    ...(process.stdout.isTTY ? [] : ['--colors=off']),
  ]
  // Checks only files that depend on changes since the last run.
  const types = check('types', tsc, ['--build', 'tsconfig.json', 'web/tsconfig.json', ...ONE_THREAD])
  if (fast) return [types]
  const unused = check('unused code and packages', bin('knip'), ['--no-progress'])
  return [check('format and lint', bin('biome'), [...lint, '.']), unused, types]
}

function check(name: string, program: string, args: string[]): Promise<Checked> {
  const started = performance.now()
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  return new Promise((resolve) => {
    const end = (passed: boolean, last = '') => {
      const seconds = (performance.now() - started) / 1000
      resolve({ name, passed, seconds, output: `${Buffer.concat(output)}${last}` })
    }
    child.once('error', (error) => end(false, error.message))
    child.once('close', (status) => end(status === 0))
  })
}

function reportCheck({ name, passed, seconds, output }: Checked): void {
  if (passed) total.passed += 1
  else total.failed += 1
  if (output.trim() !== '') console.log(output.trimEnd())
  console.log(`${passed ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)`)
}

async function runTests(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'serai-test-'))
  const report = join(folder, 'report.json')
  const child = spawn(
    bin('vitest'),
    [
      'run',
      ...rings.flatMap((ring) => ['--project', ring]),
      '--reporter=dot',
      '--reporter=json',
      '--reporter=./scripts/flaky-reporter.ts',
      `--retry=${process.env.SERAI_TEST_RETRY ?? 0}`,
      `--outputFile.json=${report}`,
      ...listExcludedTests(),
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        NODE_ENV: 'test',
        ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
      },
    },
  )
  const status = await new Promise<number>((resolve) => {
    child.once('error', () => resolve(1))
    child.once('close', (code) => resolve(code ?? 1))
  })
  count(report, status)
  rmSync(folder, { recursive: true, force: true })
}

/** Without a browser, its tests are skipped with a warning; in CI they run and fail. */
function listExcludedTests(): string[] {
  if (fast || isCi || findChromium() !== undefined) return []
  total.skipped += 1
  console.warn('\nSKIPPED: the browser tests. Chromium was not found. Install it or set CHROMIUM_PATH.')
  return BROWSER_TESTS.map((files) => `--exclude=${files}`)
}

function count(report: string, status: number): void {
  if (!existsSync(report)) {
    total.failed += 1
    console.log('✗ the test runner crashed')
    return
  }
  const result = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
  total.passed += result.numPassedTests ?? 0
  total.failed += result.numFailedTests ?? 0
  total.skipped += (result.numPendingTests ?? 0) + (result.numTodoTests ?? 0)
  // A file that cannot be loaded, or an unhandled rejection, fails no test but does fail the run.
  if (status !== 0 && (result.numFailedTests ?? 0) === 0) total.failed += 1
}
