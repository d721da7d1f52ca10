import { type ParseArgsConfig, parseArgs } from 'node:util'
import { SIMULATIONS } from '../generated/operations.ts'
import type { Simulation } from '../methods.ts'
import { type ExitCode, UsageError } from './exit-codes.ts'

export type Command = {
  readonly summary: string
  /** Printed for --help and after wrong arguments. */
  readonly usage: string
  /** For shell completion. */
  readonly options: readonly string[]
  run(args: string[]): Promise<ExitCode>
}

export type Options = NonNullable<ParseArgsConfig['options']>

/** Parses the arguments of a command. Every command also takes --json. */
export function parseCommand<const O extends Options>(
  args: string[],
  options: O,
  positionals: { min: number; max: number },
) {
  const all = { ...options, json: { type: 'boolean' } } as const
  const parsed = parseArgs({ args, options: all, allowPositionals: true, allowNegative: true })
  const count = parsed.positionals.length
  if (count < positionals.min) throw new UsageError('Missing argument.')
  if (count > positionals.max) throw new UsageError(`Unexpected argument: ${parsed.positionals[positionals.max]}`)
  return parsed
}

export function parseNumberOption(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--${name} must be a whole number of at most six digits.`)
  return Number(text)
}

export function parseSimulation(text: string | undefined): Simulation | undefined {
  if (text === undefined) return undefined
  const known = SIMULATIONS.find((simulation) => simulation === text)
  if (known === undefined) throw new UsageError(`--simulate must be one of ${SIMULATIONS.join(', ')}.`)
  return known
}

/** `--simulate` without a value means success. */
export const expandSimulateFlag = (args: readonly string[]): string[] =>
  args.flatMap((argument, index) => {
    const next = args[index + 1]
    const isBare = argument === '--simulate' && !SIMULATIONS.some((value) => value === next)
    return isBare ? ['--simulate=success'] : [argument]
  })
