export type Row = {
  readonly words: string
  readonly value: number
  readonly target: number
  readonly better: 'more' | 'less'
  readonly isMet: boolean
}

const WIDTH = 760
const ROW = 30
const LEFT = 330
const BAR = 300

/** One bar a figure, as a share of its target: up to the line is met for "at most", beyond it for "at least". */
export function chartSvg(rows: readonly Row[]): string {
  const height = rows.length * ROW + 40
  const bars = rows.map((row, at) => bar(row, 30 + at * ROW))
  const middle = LEFT + BAR / 2
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui,sans-serif" font-size="13">
<title>Each figure as a share of its target</title>
<rect width="${WIDTH}" height="${height}" fill="#fbf9f5"/>
<line x1="${middle}" x2="${middle}" y1="14" y2="${height - 8}" stroke="#8a8072" stroke-dasharray="3 3"/>
<text x="${middle}" y="12" text-anchor="middle" fill="#6d6456">target</text>
${bars.join('\n')}
</svg>
`
}

function bar({ words, value, target, better, isMet }: Row, y: number): string {
  const share = Number.isFinite(value) ? Math.min(2, target === 0 ? 1 : value / target) : 0
  const length = Math.max(2, (share / 2) * BAR)
  const sign = better === 'more' ? '≥' : '≤'
  return (
    `<text x="${LEFT - 12}" y="${y + 14}" text-anchor="end" fill="#2b2620">${words.replaceAll('&', '&amp;')}</text>` +
    `<rect x="${LEFT}" y="${y + 2}" width="${length.toFixed(1)}" height="16" rx="3" fill="${isMet ? '#5b7f5a' : '#b4552d'}"/>` +
    `<text x="${LEFT + BAR + 12}" y="${y + 14}" fill="#2b2620">${Number.isFinite(value) ? value : '–'} (${sign} ${target})</text>`
  )
}
