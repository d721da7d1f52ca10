import type { Measured } from './bench-file.ts'
import { FIGURES, type Figure } from './figure-list.ts'

type Regression = { readonly figure: Figure; readonly value: number; readonly before: number; readonly limit: number }

/** Figures that are much worse than the baseline. Figures missing on either side are skipped. */
export function findRegressions(figures: Measured, baseline: Measured): Regression[] {
  return FIGURES.flatMap((figure) => {
    const [value, before] = [figures[figure.name], baseline[figure.name]]
    if (typeof value !== 'number' || typeof before !== 'number') return []
    const limit = computeLimit(figure, before)
    if (limit === undefined) return []
    const isWorse = figure.better === 'more' ? value < limit : value > limit
    return isWorse ? [{ figure, value, before, limit }] : []
  })
}

function computeLimit({ slack, better }: Figure, before: number): number | undefined {
  if (slack === undefined) return undefined
  if ('by' in slack) return better === 'more' ? before - slack.by : before + slack.by
  return better === 'more' ? before / slack.times : before * slack.times
}
