/**
 * Plays a day of traffic on paper and says how many machines it takes.
 *
 *   node bench/traffic-day.ts --searches-per-second 1000
 *   node bench/traffic-day.ts --searches-per-second 100000 --set candidatesMax=200 --set reuseSharedS=585
 *   node bench/traffic-day.ts --ladder
 *   node bench/traffic-day.ts --write docs/scaling.md
 *
 * --set replaces any figure of traffic-day/assumptions.ts; --figures FILE takes processor time
 * out of what `npm run bench -- --json FILE` wrote.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { between } from './support/marked-page.ts'
import {
  DEFAULT_FIGURES,
  type Figures,
  VENDORS,
  type VendorModel,
  withBench,
  withSetting,
} from './traffic-day/assumptions.ts'
import { figuresTable, hoursTable, ladderTable, summary, vendorsTable } from './traffic-day/report.ts'
import { type Options, simulate } from './traffic-day/simulate.ts'

export const LADDER = [1, 10, 100, 1_000, 10_000, 100_000] as const
const RATE_MAX = 1_000_000
/** Six days are played for one table: fewer searches of each will do. */
const LADDER_SAMPLED = 3_000

export function ladder(options: Omit<Options, 'peakPerSecond'> = {}): string {
  return ladderTable(LADDER.map((peakPerSecond) => simulate({ sampled: LADDER_SAMPLED, ...options, peakPerSecond })))
}

export const writtenPage = (page: string): string =>
  between(between(between(page, 'figures', figuresTable()), 'vendors', vendorsTable()), 'ladder', ladder())

function main(): void {
  const { values } = parseArgs({
    options: {
      'searches-per-second': { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
      set: { type: 'string', multiple: true, default: [] },
      'rapid-load-per-minute': { type: 'string' },
      'hotelbeds-calls-per-second': { type: 'string' },
      'no-redis': { type: 'boolean', default: false },
      figures: { type: 'string' },
      ladder: { type: 'boolean', default: false },
      json: { type: 'string' },
      write: { type: 'string' },
    },
  })
  if (values.write !== undefined) {
    writeFileSync(values.write, writtenPage(readFileSync(values.write, 'utf8')))
    return
  }
  const options = {
    seed: numberOf('seed', values.seed, 2 ** 32 - 1, 0),
    figures: figuresOf(values.figures, values.set),
    vendors: vendorsOf(values['rapid-load-per-minute'], values['hotelbeds-calls-per-second']),
    hasRedis: !values['no-redis'],
  }
  if (values.ladder) {
    console.log(ladder(options))
    return
  }
  const peakPerSecond = numberOf('searches-per-second', values['searches-per-second'], RATE_MAX)
  const played = simulate({ ...options, peakPerSecond })
  console.log(`${hoursTable(played)}\n\n${summary(played)}`)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(played, undefined, 2)}\n`)
}

function numberOf(name: string, text: string, most: number, least = 0.001): number {
  const value = Number(text)
  if (!(value >= least && value <= most)) throw new Error(`--${name} must be a number from ${least} to ${most}.`)
  return value
}

function figuresOf(file: string | undefined, settings: readonly string[]): Figures {
  const figures =
    file === undefined ? DEFAULT_FIGURES : withBench(DEFAULT_FIGURES, JSON.parse(readFileSync(file, 'utf8')) as unknown)
  return settings.reduce(withSetting, figures)
}

function vendorsOf(load: string | undefined, calls: string | undefined): VendorModel[] {
  const given = {
    load_per_minute: load && numberOf('rapid-load-per-minute', load, 1e15),
    calls_per_second: calls && numberOf('hotelbeds-calls-per-second', calls, 1e9),
  }
  return VENDORS.map((vendor) => ({
    ...vendor,
    quota: { ...vendor.quota, most: Number(given[vendor.quota.kind] || vendor.quota.most) },
  }))
}

if (import.meta.main) {
  try {
    main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
  }
}
