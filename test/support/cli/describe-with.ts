import { describe } from 'vitest'

/** Runs a suite that needs a program. Without the program it is skipped with a warning; in CI it fails. */
export function describeWith(program: string, path: string | undefined, name: string, suite: () => void): void {
  if (path !== undefined || process.env.CI === 'true') describe(name, suite)
  else {
    console.warn(`SKIPPED "${name}": there is no ${program} on this machine.`)
    describe.skip(name, suite)
  }
}
