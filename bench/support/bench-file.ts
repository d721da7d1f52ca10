/** `null` if a figure could not be measured; the reason was printed during the run. */
export type Measured = Readonly<Record<string, number | null>>

/** Output of `npm run bench -- --json FILE`. */
export type BenchFile = {
  readonly measured_on: string
  readonly machine: string
  readonly quick: boolean
  readonly seconds: number
  /** Load average before the run, in cores. Figures of a busy machine vary by a factor. */
  readonly load_before: number
  readonly figures: Measured
}

export const serializeBench = (file: object): string => `${JSON.stringify(file, undefined, 2)}\n`
