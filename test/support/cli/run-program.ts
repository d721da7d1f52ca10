import { pathToFileURL } from 'node:url'
import { vi } from 'vitest'
import { captureOutput, type Printed } from './capture-output.ts'

class Exit extends Error {
  readonly code: number
  constructor(code: number) {
    super(`exit code ${code}`)
    this.code = code
  }
}

let runs = 0

/**
 * Runs a program that reads its arguments at the top level, in this process, until it calls `process.exit`.
 * Only for arguments that make it exit at once, and not for concurrent use.
 */
export async function runProgram(file: string, args: readonly string[]): Promise<Printed> {
  const { argv } = process
  process.argv = [process.execPath, file, ...args]
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Exit(Number(code ?? 0))
  })
  // A module is evaluated once per URL.
  runs += 1
  const url = `${pathToFileURL(file)}?run=${runs}`
  try {
    return await captureOutput(() =>
      import(/* @vite-ignore */ url).then(
        () => 0,
        (error: unknown) => {
          if (error instanceof Exit) return error.code
          throw error
        },
      ),
    )
  } finally {
    exit.mockRestore()
    process.argv = argv
  }
}
