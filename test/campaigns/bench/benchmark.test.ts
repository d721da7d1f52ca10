import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { BenchFile } from '../../../bench/support/bench-file.ts'
import { CHART_FILE, FIGURES_FILE, PAGE_FILE, renderChart, renderPage } from '../../../bench/support/benchmark-page.ts'
import { findRegressions } from '../../../bench/support/compare.ts'
import { FIGURES } from '../../../bench/support/figure-list.ts'
import { listStages } from '../../../bench/support/parts.ts'
import { createRows, formatFigure, textTable } from '../../../bench/support/table.ts'

const file = JSON.parse(readFileSync(FIGURES_FILE, 'utf8')) as BenchFile
const baseline = JSON.parse(
  readFileSync(new URL('../../../bench/baseline.json', import.meta.url), 'utf8'),
) as BenchFile['figures']

/** Figures that readers of the JSON may rely on. */
const STABLE_FIGURES = [
  'locations_lookup_mean_us',
  'locations_lookup_p99_us',
  'locations_lookup_vs_best_library',
  'locations_http_vs_fastify',
  'search_cpu_vs_floor',
  'search_added_p50_ms',
  'search_added_p99_ms',
  'detail_http_vs_fastify',
  'bookings_vs_commits',
  'ready_ms',
  'rss_mb',
  'matching_precision',
  'matching_recall',
  'room_matching_precision',
  'room_matching_recall',
  'room_matching_offers_ms',
  'price_drift_share',
]

test.each(STABLE_FIGURES)('figure %s is measured, shown and compared', (name) => {
  expect(file.figures[name]).toEqual(expect.any(Number))
  expect(baseline[name]).toEqual(expect.any(Number))
  expect(FIGURES.find((figure) => figure.name === name)?.slack).toBeDefined()
})

test('the figures are a flat map of names to numbers', () => {
  const values = Object.values(file.figures)
  expect(values.length).toBeGreaterThan(STABLE_FIGURES.length)
  expect(values.filter((value) => value !== null && !Number.isFinite(value))).toEqual([])
})

test('the committed figures are from a full run, and none is empty', () => {
  expect(file.quick).toBe(false)
  expect(createRows(file.figures).filter(({ value }) => value === null)).toEqual([])
})

test('the benchmark page shows the committed figures; update it with npm run bench -- --from bench/figures.json --write', () => {
  const page = readFileSync(PAGE_FILE, 'utf8')
  expect(renderPage(page, file)).toBe(page)
  expect(renderChart(file)).toBe(readFileSync(CHART_FILE, 'utf8'))
})

test('every raw figure behind a ratio is measured', () => {
  const named = createRows(file.figures).flatMap(({ behind = [] }) => behind.map(({ name }) => name))
  expect(named.filter((name) => file.figures[name] === undefined)).toEqual([])
})

test('the table has every figure and fits a terminal of 100 columns', () => {
  const table = textTable({ ...file.figures, something_new: 12.5 })
  expect(table.split('\n').filter((line) => line.length > 100)).toEqual([])
  for (const { words } of createRows(file.figures)) expect(table).toContain(words)
  expect(table).toContain('something_new 12.5')
})

test('parts that measure CPU time run alone', () => {
  const shared = (quick: boolean) => listStages(quick).filter((parts) => parts.length > 1)
  expect(shared(true)).toEqual([['drift', 'soak', 'matching']])
  expect(shared(false)).toEqual([['memory', 'drift', 'soak']])
  expect([...listStages(true).flat(), 'memory', 'payments'].toSorted()).toEqual(listStages(false).flat().toSorted())
})

describe('planted regressions', () => {
  const worsened = (name: string, value: number) =>
    findRegressions({ ...baseline, [name]: value }, baseline).map(({ figure }) => figure.name)

  test.each([
    ['search_cpu_vs_floor', 2],
    ['locations_http_cpu_vs_fastify', 2],
    ['locations_http_vs_fastify', 0.5],
    ['detail_http_vs_fastify', 0.5],
    ['bookings_vs_commits', 0.4],
    ['rss_mb', 1.6],
    ['disk_per_search_kb', 2],
    ['locations_lookup_mean_us', 5],
  ])('a regression of %s to %d times its baseline is found', (name, times) => {
    expect(worsened(name, (baseline[name] ?? Number.NaN) * times)).toEqual([name])
  })

  test.each([
    ['matching_precision', 0.99],
    ['matching_recall', 0.95],
    ['price_drift_share', 0.2],
  ])('a regression of %s to %d is found', (name, value) => {
    expect(worsened(name, value)).toEqual([name])
  })

  test('the usual variation of shared machines is not reported as a regression', () => {
    const moved = FIGURES.map(({ name, better }) => [name, (baseline[name] ?? 0) * (better === 'more' ? 0.999 : 1.3)])
    expect(findRegressions(Object.fromEntries(moved), baseline)).toEqual([])
    expect(findRegressions({ search_cpu_vs_floor: null }, baseline)).toEqual([])
  })
})

test('figures are formatted with their significant digits', () => {
  expect([12_697, 46.23, 0.0614, 1, 7.2, null].map((value) => formatFigure(value))).toEqual([
    '12,697',
    '46.2',
    '0.061',
    '1',
    '7.2',
    '–',
  ])
  expect([formatFigure(5, 'ms'), formatFigure(410, '/s')]).toEqual(['5 ms', '410/s'])
})
