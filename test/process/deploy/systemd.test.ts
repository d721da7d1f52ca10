import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findProgram } from '../../../scripts/system-packages.ts'
import { describeWith } from '../../support/cli/describe-with.ts'
import { readText } from '../../unit/deploy/deploy-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'serai-unit-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The unit with paths and a user that exist on this machine. */
const unit = readText('deploy/systemd/serai.service')
  .replace('/usr/bin/node', process.execPath)
  .replace('/opt/serai', folder)
  .replaceAll(/^(User|Group)=serai$/gm, '$1=daemon')

function analyze(command: readonly string[], text: string) {
  const path = join(folder, 'serai.service')
  writeFileSync(path, text)
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...command, path], { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

describeWith('systemd-analyze', findProgram('systemd-analyze'), 'the systemd unit', () => {
  test('systemd accepts the unit without a warning', () => {
    expect(analyze(['verify'], unit)).toEqual({ status: 0, output: '' })
  })

  test('systemd reports an unknown setting', () => {
    const { output } = analyze(['verify'], unit.replace('KillMode=', 'KilMode='))
    expect(output).toMatch(/Unknown key .*'KilMode'/)
  })

  test('systemd rates the exposure of the unit 2.0 or better', () => {
    const { status, output } = analyze(['security', '--offline=yes', '--threshold=20'], unit)
    expect({ status, output }).toMatchObject({ status: 0, output: expect.stringContaining('Overall exposure level') })
  })
})
