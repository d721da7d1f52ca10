import { ApiProblem } from '../../api/problem.ts'

/** Errors that the service reported for a form. */
export type FormFaults = {
  getError(field: string): string | undefined
  /** Error that does not belong to a field of the form and must be shown separately. */
  readonly other: Error | undefined
}

export function formFaults(error: Error | null, fields: readonly string[]): FormFaults {
  const faults = error instanceof ApiProblem ? error.fields : []
  const isAtFields = faults.length > 0 && faults.every(({ field }) => fields.includes(field))
  return {
    getError: (name) => faults.find(({ field }) => field === name)?.message,
    other: error === null || isAtFields ? undefined : error,
  }
}
