import { ApiProblem } from './problem.ts'
import type { TermChange } from './shapes.ts'

export type RisenFee = Extract<TermChange, { what: 'cancellation_fee' }>

/** Old and new fee, if a cancellation was refused because the fee has risen. */
export function readRisenFee(error: unknown): RisenFee | undefined {
  if (!(error instanceof ApiProblem) || error.code !== 'terms_changed') return undefined
  const changes = Array.isArray(error.body.changes) ? (error.body.changes as readonly TermChange[]) : []
  return changes.find((change) => change.what === 'cancellation_fee')
}
