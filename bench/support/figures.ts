/** The value below which `share` of the sorted sample lies. */
export function percentile(sample: readonly number[], share: number): number {
  const sorted = [...sample].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (sample: readonly number[]): number => percentile(sample, 0.5)

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits))

/** Time on the processor spent by this thread alone, in milliseconds; what helpers of the runtime do elsewhere is not ours. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
