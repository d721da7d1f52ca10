import { Readable } from 'node:stream'
import { format } from 'node:util'
import { vi } from 'vitest'
import { runSerai } from '../../../src/cli/run-serai.ts'
import { explainFailure } from '../../../src/process/explain-failure.ts'

export type Ended = { readonly code: number | null | undefined; readonly out: string; readonly err: string }

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
): Promise<Ended> {
  let [out, err] = ['', '']
  const stdin = new Readable({ read: () => undefined })
  const type = (text: string | undefined) => {
    if (text === undefined || stdin.readableEnded) return
    stdin.push(text)
    stdin.push(null)
  }
  const before = process.env
  process.env = { ...env }
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as typeof process.stdin)
  vi.spyOn(console, 'log').mockImplementation((...line) => {
    out += `${format(...line)}\n`
    type(answer?.(out))
  })
  vi.spyOn(console, 'error').mockImplementation((...line) => {
    err += `${format(...line)}\n`
  })
  if (answer === undefined) type(typed)
  try {
    return { code: await runSerai(args), out, err }
  } catch (error) {
    return { code: 1, out, err: `${err}${explainFailure(error)}\n` }
  } finally {
    vi.restoreAllMocks()
    process.env = before
  }
}
