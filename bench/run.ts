/** Measures every figure that the documents quote, in one run on one machine. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { readArguments, readNumber } from '../scripts/read-arguments.ts'
import { systemClock } from '../src/lib/time/clock.ts'
import { installAlternatives } from './locations/install.ts'
import { type BenchFile, type Measured, serializeBench } from './support/bench-file.ts'
import { CHART_FILE, FIGURES_FILE, PAGE_FILE, renderChart, renderPage } from './support/benchmark-page.ts'
import { findRegressions } from './support/compare.ts'
import { FIGURES } from './support/figure-list.ts'
import { listStages, runPart } from './support/parts.ts'
import { formatFigure, machineLine, textTable } from './support/table.ts'

const BASELINE = join(import.meta.dirname, 'baseline.json')

const USAGE = `Usage: npm run bench -- [options]      about 15 minutes; every run is compared with bench/baseline.json

  --quick         about a minute, without the slow parts
  --json FILE     stores the figures
  --soak SECONDS  load before memory is measured
  --write         renews bench/figures.json, docs/benchmark.md and its chart
  --baseline      renews bench/baseline.json
  --from FILE     measures nothing; shows, compares or writes the figures of a file`

type Settings = ReturnType<typeof readSettings>

const { quick, from, soakSeconds, ...wanted } = readSettings()
const file = from === undefined ? await measureAll() : (JSON.parse(readFileSync(from, 'utf8')) as BenchFile)
console.log(`\n${machineLine(file)}\n${textTable(file.figures)}`)
store(file, wanted)
if (!wanted.baseline) compare(file.figures)

function readSettings() {
  const { values } = readArguments(USAGE, {
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      soak: { type: 'string' },
      write: { type: 'boolean', default: false },
      baseline: { type: 'boolean', default: false },
      from: { type: 'string' },
    },
  })
  const { soak, ...rest } = values
  const soakSeconds = soak === undefined ? undefined : readNumber(USAGE, '--soak', soak)
  return { ...rest, soakSeconds }
}

async function measureAll(): Promise<BenchFile> {
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1_000)
  const load_before = Math.round(10 * (loadavg()[0] ?? 0)) / 10
  if (load_before > cpus().length / 2) console.error(busyWarning(load_before))
  const installProblem = installAlternatives()
  const flags = [...(quick ? ['--quick'] : []), ...(soakSeconds === undefined ? [] : ['--soak', String(soakSeconds)])]
  // Null until measured, so that a missing figure is visible.
  const figures: Record<string, number | null> = Object.fromEntries(
    FIGURES.filter(({ fullOnly }) => !(quick && fullOnly)).map(({ name }) => [name, null]),
  )
  for (const parts of listStages(quick)) {
    process.stdout.write(`${parts.join(', ')} … `)
    for (const result of await Promise.allSettled(parts.map((part) => runPart(part, flags)))) {
      if (result.status === 'fulfilled') Object.assign(figures, result.value)
      else {
        console.error(`\n${result.reason instanceof Error ? result.reason.message : result.reason}`)
        process.exitCode = 1
      }
    }
    console.log(`${seconds()} s`)
  }
  if (installProblem !== undefined) console.error(`\n${installProblem}`)
  const measured_on = new Date(systemClock.now()).toISOString().slice(0, 10)
  return { measured_on, machine: machine(), quick, seconds: seconds(), load_before, figures }
}

function store(file: BenchFile, { json, write, baseline }: Pick<Settings, 'json' | 'write' | 'baseline'>): void {
  if (json !== undefined) writeFileSync(json, serializeBench(file))
  // Keeps figures that a quick run does not measure.
  if (baseline) writeFileSync(BASELINE, serializeBench({ ...readBaseline(), ...selectCompared(file.figures) }))
  if (!write) return
  writeFileSync(FIGURES_FILE, serializeBench(file))
  writeFileSync(PAGE_FILE, renderPage(readFileSync(PAGE_FILE, 'utf8'), file))
  writeFileSync(CHART_FILE, renderChart(file))
}

function selectCompared(figures: Measured): Measured {
  const names = FIGURES.filter(({ slack }) => slack !== undefined).map(({ name }) => name)
  return Object.fromEntries(Object.entries(figures).filter(([name, value]) => names.includes(name) && value !== null))
}

function readBaseline(): Measured {
  return JSON.parse(readFileSync(BASELINE, 'utf8')) as Measured
}

/** Reports regressions. The tolerance is generous, because machines differ and are shared. */
function compare(figures: Measured): void {
  const regressions = findRegressions(figures, readBaseline())
  if (regressions.length === 0) console.log('\nNo figure is much worse than bench/baseline.json.')
  else console.error('\nMuch worse than bench/baseline.json:')
  for (const { figure, value, before, limit } of regressions) {
    const { area, words, unit, better, name } = figure
    const bound = `${better === 'more' ? 'at least' : 'at most'} ${formatFigure(limit, unit)}`
    console.error(
      `✗ ${area}, ${words}: ${formatFigure(value, unit)}, was ${formatFigure(before, unit)}, may be ${bound} (${name})`,
    )
  }
  if (regressions.length > 0) process.exitCode = 1
}

function busyWarning(load: number): string {
  return `This machine is busy (load average ${load}): the figures will be worse than usual, and the run longer.`
}

function machine(): string {
  return `Node ${process.versions.node} on ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`
}
