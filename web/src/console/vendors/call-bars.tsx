import type { components } from '../../../../packages/client/src/index.ts'
import { formatCount } from '../parts/format-count.ts'

type Span = components['schemas']['VendorCallSpan']

const HEIGHT = 32
const STEP = 8
const GAP = 2

/** One bar per interval: all calls and failed calls. The label has the same information. */
export function CallBars({ spans, what }: { spans: readonly Span[]; what: string }) {
  const maximum = Math.max(1, ...spans.map(({ calls }) => calls))
  const calls = spans.reduce((sum, span) => sum + span.calls, 0)
  const failures = spans.reduce((sum, span) => sum + span.failures, 0)
  const toHeight = (count: number) => (count === 0 ? 0 : Math.max(2, Math.round((count / maximum) * HEIGHT)))
  const width = spans.length * STEP
  return (
    <svg
      role="img"
      aria-label={`${what}: ${formatCount(calls, 'call')}, ${failures} failed; at most ${maximum} per interval`}
      viewBox={`0 0 ${width} ${HEIGHT + 1}`}
      width={width}
      height={HEIGHT + 1}
      className="max-w-full"
    >
      <line x1={0} x2={width} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} className="stroke-edge" strokeWidth={1} />
      {spans.map((span, index) => {
        const all = toHeight(span.calls)
        const failed = Math.min(all, toHeight(span.failures))
        const place = { x: index * STEP, width: STEP - GAP }
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
