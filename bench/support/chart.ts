import { formatFigure, type Row } from './table.ts'

const WIDTH = 860
const ROW = 22
const GAP = 12
const TOP = 64
const LEFT = 372
const BAR = 300
const MIDDLE = LEFT + BAR / 2
/** Bars end at ten times better or worse than the target. */
const FACTOR_MAX = 10

/**
 * Distance of each figure from its target, on a logarithmic scale: better is always to the right, worse to the left.
 */
export function chartSvg(rows: readonly Row[]): string {
  const parts: string[] = []
  let y = TOP
  for (const [area, targeted] of Map.groupBy(rows.filter(hasTarget), (row) => row.area)) {
    parts.push(`<text class="area" x="16" y="${y + 12}">${xml(area)}</text>`)
    for (const row of targeted) {
      y += ROW
      parts.push(bar(row, y))
    }
    y += ROW + GAP
  }
  const scale = [1 / FACTOR_MAX, 1 / 2, 1, 2, FACTOR_MAX].map((times) => tick(times, y))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 8}" role="img" font-family="system-ui,sans-serif" font-size="12">
<title>Distance of each figure from its target</title>
<style>
text { fill: #7d776e } .area, .title { font-weight: 600 } .title { font-size: 15px }
line { stroke: #9a948a; stroke-width: 1 } .met { fill: #4f9a6b } .missed { fill: #d1703c }
@media (prefers-color-scheme: dark) { text { fill: #b9b3a8 } line { stroke: #6d675e } }
</style>
<text class="title" x="16" y="24">Distance of each figure from its target</text>
${[...scale, ...parts].join('\n')}
</svg>
`
}

type TargetedRow = Row & { readonly target: number; readonly value: number }

const hasTarget = (row: Row): row is TargetedRow => row.target !== undefined && row.value !== null

function bar({ words, value, target, better, unit, isMet }: TargetedRow, y: number): string {
  const factor = better === 'more' ? value / target : target / value
  const end = toX(Number.isNaN(factor) ? 1 : factor)
  const from = Math.min(MIDDLE, end)
  const length = Math.max(2, Math.abs(end - MIDDLE))
  const sign = better === 'more' ? '≥' : '≤'
  return (
    `<text x="${LEFT - 12}" y="${y + 12}" text-anchor="end">${xml(words)}</text>` +
    `<rect class="${isMet ? 'met' : 'missed'}" x="${from.toFixed(1)}" y="${y + 1}" width="${length.toFixed(1)}" height="14" rx="2"/>` +
    `<text x="${LEFT + BAR + 12}" y="${y + 12}">${xml(`${formatFigure(value, unit)}  (${sign} ${formatFigure(target, unit)})`)}</text>`
  )
}

const SIDES = new Map([
  [1 / FACTOR_MAX, ' worse'],
  [FACTOR_MAX, ' better'],
])

function tick(times: number, bottom: number): string {
  const x = toX(times).toFixed(1)
  const words = times === 1 ? 'target' : `${Math.max(times, 1 / times)}×${SIDES.get(times) ?? ''}`
  const dashes = times === 1 ? '' : ' stroke-dasharray="2 4" opacity="0.6"'
  return (
    `<text x="${x}" y="${TOP - 16}" text-anchor="middle" font-size="11">${words}</text>` +
    `<line x1="${x}" x2="${x}" y1="${TOP - 8}" y2="${bottom - GAP}"${dashes}/>`
  )
}

/** The logarithm of a number between a tenth and ten is between -1 and 1. */
function toX(factor: number): number {
  const bounded = Math.min(FACTOR_MAX, Math.max(1 / FACTOR_MAX, factor))
  return MIDDLE + (Math.log10(bounded) / Math.log10(FACTOR_MAX)) * (BAR / 2)
}

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
