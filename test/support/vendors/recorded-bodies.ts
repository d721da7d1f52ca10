import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { parse } from 'yaml'

/**
 * Recorded bodies and documents of vendors, which we may not publish. `SERAI_RECORDED_BODIES` is a folder with
 * `rapid/` and `hotelbeds/`, each with `samples/` and the vendor's OpenAPI documents.
 */
const folder = process.env.SERAI_RECORDED_BODIES ?? ''
const SKIPPED = 'skipped: recorded vendor bodies are not part of this repository'

/** Tests on recorded bodies. Without them, one skipped test and a warning report it. */
export function describeRecorded(name: string, tests: () => void): void {
  if (folder !== '') return void describe(name, tests)
  console.warn(`${SKIPPED} (${name})`)
  test.skip(`${name}: ${SKIPPED}`, () => {})
}

/** Recorded bodies of a vendor whose names, without `.json`, match. */
export function recordedBodies(vendor: string, pattern: RegExp): [name: string, body: unknown][] {
  const samples = join(folder, vendor, 'samples')
  if (!existsSync(samples)) throw new Error(`SERAI_RECORDED_BODIES has no ${vendor}/samples: ${folder}`)
  const names = readdirSync(samples).filter((file) => file.endsWith('.json') && pattern.test(file.slice(0, -5)))
  if (names.length === 0) throw new Error(`no recorded body of ${vendor} is called ${pattern}`)
  return names.sort().map((file) => [file.slice(0, -5), JSON.parse(readFileSync(join(samples, file), 'utf8'))])
}

/** An OpenAPI document of a vendor, from JSON or YAML. */
export const recordedDocument = (vendor: string, file: string): Record<string, unknown> =>
  parse(readFileSync(join(folder, vendor, file), 'utf8'))
