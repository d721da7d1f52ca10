import type { components } from '../../../../packages/client/src/index.ts'
import { countOf } from '../parts/count-of.ts'

type Span = components['schemas']['VendorCallSpan']

const HEIGHT = 32
const STEP = 8
const GAP = 2

/** One bar for each span: how many calls, and how many of them failed. The words tell the same. */
export function CallBars({ spans, what }: { spans: readonly Span[]; what: string }) {
  const most = Math.max(1, ...spans.map(({ calls }) => calls))
  const calls = spans.reduce((sum, span) => sum + span.calls, 0)
  const failures = spans.reduce((sum, span) => sum + span.failures, 0)
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, Math.round((count / most) * HEIGHT)))
  const width = spans.length * STEP
  return (
    <svg
      role="img"
      aria-label={`${what}: ${countOf(calls, 'call')}, ${failures} failed; at most ${most} at a time`}
      viewBox={`0 0 ${width} ${HEIGHT + 1}`}
      width={width}
      height={HEIGHT + 1}
      className="max-w-full"
    >
      <line x1={0} x2={width} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} className="stroke-edge" strokeWidth={1} />
      {spans.map((span, at) => {
        const all = heightOf(span.calls)
        const failed = Math.min(all, heightOf(span.failures))
        const place = { x: at * STEP, width: STEP - GAP }
        return (
          <g key={span.began_at}>
            <rect {...place} y={HEIGHT - all} height={all - failed} className="fill-accent" />
            <rect {...place} y={HEIGHT - failed} height={failed} className="fill-bad" />
          </g>
        )
      })}
    </svg>
  )
}
