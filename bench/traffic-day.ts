/** Simulates a day of traffic and computes how many machines it needs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { readArguments } from '../scripts/read-arguments.ts'
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

const LADDER = [1, 10, 100, 1_000, 10_000, 100_000] as const
const RATE_MAX = 1_000_000
/** Six days are played for one table: fewer searches of each will do. */
const LADDER_SAMPLED = 3_000

export function ladder(options: Omit<Options, 'peakPerSecond'> = {}): string {
  return ladderTable(LADDER.map((peakPerSecond) => simulate({ sampled: LADDER_SAMPLED, ...options, peakPerSecond })))
}

export const writtenPage = (page: string): string =>
  between(between(between(page, 'figures', figuresTable()), 'vendors', vendorsTable()), 'ladder', ladder())

const USAGE = `Usage: node bench/traffic-day.ts [options]

  --searches-per-second N         the daily peak, default 100
  --set NAME=VALUE                replaces a figure of bench/traffic-day/assumptions.ts; may be repeated
  --figures FILE                  takes processor times from "npm run bench -- --json FILE"
  --quota VENDOR=N                replaces a vendor's quota, in its own unit; may be repeated
  --no-redis, --seed N, --json FILE
  --ladder                        a table for several rates
  --write docs/scaling.md         renews the tables of that page`

function main(): void {
  const { values } = readArguments(USAGE, {
    options: {
      'searches-per-second': { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
      set: { type: 'string', multiple: true, default: [] },
      quota: { type: 'string', multiple: true, default: [] },
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
    vendors: vendorsOf(values.quota),
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

function vendorsOf(quotas: readonly string[]): VendorModel[] {
  const given = new Map(quotas.map((quota) => quota.split('=', 2) as [string, string | undefined]))
  const unknown = [...given.keys()].find((id) => VENDORS.every((vendor) => vendor.id !== id))
  if (unknown !== undefined) {
    throw new Error(`--quota takes VENDOR=N with one of ${VENDORS.map(({ id }) => id).join(', ')}, not "${unknown}".`)
  }
  return VENDORS.map((vendor) => {
    const most = given.get(vendor.id)
    return most === undefined ? vendor : { ...vendor, quota: { ...vendor.quota, most: numberOf('quota', most, 1e15) } }
  })
}

if (import.meta.main) {
  try {
    main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
  }
}
