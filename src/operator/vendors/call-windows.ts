import type { CallSum } from '../store/vendor-health.ts'
import { type CallOutcome, isFailure, isTimed } from './call-outcome.ts'
import { estimatePercentile } from './latency.ts'

type Sum = Omit<CallSum, 'began_at'>

/** Calls within a period. */
export type CallWindow = {
  readonly calls: number
  readonly failures: number
  readonly p50Ms: number | undefined
  readonly p95Ms: number | undefined
  /** Outcomes other than `ok`, most frequent first. */
  readonly errors: readonly { readonly kind: CallOutcome; readonly calls: number }[]
}

export type CallSpan = Pick<CallWindow, 'calls' | 'failures' | 'p95Ms'> & { readonly beganAt: number }

export function sumCalls(sums: readonly Sum[]): CallWindow {
  const byOutcome = new Map<CallOutcome, number>()
  for (const { outcome, calls } of sums) {
    const kind = outcome as CallOutcome
    byOutcome.set(kind, (byOutcome.get(kind) ?? 0) + calls)
  }
  const timed = sums
    .filter(({ outcome }) => isTimed(outcome as CallOutcome))
    .map(({ up_to_ms: upToMs, calls }) => ({ upToMs, calls }))
  const kinds = [...byOutcome].map(([kind, calls]) => ({ kind, calls }))
  const total = (rows: readonly { readonly calls: number }[]) => rows.reduce((sum, { calls }) => sum + calls, 0)
  return {
    calls: total(kinds),
    failures: total(kinds.filter(({ kind }) => isFailure(kind))),
    p50Ms: estimatePercentile(timed, 0.5),
    p95Ms: estimatePercentile(timed, 0.95),
    errors: kinds.filter(({ kind }) => kind !== 'ok').sort((a, b) => b.calls - a.calls || (a.kind < b.kind ? -1 : 1)),
  }
}

/** Consecutive spans from `from` on, including empty ones. */
export function sumSpans(sums: readonly CallSum[], from: number, spanMs: number, count: number): CallSpan[] {
  const byStart = Map.groupBy(sums, ({ began_at }) => began_at)
  return Array.from({ length: count }, (_, index) => {
    const beganAt = from + index * spanMs
    const { calls, failures, p95Ms } = sumCalls(byStart.get(beganAt) ?? [])
    return { beganAt, calls, failures, p95Ms }
  })
}
