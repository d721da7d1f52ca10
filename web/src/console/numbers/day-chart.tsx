import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { useDark } from '../../browser/media.ts'
import { usePreferences } from '../../browser/preferences.ts'

type Series = { readonly name: string; readonly values: readonly (number | null)[] }
type Props = {
  days: readonly string[]
  series: readonly Series[]
  label: string
  /** True if only whole numbers are labelled. */
  isCount: boolean
  format(value: number): string
}

const HEIGHT = 180
/** Dashes distinguish the vendors without colours. */
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]]
const COLOURS = ['text-accent', 'text-brass', 'text-muted', 'text-ink']

/** Lines by day, one for each vendor. The table below the charts has the same figures. */
export function DayChart({ days, series, label, isCount, format }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLUListElement>(null)
  const look = `${usePreferences().theme} ${useDark()}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours change with the look
  useEffect(() => {
    const { current: box } = frame
    if (box === null || legend.current === null) return
    const colours = [...legend.current.children].map((entry) => getComputedStyle(entry).color)
    const chart = new uPlot(
      describeChart(box, series, colours, (value) => (isCount && !Number.isInteger(value) ? '' : format(value))),
      [days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000), ...series.map(({ values }) => [...values])],
      box,
    )
    const observer = new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height: HEIGHT }))
    observer.observe(box)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [days, series, isCount, format, look])
  return (
    <figure className="min-w-0">
      <div ref={frame} role="img" aria-label={label} style={{ minHeight: HEIGHT }} />
      <ul ref={legend} className="mt-1 flex flex-wrap gap-x-4 text-xs">
        {series.map(({ name }, index) => (
          <li key={name} className={`flex items-center gap-1.5 ${COLOURS[index % COLOURS.length]}`}>
            <svg aria-hidden="true" width="24" height="8">
              <line
                x1="0"
                x2="24"
                y1="4"
                y2="4"
                stroke="currentColor"
                strokeWidth="2"
                strokeDasharray={DASHES[index % DASHES.length]?.join(' ')}
              />
            </svg>
            <span className="text-ink">{name}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}

/** Drops repeated labels: if all values are 0, the ticks are closer than the format's precision. */
const labelOnce = (labels: readonly string[]): string[] =>
  labels.map((label, index) => (labels.indexOf(label) === index ? label : ''))

/** Days without a line to their neighbours. They are drawn also if the days are too close for the other points. */
function findLonePoints(chart: uPlot, index: number, show: boolean): number[] | null {
  if (show) return null
  const values = chart.data[index] ?? []
  const isEmpty = (day: number) => (values[day] ?? null) === null
  return [...values.keys()].filter((day) => !isEmpty(day) && isEmpty(day - 1) && isEmpty(day + 1))
}

function describeChart(
  box: HTMLElement,
  series: readonly Series[],
  colours: readonly string[],
  format: Props['format'],
): uPlot.Options {
  const { color } = getComputedStyle(box)
  const grid = { stroke: `color-mix(in srgb, ${color} 15%, transparent)`, width: 1 }
  return {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: { y: { range: (_chart, min, max) => [Math.min(0, min), Math.max(max * 1.1, 1e-6)] } },
    axes: [
      { stroke: color, grid: { show: false }, values: '{D} {MMM}' },
      { stroke: color, grid, size: 64, values: (_chart, values) => labelOnce(values.map(format)) },
    ],
    series: [
      {},
      ...series.map(({ name }, index) => ({
        label: name,
        stroke: colours[index] ?? color,
        dash: DASHES[index % DASHES.length] ?? [],
        width: 2,
        points: { size: 5, filter: findLonePoints },
      })),
    ],
  }
}
