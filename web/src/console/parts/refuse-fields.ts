import { ApiProblem } from '../../api/problem.ts'

/** Refuses a form as the service would: a message for each field. */
export function refuseFields(messages: Readonly<Record<string, string | undefined>>): void {
  const errors = Object.entries(messages).flatMap(([field, message]) =>
    message === undefined ? [] : [{ field, code: 'invalid', message }],
  )
  if (errors.length > 0) throw new ApiProblem(422, { code: 'invalid_request', errors })
}

/**
 * What is wrong with a typed number; nothing with an empty text. JSON would turn NaN into null, which the service takes for "no
 * limit" or "not given".
 */
export const numberFault = (typed: string): string | undefined =>
  Number.isFinite(Number(typed)) ? undefined : 'Write a number, such as 12.5.'
