import { Readable } from 'node:stream'
import { vi } from 'vitest'
import { runSerai } from '../../../src/cli/run-serai.ts'
import { explainFailure } from '../../../src/process/explain-failure.ts'
import { captureOutput, type Printed } from './capture-output.ts'

export type Typing = {
  readonly typed?: string
  /** Input that depends on the output so far; undefined waits for more output. */
  readonly answer?: (out: string) => string | undefined
}

/** Runs a `serai` command in this process, 100 times cheaper than a separate one. Not for concurrent use. */
export async function runInProcess(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { typed = '', answer }: Typing = {},
): Promise<Printed> {
  const stdin = new Readable({ read: () => undefined })
  const type = (text: string | undefined) => {
    if (text === undefined || stdin.readableEnded) return
    stdin.push(text)
    stdin.push(null)
  }
  const before = process.env
  process.env = { ...env }
  const input = vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as typeof process.stdin)
  if (answer === undefined) type(typed)
  try {
    return await captureOutput(
      () =>
        runSerai(args).catch((error) => {
          console.error(explainFailure(error))
          return 1
        }),
      (out) => type(answer?.(out)),
    )
  } finally {
    input.mockRestore()
    process.env = before
  }
}
