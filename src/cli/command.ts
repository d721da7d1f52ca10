/** One command group of `serai`. */
export type Command = {
  /** Printed for --help and for wrong arguments. */
  readonly usage: string | ((args: string[]) => Promise<string>)
  /** Returns the exit code (0 done, 1 failed, 2 wrong arguments); undefined keeps the process running. */
  run(args: string[]): Promise<number | undefined>
}

/** Prints to standard output, or to standard error for a failure, and returns the exit code. */
export function print(text: string, exitCode: number): number {
  if (exitCode === 0) console.log(text)
  else console.error(text)
  return exitCode
}

/** Makes text of vendors and guests safe for a terminal: no escape codes, line breaks or direction marks. */
export const sanitize = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

/** Printed with the command's usage, like an option that `parseArgs` rejects. Exit code 2. */
export class WrongArgument extends Error {
  override readonly name = 'WrongArgument'
}
