/** `null` where a figure could not be measured; why was said when it was tried. */
export type Measured = Readonly<Record<string, number | null>>

/** What `npm run bench -- --json FILE` writes. */
export type BenchFile = {
  readonly measured_on: string
  readonly machine: string
  readonly quick: boolean
  readonly seconds: number
  /** What the machine was busy with before we began, in cores; figures of a busy one swing by a factor. */
  readonly load_before: number
  readonly figures: Measured
}

export const benchText = (file: object): string => `${JSON.stringify(file, undefined, 2)}\n`
