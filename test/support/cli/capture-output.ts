import { format } from 'node:util'
import { vi } from 'vitest'

export type Printed = { readonly code: number | undefined; readonly out: string; readonly err: string }

/** Runs a command and captures its exit code and output, without the last line break. Not for concurrent use. */
export async function captureOutput(
  work: () => Promise<number | undefined>,
  onOutput: (out: string) => void = () => undefined,
): Promise<Printed> {
  const out: string[] = []
  const err: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...line) => {
    out.push(format(...line))
    onOutput(out.join('\n'))
  })
  const error = vi.spyOn(console, 'error').mockImplementation((...line) => void err.push(format(...line)))
  try {
    return { code: await work(), out: out.join('\n'), err: err.join('\n') }
  } finally {
    log.mockRestore()
    error.mockRestore()
  }
}
