import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '../support/app/app.ts'

const run = promisify(execFile)
const bin = (name: string) => join(import.meta.dirname, '../../node_modules/.bin', name)
/** Examples are checked by Redocly and by openapi.test.ts; Spectral would take twenty seconds for them. */
const RULES = { extends: ['spectral:oas'], rules: { 'oas3-valid-media-example': 'off' } }
/** Neither asks a registry for newer versions nor reports that it was used. */
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'serai-openapi-'))
  const app = await testApp()
  writeFileSync(join(folder, 'openapi.json'), (await app.call({ url: '/openapi.json' })).body)
  writeFileSync(join(folder, 'spectral.json'), JSON.stringify(RULES))
  await app.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the linter says when it is not content. */
async function complaints(name: string, args: readonly string[]): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...OFFLINE } }
  return run(process.execPath, [bin(name), ...args], options).then(
    () => '',
    (error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? error}`,
  )
}

test('Redocly has nothing to say against the document, by its strict rules', async () => {
  expect(await complaints('redocly', ['lint', '--extends=recommended-strict', 'openapi.json'])).toBe('')
}, 120_000)

test('Spectral has nothing to say against the document without its examples, not even a hint', async () => {
  const args = ['lint', '--ruleset', 'spectral.json', '--fail-severity', 'hint', 'openapi.json']
  expect(await complaints('spectral', args)).toBe('')
}, 120_000)
