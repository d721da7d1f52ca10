import { type ParseArgsConfig, parseArgs } from 'node:util'

/** One command group of `serai`. */
export type Command = {
  /** Printed for --help and for wrong arguments. */
  readonly usage: string
  /** Returns the exit code (0 done, 1 failed, 2 wrong arguments); undefined keeps the process running. */
  run(args: string[]): Promise<number | undefined>
}

/** Prints to standard output, or to standard error for a failure, and returns the exit code. */
export function print(text: string, exitCode: number): number {
  if (exitCode === 0) console.log(text)
  else console.error(text)
  return exitCode
}

/** What `parseArgs` reads, or undefined where the arguments are wrong. */
export function tryParseArgs<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> | undefined {
  try {
    return parseArgs(config)
  } catch {
    return undefined
  }
}
