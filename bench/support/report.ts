/** For a bench run as a program: a table for people, or with `--json` one line for `bench/run.ts`. */
export async function report(bench: (options: { quick: boolean }) => Promise<Record<string, number>>): Promise<void> {
  const figures = await bench({ quick: process.argv.includes('--quick') })
  if (process.argv.includes('--json')) console.log(`figures ${JSON.stringify(figures)}`)
  else console.table(figures)
}
