import { ApiProblem } from '../../api/problem.ts'

/**
 * Throws if a typed text is not a number, with a message for each such field; an empty text passes. JSON would turn NaN into
 * null, which the service takes for "no limit" or "not given".
 */
export function refuseNonNumbers(typed: Readonly<Record<string, string>>): void {
  const wrong = Object.keys(typed).filter((field) => !Number.isFinite(Number(typed[field])))
  const errors = wrong.map((field) => ({ field, code: 'invalid', message: 'Write a number, such as 12.5.' }))
  if (errors.length > 0) throw new ApiProblem(422, { code: 'invalid_request', errors })
}
