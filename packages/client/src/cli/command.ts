import { type ParseArgsConfig, parseArgs } from 'node:util'
import { SIMULATIONS } from '../generated/operations.ts'
import type { Simulation } from '../methods.ts'
import { type ExitCode, UsageError } from './exit-codes.ts'

/** One command of `serai-api`. */
export type Command = {
  readonly summary: string
  /** Printed for --help and for wrong arguments. */
  readonly usage: string
  /** For completion. */
  readonly options: readonly string[]
  run(args: string[]): Promise<ExitCode>
}

export type Options = NonNullable<ParseArgsConfig['options']>

/** The arguments of a command; every command also takes --json. */
export function read<const O extends Options>(args: string[], options: O, positionals: { min: number; max: number }) {
  const all = { ...options, json: { type: 'boolean' } } as const
  const parsed = parseArgs({ args, options: all, allowPositionals: true, allowNegative: true })
  const count = parsed.positionals.length
  if (count < positionals.min) throw new UsageError('An argument is missing.')
  if (count > positionals.max) throw new UsageError(`One argument too many: ${parsed.positionals[positionals.max]}`)
  return parsed
}

/** A whole number of an option. */
export function numberOf(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--${name} must be a whole number of at most six digits.`)
  return Number(text)
}

export function simulationOf(text: string | undefined): Simulation | undefined {
  if (text === undefined) return undefined
  const known = SIMULATIONS.find((one) => one === text)
  if (known === undefined) throw new UsageError(`--simulate must be one of ${SIMULATIONS.join(', ')}.`)
  return known
}

/** `--simulate` alone means success, as most people want it. */
export const withSimulation = (args: readonly string[]): string[] =>
  args.flatMap((one, at) => {
    const next = args[at + 1]
    return one === '--simulate' && !SIMULATIONS.some((value) => value === next) ? ['--simulate=success'] : [one]
  })
