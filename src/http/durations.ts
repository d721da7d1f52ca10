import type { Histogram, Registry } from 'prom-client'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] as const

/** What was seen of one operation with one status. */
type Series = {
  readonly labels: { readonly operation: string; readonly status: number }
  /** How many fell into each bucket, and no lower one; those longer than all of them are in the last. */
  readonly counts: number[]
  seconds: number
}

/**
 * A histogram whose series are found by what they are, and not by a text put together from labels for every request: that
 * took longer than all else the metrics do. The registry asks it for values as it asks its own.
 */
export function createDurations(
  registry: Registry,
  { name, help }: { name: string; help: string },
): (operation: string, status: number, seconds: number) => void {
  const operations = new Map<string, Map<number, Series>>()
  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: [...operations.values()].flatMap((byStatus) =>
        [...byStatus.values()].flatMap((one) => valuesOf(name, one)),
      ),
    }),
    reset: () => operations.clear(),
  }
  registry.registerMetric(metric as unknown as Histogram)

  return (operation, status, seconds) => {
    const series = operations.get(operation)?.get(status) ?? open(operations, operation, status)
    let at = 0
    while (at < BUCKETS.length && seconds > (BUCKETS[at] as number)) at += 1
    series.counts[at] = (series.counts[at] as number) + 1
    series.seconds += seconds
  }
}

function open(operations: Map<string, Map<number, Series>>, operation: string, status: number): Series {
  const series = { labels: { operation, status }, counts: [...BUCKETS, Infinity].map(() => 0), seconds: 0 }
  const byStatus = operations.get(operation) ?? new Map<number, Series>()
  operations.set(operation, byStatus.set(status, series))
  return series
}

/** As Prometheus wants it: each bucket holds those below it too. */
function valuesOf(name: string, { labels, counts, seconds }: Series) {
  let count = 0
  const buckets = counts.map((more, at) => {
    count += more
    return { metricName: `${name}_bucket`, labels: { le: BUCKETS[at] ?? '+Inf', ...labels }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
