/**
 * Every figure the documents quote, measured in one run on one machine: `npm run bench`, `-- --quick`, `-- --json FILE`.
 * Each part runs in a process of its own, so that none inherits another's heap.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chartSvg } from './support/chart.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    baseline: { type: 'boolean', default: false },
  },
})
const PARTS = ['locations', 'http', 'search', 'bookings', 'drift', 'matching']
const BASELINE = join(import.meta.dirname, 'baseline.json')

/** What each ratio should be, and whether more or less of it is better. */
const TARGETS: Record<string, { readonly target: number; readonly better: 'more' | 'less'; readonly words: string }> = {
  locations_lookup_mean_us: { target: 20, better: 'less', words: 'location look-up, mean µs' },
  locations_lookup_p99_us: { target: 250, better: 'less', words: 'location look-up, p99 µs' },
  locations_lookup_vs_best_library: { target: 1, better: 'more', words: 'times faster than the best other way' },
  locations_http_vs_fastify: { target: 0.8, better: 'more', words: 'locations over HTTP ÷ bare Fastify constant' },
  search_cpu_vs_floor: { target: 1.3, better: 'less', words: 'search CPU ÷ (parse + stringify)' },
  search_added_p50_ms: { target: 10, better: 'less', words: 'search, ms over the slowest vendor, p50' },
  search_added_p99_ms: { target: 40, better: 'less', words: 'search, ms over the slowest vendor, p99' },
  detail_http_vs_fastify: { target: 0.6, better: 'more', words: 'detail over HTTP ÷ bare Fastify constant' },
  bookings_vs_commits: { target: 0.25, better: 'more', words: 'bookings ÷ raw durable commits' },
  booking_service_p50_ms: { target: 10, better: 'less', words: 'booking without the vendor, p50 ms' },
  ready_ms: { target: 2_000, better: 'less', words: 'process start to listening, ms' },
  rss_mb: { target: 400, better: 'less', words: 'resident memory at rest, MB' },
  matching_precision: { target: 0.995, better: 'more', words: 'property matching, precision' },
  matching_recall: { target: 0.97, better: 'more', words: 'property matching, recall' },
  price_drift_share: { target: 0.05, better: 'less', words: 'offers whose price moved before booking' },
}

const startedAt = performance.now()
const figures: Record<string, number> = {}
for (const part of PARTS) {
  process.stdout.write(`${part} … `)
  Object.assign(figures, runPart(part))
  console.log(`${Math.round((performance.now() - startedAt) / 1000)} s`)
}
named()
print()
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ machine: machine(), quick: values.quick, figures }, null, 2)}\n`)
if (values.baseline) writeFileSync(BASELINE, `${JSON.stringify(figures, null, 2)}\n`)
else compare()
writeFileSync(join(import.meta.dirname, '../docs/images/benchmark.svg'), chartSvg(rows()))

function runPart(part: string): Record<string, number> {
  const args = ['--expose-gc', join(import.meta.dirname, `${part}.ts`), '--json', ...(values.quick ? ['--quick'] : [])]
  const output = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  })
  const line = output.split('\n').find((one) => one.startsWith('figures '))
  if (line === undefined) throw new Error(`${part} gave no figures`)
  return JSON.parse(line.slice('figures '.length)) as Record<string, number>
}

/** The location bench speaks of its own subject; here its figures stand among others. */
function named(): void {
  figures.locations_lookup_mean_us = figures.look_up_mean_us ?? Number.NaN
  figures.locations_lookup_p99_us = figures.look_up_p99_us ?? Number.NaN
  const rivals = Object.entries(figures).filter(([name]) => name.endsWith('_times_slower'))
  figures.locations_lookup_vs_best_library =
    rivals.length === 0 ? Number.NaN : Math.min(...rivals.map(([, times]) => times))
}

function rows() {
  return Object.entries(TARGETS).map(([name, { target, better, words }]) => {
    const value = figures[name] ?? Number.NaN
    const isMet = better === 'more' ? value >= target : value <= target
    return { name, words, value, target, better, isMet }
  })
}

function print(): void {
  console.log(`\n${machine()}${values.quick ? ' (quick run)' : ''}\n`)
  for (const { words, value, target, better, isMet } of rows()) {
    console.log(
      `${isMet ? '✓' : '✗'} ${words.padEnd(52)} ${String(value).padStart(9)}   ${better === 'more' ? '≥' : '≤'} ${target}`,
    )
  }
  console.log('\nBehind them:')
  for (const [name, value] of Object.entries(figures))
    if (TARGETS[name] === undefined) console.log(`  ${name.padEnd(36)} ${value}`)
}

/** A regression shows here; the tolerance is generous, because machines differ and are shared. */
function compare(): void {
  let baseline: Record<string, number>
  try {
    baseline = JSON.parse(readFileSync(BASELINE, 'utf8')) as Record<string, number>
  } catch {
    return
  }
  const worse = rows().filter(({ name, value, better }) => {
    const before = baseline[name]
    if (before === undefined || Number.isNaN(value)) return false
    return better === 'more' ? value < before * 0.6 : value > before * 1.8 + 1
  })
  if (worse.length === 0) console.log('\nNothing is much worse than the committed baseline.')
  for (const { words, value, name } of worse)
    console.log(`\nWorse than the baseline: ${words}: ${value}, was ${baseline[name]}`)
  if (worse.length > 0) process.exitCode = 1
}

function machine(): string {
  return `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`
}
