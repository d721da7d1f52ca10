import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { testApp } from '../../support/app/app.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** Hash of the document and the rules of the last lint that passed. */
const HASH_FILE = 'test/app/http/openapi-lint.sha256'
/** `recommended-strict` validates the structure of OpenAPI 3.1; the other rules are not part of it. */
const RULES = JSON.stringify({
  extends: ['recommended-strict'],
  rules: {
    'info-contact': 'error',
    'no-duplicated-tag-names': 'error',
    'operation-description': 'error',
    'operation-tag-defined': 'error',
  },
})
/** Disables the version check and the usage statistics. */
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }

async function readDocument(): Promise<string> {
  const app = await testApp()
  const { body } = await app.call({ url: '/openapi.json' })
  await app.close()
  return body
}

/** Returns the linter's output if it finds an error, otherwise an empty string. */
async function lint(document: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'serai-openapi-'))
  writeFileSync(join(folder, 'openapi.json'), document)
  writeFileSync(join(folder, 'redocly.yaml'), RULES)
  const options = { cwd: folder, env: { ...process.env, ...OFFLINE } }
  const program = join(ROOT, 'node_modules/.bin/redocly')
  try {
    await promisify(execFile)(process.execPath, [program, 'lint', 'openapi.json'], options)
    return ''
  } catch (error) {
    const { stdout = '', stderr = String(error) } = error as { stdout?: string; stderr?: string }
    return `${stdout}${stderr}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the document is valid OpenAPI 3.1 and passes the strict rules of Redocly', async () => {
  const document = await readDocument()
  const hash = createHash('sha256').update(RULES).update(document).digest('hex')
  const isKnown = readFileSync(join(ROOT, HASH_FILE), 'utf8').trim() === hash
  // An unchanged document passes again. CI does not rely on the file.
  const needsLint = !isKnown || process.env.CI === 'true'
  expect(needsLint ? await lint(document) : '').toBe('')
  if (!isKnown) console.log(`The OpenAPI document is valid. To skip the next lint: echo ${hash} > ${HASH_FILE}`)
}, 120_000)
