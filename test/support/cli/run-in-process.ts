import { Readable } from 'node:stream'
import { vi } from 'vitest'
import { runSerai } from '../../../src/cli/run-serai.ts'
import { explainFailure } from '../../../src/process/explain-failure.ts'
import { type Printed, printed } from './printed.ts'

export type Typing = {
  readonly typed?: string
  /** What can only be typed once something was printed; undefined waits for more. */
  readonly answer?: (out: string) => string | undefined
}

/** Runs a command of `serai` in this process, which costs a hundredth of starting one. One at a time. */
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
    return await printed(
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
