import { ASSUMPTIONS, VENDORS } from './assumptions.ts'
import type { HourNeeds } from './machines.ts'
import type { Played } from './simulate.ts'

/** Three significant digits: the estimate is not more exact. */
export function say(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value === 0) return '0'
  const rounded = Number(value.toPrecision(3))
  return rounded.toLocaleString('en-US', { maximumFractionDigits: rounded < 10 ? 2 : rounded < 100 ? 1 : 0 })
}

const percent = (share: number) => `${Math.round(share * 100)} %`
const times = (ratio: number) => (ratio < 10 ? percent(ratio) : `${say(ratio)} ×`)

/** Columns of a Markdown table, padded so that it also reads well in a terminal. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => `${'-'.repeat(width + 1)}:`).join('|')}|`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

export function hoursTable({ needs }: Played): string {
  const vendorIds = needs.peak.vendors.map(({ id }) => id)
  return markdownTable(
    [
      'hour',
      'searches/s',
      'reused',
      'nodes',
      'because of',
      'Redis GB',
      'ops/s',
      'commits/s',
      'MB/s',
      ...vendorIds.map((id) => `${id} calls/s`),
      ...vendorIds.map((id) => `${id} quota`),
    ],
    needs.hours.map((hour) => [
      String(hour.hour).padStart(2, '0'),
      say(hour.rate),
      percent(hour.reused),
      say(hour.nodes.count),
      hour.nodes.because,
      say(hour.redis.gb),
      say(hour.redis.ops),
      say(hour.database.commits),
      say(hour.database.mbPerSecond),
      ...hour.vendors.map(({ callsPerSecond }) => say(callsPerSecond)),
      ...hour.vendors.map(({ used, most }) => times(used / most)),
    ]),
  )
}

export function summary({ needs, samples }: Played): string {
  const { peak } = needs
  const sample = samples.find(({ hour }) => hour === peak.hour)
  return [
    `At the peak (${String(peak.hour).padStart(2, '0')}:00, ${say(peak.rate)} searches a second, ${percent(peak.reused)} reused):`,
    `  nodes          ${say(peak.nodes.count)} of 8 cores, because of ${peak.nodes.because} (${say(peak.cores)} cores in all)`,
    `  Redis          ${say(peak.redis.shards)} (twice, for a replica each): ${say(peak.redis.gb)} GB, ${say(peak.redis.ops)} operations/s, ${say(peak.redis.mbPerSecond)} MB/s`,
    `  PostgreSQL     ${say(peak.database.primaries)} (and a standby each) + ${say(peak.database.replicas)} replicas: ${say(peak.database.commits)} commits/s, ${say(peak.database.mbPerSecond)} MB/s, ${say(peak.database.reads)} reads/s, ${say(peak.database.connections)} connections, ${say(needs.databaseGb)} GB of searches`,
    ...peak.vendors.map(vendorLine),
    `  bytes          ${say(peak.mbOut)} MB/s to clients, ${say(peak.mbIn)} MB/s from vendors`,
    `  a search       ${say(sample?.properties ?? 0)} properties, ${say(sample?.mainMs ?? 0)} ms of the main thread, answered after ${say(sample?.tookMs.p50 ?? 0)} ms (p95 ${say(sample?.tookMs.p95 ?? 0)} ms)`,
    `The day: ${say(needs.searches)} searches, ${say(needs.nodeHours)} node hours. About ${say(needs.euroAMonth)} € a month, ${say(needs.euroPerMillionSearches)} € for a million searches, vendors' fees not counted.`,
  ].join('\n')
}

const vendorLine = ({ id, callsPerSecond, used, most, refusedShare, inFlight }: HourNeeds['vendors'][number]) =>
  `  ${id.padEnd(15)}${say(callsPerSecond)} calls/s, ${say(inFlight)} under way, ${times(used / most)}${used / most < 10 ? ' of' : ''} the quota${refusedShare > 0 ? `: ${percent(refusedShare)} of the questions would be refused` : ''}`

/** One line a rate: how the same service looks from a laptop to a hundred thousand searches a second. */
export function ladderTable(rungs: readonly Played[]): string {
  return markdownTable(
    [
      'searches/s',
      'reused',
      'nodes',
      'Redis',
      'Redis GB',
      'PostgreSQL',
      'its MB/s',
      'its GB',
      'connections',
      'vendor calls/s',
      'out MB/s',
      '€/month',
    ],
    rungs.map(({ needs }) => {
      const { peak } = needs
      return [
        say(peak.rate),
        percent(peak.reused),
        say(peak.nodes.count),
        say(peak.redis.shards),
        say(peak.redis.gb),
        `${say(peak.database.primaries)} + ${say(peak.database.replicas)}`,
        say(peak.database.mbPerSecond),
        say(needs.databaseGb),
        say(peak.database.connections),
        say(peak.vendors.reduce((sum, { callsPerSecond }) => sum + callsPerSecond, 0)),
        say(peak.mbOut),
        say(needs.euroAMonth),
      ]
    }),
  )
}

export function figuresTable(): string {
  const rows = Object.entries(ASSUMPTIONS).map(
    ([name, { value, unit, source, meaning }]) =>
      `| \`${name}\` | ${value.toLocaleString('en-US')}${unit === '' ? '' : ` ${unit}`} | ${source} | ${meaning} |`,
  )
  return ['| figure | value | from | meaning |', '|---|---:|---|---|', ...rows].join('\n')
}

export function vendorsTable(): string {
  const rows = VENDORS.map(
    (vendor) =>
      `| ${vendor.id} | ${percent(vendor.share)} | ${vendor.propertiesPerCall.toLocaleString('en-US')} | ${vendor.questions} | ${vendor.rawBytes.toLocaleString('en-US')} B, ${percent(vendor.packedShare)} packed | ${vendor.latencyMedianMs} ms | ${vendor.quota.most.toLocaleString('en-US')} ${vendor.quota.kind.replaceAll('_', ' ')} |`,
  )
  return [
    '| vendor | has of all properties | properties per call | questions per search | bytes per property | median latency | quota (placeholder) |',
    '|---|---:|---:|---:|---|---:|---|',
    ...rows,
  ].join('\n')
}
