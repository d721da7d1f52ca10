import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Measured } from './bench-file.ts'

const BENCH = join(import.meta.dirname, '..')

/**
 * Order of the parts. Only parts that measure neither processor time nor duration run together. In a quick run matching
 * is judged but not timed, and payments and the memory of saved searches are skipped.
 */
export function listStages(quick: boolean): string[][] {
  const alone = ['start', 'locations', 'http', 'search', 'first-search', 'saved-searches', 'selling', 'bookings'].map(
    (part) => [part],
  )
  return quick
    ? [...alone, ['rooms'], ['drift', 'soak', 'matching']]
    : [...alone, ['payments'], ['matching'], ['rooms'], ['memory', 'drift', 'soak']]
}

/** Runs each part in a separate process, so that none inherits another's heap. */
export function runPart(part: string, flags: readonly string[]): Promise<Measured> {
  const child = spawn(process.execPath, ['--expose-gc', join(BENCH, `${part}.ts`), '--json', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const line = output.split('\n').find((candidate) => candidate.startsWith('figures '))
      if (code === 0 && line !== undefined) resolve(JSON.parse(line.slice('figures '.length)) as Measured)
      else reject(new Error(`${part} reported no figures (exited with ${signal ?? code}; see above)`))
    })
  })
}
