import { ApiProblem } from '../../api/problem.ts'

/** What the service found wrong with a form. */
export type FormFaults = {
  /** The message for a field. */
  errorOf(field: string): string | undefined
  /** The error, where it is about anything else than the fields of the form: it has to be shown beside them. */
  readonly other: Error | undefined
}

export function formFaults(error: Error | null, fields: readonly string[]): FormFaults {
  const faults = error instanceof ApiProblem ? error.fields : []
  const isAtFields = faults.length > 0 && faults.every(({ field }) => fields.includes(field))
  return {
    errorOf: (name) => faults.find(({ field }) => field === name)?.message,
    other: error === null || isAtFields ? undefined : error,
  }
}
