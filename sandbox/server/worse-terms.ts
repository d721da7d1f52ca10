import { hasFault } from './fault-plan.ts'
import type { Fault } from './faults.ts'
import type { StandInSettings } from './settings.ts'

/** Term that became worse between the offer and the price check, at the same total. */
export type Worsening = 'terms' | 'fees' | 'board'

const BY_FAULT = [
  ['terms_change', 'terms'],
  ['fees_move', 'fees'],
  ['board_change', 'board'],
] as const

/** Applies a fault, or worsens a share of all offers. `draw` is the offer's own number in [0, 1). */
export function chooseWorsening(
  faults: readonly Fault[],
  { worseTerms }: Pick<StandInSettings, 'worseTerms'>,
  draw: number,
): Worsening | undefined {
  const planned = BY_FAULT.find(([kind]) => hasFault(faults, kind))
  if (planned !== undefined) return planned[1]
  return draw < worseTerms ? BY_FAULT[Math.floor((draw / worseTerms) * BY_FAULT.length)]?.[1] : undefined
}
