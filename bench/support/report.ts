import { readArguments, readNumber } from '../../scripts/read-arguments.ts'

/** Options of a bench part; each uses those that concern it. */
export type BenchOptions = {
  readonly quick: boolean
  /** Load duration before memory is measured; undefined uses the part's default. */
  readonly soakSeconds: number | undefined
}

const USAGE = `Usage: node ${process.argv[1]} [--quick] [--soak SECONDS] [--json]

Prints a table, or with --json one line for bench/run.ts.`

/** Runs one part as a program. */
export async function report(bench: (options: BenchOptions) => Promise<Record<string, number>>): Promise<void> {
  const { values } = readArguments(USAGE, {
    options: {
      quick: { type: 'boolean', default: false },
      soak: { type: 'string' },
      json: { type: 'boolean', default: false },
      errors: { type: 'boolean', default: false },
    },
  })
  const soakSeconds = values.soak === undefined ? undefined : readNumber(USAGE, '--soak', values.soak)
  const figures = await bench({ quick: values.quick, soakSeconds })
  if (values.json) console.log(`figures ${JSON.stringify(figures)}`)
  else console.table(figures)
}
