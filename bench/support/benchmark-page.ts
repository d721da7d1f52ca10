import { join } from 'node:path'
import type { BenchFile } from './bench-file.ts'
import { chartSvg } from './chart.ts'
import { replaceMarked } from './marked-page.ts'
import { createRows, machineLine, markdownTable } from './table.ts'

const ROOT = join(import.meta.dirname, '../..')

export const FIGURES_FILE = join(ROOT, 'bench/figures.json')
export const PAGE_FILE = join(ROOT, 'docs/benchmark.md')
export const CHART_FILE = join(ROOT, 'docs/images/benchmark.svg')

/** Replaces the figures on the page and keeps the text around them. */
export const renderPage = (page: string, file: BenchFile): string =>
  replaceMarked(page, 'figures', `${machineLine(file)}\n\n${markdownTable(file.figures)}`)

export const renderChart = ({ figures }: BenchFile): string => chartSvg(createRows(figures))
