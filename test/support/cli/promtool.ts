import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../../scripts/system-packages.ts'
import { describeWith } from './describe-with.ts'

const PROGRAM = findProgram('promtool')

export const describeWithPromtool = (name: string, suite: () => void): void =>
  describeWith('promtool', PROGRAM, name, suite)

/** Writes the files into an empty folder and runs promtool there on the last one. */
export function runPromtool(command: readonly string[], files: Readonly<Record<string, string>>) {
  const cwd = mkdtempSync(join(tmpdir(), 'promtool-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  try {
    const last = Object.keys(files).at(-1) ?? ''
    const { status, stdout, stderr } = spawnSync(PROGRAM ?? 'promtool', [...command, last], { cwd, encoding: 'utf8' })
    return { status, output: `${stdout}${stderr}` }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}
