import { ApiProblem } from '../../api/problem.ts'

/** Rejects a form as the service would, with a message for each field. */
export function refuseFields(messages: Readonly<Record<string, string | undefined>>): void {
  const errors = Object.entries(messages).flatMap(([field, message]) =>
    message === undefined ? [] : [{ field, code: 'invalid', message }],
  )
  if (errors.length > 0) throw new ApiProblem(422, { code: 'invalid_request', errors })
}

/** JSON would turn NaN into null, which the service reads as "no limit" or "not given". */
export const numberFault = (typed: string): string | undefined =>
  Number.isFinite(Number(typed)) ? undefined : 'Enter a number, such as 12.5.'
