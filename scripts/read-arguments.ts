import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Parses the command line of a script. Prints the usage and exits for --help (0) and for invalid arguments (2). */
export function readArguments<T extends ParseArgsConfig>(usage: string, config: T): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return parseArgs(config)
  } catch (error) {
    return refuse(usage, error instanceof Error ? error.message : String(error))
  }
}

/** Reads a positive number from the command line; otherwise prints the usage and exits. */
export function readNumber(usage: string, option: string, text: string): number {
  const value = Number(text)
  return value > 0 ? value : refuse(usage, `${option} must be a number greater than 0.`)
}

/** Reads an integer of at least 0 from the command line. */
export function readCount(usage: string, option: string, text: string): number {
  return /^\d+$/.test(text) ? Number(text) : refuse(usage, `${option} must be an integer of at least 0.`)
}

/** Reads one of several words from the command line. */
export function readChoice(usage: string, option: string, choices: readonly string[], text: string): string {
  return choices.includes(text) ? text : refuse(usage, `${option} must be one of: ${choices.join(', ')}.`)
}

export function refuse(usage: string, message: string): never {
  console.error(`${message}\n\n${usage}`)
  process.exit(2)
}
