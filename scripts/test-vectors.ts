/** Runs recorded list vectors against the list library in memory, on SQLite and on a real PostgreSQL. */
import { existsSync, readFileSync } from 'node:fs'
import { postgresEngine, sqliteEngine } from '../test/store/lists/engines.ts'
import { type Engine, memoryEngine } from '../test/store/lists/memory-engine.ts'
import { judge, type Verdict } from '../test/store/lists/run-vectors.ts'
import type { Vector } from '../test/store/lists/vector.ts'
import { startPostgres } from '../test/support/servers/postgres.ts'
import { readArguments, refuse } from './read-arguments.ts'

const NOTE: Readonly<Record<Verdict['outcome'], string>> = {
  passed: '',
  passed_without_tiebreaker: 'pass as recorded (0.27.2) on a list without a unique field',
  by_design: 'differ by design: follow the main branch, not 0.27.2',
  reference_specific: 'are marked as specific to the reference implementation',
  failed: 'failed',
}

const USAGE = `Usage: npm run test:vectors -- [FILE]

Without FILE, runs the vectors of the test suite.`

const { positionals } = readArguments(USAGE, { allowPositionals: true })
const [file = 'test/fixtures/lists/vectors.json'] = positionals
if (!existsSync(file)) refuse(USAGE, `File not found: ${file}.`)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[]
const postgres = await startPostgres()
const engines: Engine[] = [memoryEngine, sqliteEngine(), await postgresEngine(postgres.url)]
try {
  for (const engine of engines) report(engine, await judgeVectors(engine))
} finally {
  for (const engine of engines) await engine.close()
  await postgres.stop()
}

async function judgeVectors(engine: Engine): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const vector of vectors) verdicts.push(await judge(engine, vector))
  return verdicts
}

function report(engine: Engine, verdicts: readonly Verdict[]): void {
  const select = (outcome: Verdict['outcome']) => verdicts.filter((verdict) => verdict.outcome === outcome)
  const passed = select('passed').length + select('passed_without_tiebreaker').length
  console.log(`${engine.name}: ${passed} of ${verdicts.length} passed, ${select('failed').length} failed`)
  for (const outcome of ['passed_without_tiebreaker', 'by_design', 'reference_specific', 'failed'] as const) {
    const found = select(outcome)
    if (found.length > 0) console.log(`  ${found.length} ${NOTE[outcome]}`)
    for (const { vector, why } of found) console.log(`    ${vector}${why === '' ? '' : `: ${why}`}`)
  }
  if (select('failed').length > 0) process.exitCode = 1
}
