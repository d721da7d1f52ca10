import type { Measured } from './bench-file.ts'
import { FIGURES, type Figure } from './figure-list.ts'

type Worse = { readonly figure: Figure; readonly value: number; readonly before: number; readonly limit: number }

/** What is much worse than the baseline; a figure that either side lacks is passed over. */
export function worseThan(figures: Measured, baseline: Measured): Worse[] {
  return FIGURES.flatMap((figure) => {
    const [value, before] = [figures[figure.name], baseline[figure.name]]
    if (typeof value !== 'number' || typeof before !== 'number') return []
    const limit = limitOf(figure, before)
    if (limit === undefined) return []
    const isWorse = figure.better === 'more' ? value < limit : value > limit
    return isWorse ? [{ figure, value, before, limit }] : []
  })
}

function limitOf({ slack, better }: Figure, before: number): number | undefined {
  if (slack === undefined) return undefined
  if ('by' in slack) return better === 'more' ? before - slack.by : before + slack.by
  return better === 'more' ? before / slack.times : before * slack.times
}
