import { Readable } from 'node:stream'
import { format } from 'node:util'
import { vi } from 'vitest'

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

/**
 * Runs a command of `serai-api` in this process, which costs a hundredth of starting one. One at a time.
 * The program reads the paths of its files once, so every call of a process must name the same home.
 */
export async function runSeraiApiInProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Ended> {
  let [out, err] = ['', '']
  const before = process.env
  process.env = { ...env }
  const spies = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as typeof process.stdin),
    vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      err += chunk
      return true
    }),
    vi.spyOn(console, 'log').mockImplementation((...line) => {
      out += `${format(...line)}\n`
    }),
    vi.spyOn(console, 'error').mockImplementation((...line) => {
      err += `${format(...line)}\n`
    }),
  ]
  try {
    const { runSeraiApi } = await import('../../../packages/client/src/cli/run-serai-api.ts')
    return { code: await runSeraiApi(args), out, err }
  } finally {
    for (const spy of spies) spy.mockRestore()
    process.env = before
  }
}
