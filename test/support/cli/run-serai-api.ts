import { Readable } from 'node:stream'
import { format } from 'node:util'
import { vi } from 'vitest'

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

/**
 * Runs a `serai-api` command in this process, 100 times cheaper than a separate one. Not for concurrent use.
 * The program reads its file paths once, so every call in a process must use the same home folder.
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
