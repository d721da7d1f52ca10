import type { BenchFile, Measured } from './bench-file.ts'
import { FIGURES, type Figure } from './figure-list.ts'

const WIDTH = 100
const WORDS = 60
const VALUE = 14

export type Row = Figure & { readonly value: number | null; readonly isMet: boolean | undefined }

export function createRows(figures: Measured): Row[] {
  return FIGURES.filter(({ name }) => figures[name] !== undefined).map((figure) => {
    const value = figures[figure.name] ?? null
    const { target, better } = figure
    const isMet =
      value === null || target === undefined ? undefined : better === 'more' ? value >= target : value <= target
    return { ...figure, value, isMet }
  })
}

/** Table for a terminal: by area, the raw figures under each ratio, the rest at the end. */
export function textTable(figures: Measured): string {
  const lines: string[] = []
  for (const [area, rows] of Map.groupBy(createRows(figures), (row) => row.area)) {
    lines.push('', area)
    for (const row of rows) {
      lines.push(
        `${formatMark(row)} ${row.words.padEnd(WORDS)}${formatFigure(row.value, row.unit).padStart(VALUE)}   ${formatTarget(row)}`,
      )
      lines.push(...wrap(formatDetails(row, figures), '      '))
    }
  }
  const rest = listRest(figures)
  if (rest.length > 0)
    lines.push('', 'Also measured', ...wrap(rest.map((name) => `${name} ${formatFigure(figures[name] ?? null)}`)))
  return lines.map((line) => line.trimEnd()).join('\n')
}

/** For the page: figures with a target. All others are in `bench/figures.json`. */
export function markdownTable(figures: Measured): string {
  const lines = ['| | | measured | target |', '|---|---|--:|--:|']
  const judged = createRows(figures).filter(({ target }) => target !== undefined)
  for (const [area, rows] of Map.groupBy(judged, (row) => row.area)) {
    lines.push(`| | **${area}** | | |`)
    for (const row of rows) {
      const cells = [formatMark(row).trim(), row.words, formatFigure(row.value, row.unit), formatTarget(row)]
      lines.push(`| ${cells.join(' | ')} |`.replace(/ {2,}/g, ' '))
    }
  }
  return lines.join('\n')
}

export const machineLine = ({ measured_on, machine, quick, seconds, load_before }: BenchFile): string =>
  `Measured on ${measured_on} with ${machine},\nin ${seconds} s${quick ? ' (a quick run)' : ''}; load average ${formatFigure(load_before)}.`

/** Numbers with few digits and thousands separators. */
export function formatFigure(value: number | null | undefined, unit = ''): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3
  const number = value.toLocaleString('en-US', { maximumFractionDigits: digits })
  return unit === '' || unit.startsWith('/') ? `${number}${unit}` : `${number} ${unit}`
}

const formatMark = ({ isMet }: Row): string => (isMet === undefined ? ' ' : isMet ? '✓' : '✗')

const formatTarget = ({ target, better, unit }: Row): string =>
  target === undefined ? '' : `${better === 'more' ? '≥' : '≤'} ${formatFigure(target, unit)}`

const formatDetails = ({ behind = [] }: Row, figures: Measured): string[] =>
  behind
    .filter(({ name }) => figures[name] !== undefined)
    .map(({ words, name, unit }) => `${words} ${formatFigure(figures[name], unit)}`)

function listRest(figures: Measured): string[] {
  const shown = new Set(FIGURES.flatMap(({ name, behind = [] }) => [name, ...behind.map((detail) => detail.name)]))
  return Object.keys(figures).filter((name) => !shown.has(name))
}

function wrap(parts: readonly string[], indent = '  '): string[] {
  const lines: string[] = []
  let line = ''
  for (const part of parts) {
    const longer = line === '' ? indent + part : `${line} · ${part}`
    if (longer.length > WIDTH && line !== '') {
      lines.push(line)
      line = indent + part
    } else line = longer
  }
  return line === '' ? lines : [...lines, line]
}
