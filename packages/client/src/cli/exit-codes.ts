import { SeraiError } from '../serai-error.ts'

/** Exit codes; README.md lists them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  refused: 4,
  undecided: 5,
  notFound: 6,
  interrupted: 130,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Wrong arguments; prints the message and the usage. */
export class UsageError extends Error {}
export class CommandError extends Error {
  readonly exitCode: ExitCode
  constructor(message: string, exitCode: ExitCode) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The call may have made a booking or sent a cancellation. */
export const isInDoubt = (error: unknown): boolean => error instanceof SeraiError && error.effect === 'unknown'

const REFUSALS = [402, 409, 410, 422]

export function getExitCode(error: unknown): ExitCode {
  if (error instanceof UsageError) return EXIT.usage
  if (error instanceof CommandError) return error.exitCode
  if (!(error instanceof SeraiError)) return EXIT.failed
  if (isInDoubt(error)) return EXIT.undecided
  if (error.status === 401 || error.status === 403) return EXIT.notAllowed
  if (error.status === 404) return EXIT.notFound
  return REFUSALS.includes(error.status) && !error.retryable ? EXIT.refused : EXIT.failed
}
