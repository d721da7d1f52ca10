/** What a part is told; each takes what concerns it. */
export type BenchOptions = {
  readonly quick: boolean
  /** How long the service is kept under load before its memory is read; each part's own choice where it is not given. */
  readonly soakSeconds: number | undefined
}

/** For a bench run as a program: a table for people, or with `--json` one line for `bench/run.ts`. */
export async function report(bench: (options: BenchOptions) => Promise<Record<string, number>>): Promise<void> {
  const argv = process.argv.slice(2)
  const soak = argv.includes('--soak') ? Number(argv[argv.indexOf('--soak') + 1]) : undefined
  const figures = await bench({ quick: argv.includes('--quick'), soakSeconds: soak })
  if (argv.includes('--json')) console.log(`figures ${JSON.stringify(figures)}`)
  else console.table(figures)
}
