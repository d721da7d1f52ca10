/** Histogram bounds for the metrics and the console. */
export const LATENCY_BOUNDS_MS = [25, 50, 100, 250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000]
/** Upper bound of the last bucket; no call lasts that long. */
const BEYOND_MS = 600_000

export const boundFor = (ms: number): number => LATENCY_BOUNDS_MS.find((bound) => ms <= bound) ?? BEYOND_MS

type Bucket = { readonly upToMs: number; readonly calls: number }

/** Percentile, interpolated linearly within a bucket as Prometheus does. Buckets may share a bound. Undefined without calls. */
export function estimatePercentile(buckets: readonly Bucket[], share: number): number | undefined {
  const total = buckets.reduce((sum, { calls }) => sum + calls, 0)
  if (total === 0) return undefined
  const wanted = total * share
  let seen = 0
  const callsUpTo = new Map<number, number>()
  for (const { upToMs, calls } of buckets) callsUpTo.set(upToMs, (callsUpTo.get(upToMs) ?? 0) + calls)
  for (const [upToMs, calls] of [...callsUpTo].sort(([a], [b]) => a - b)) {
    if (calls > 0 && seen + calls >= wanted) {
      const from = LATENCY_BOUNDS_MS.findLast((bound) => bound < upToMs) ?? 0
      return Math.round(from + ((upToMs - from) * (wanted - seen)) / calls)
    }
    seen += calls
  }
  return undefined
}
