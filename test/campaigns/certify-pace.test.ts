import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { certifyVendor, readCertifyOptions } from '../../certify/certify.ts'
import { readConfig } from '../../src/config.ts'

const folder = mkdtempSync(join(tmpdir(), 'serai-certify-pace-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the LiteAPI review passes at the five calls per second of a sandbox key', async () => {
  const config = readConfig({
    NODE_ENV: 'development',
    SERAI_LOG_LEVEL: 'silent',
    SERAI_DATA_DIR: join(folder, 'data'),
    SERAI_SANDBOX: 'true',
  })
  const order = readCertifyOptions(['liteapi', '--no-screenshots', '--out', join(folder, 'dossier')])
  const lines: string[] = []
  const exitCode = await certifyVendor(order, config, (line) => lines.push(line))
  expect(exitCode, lines.filter((line) => line.includes('✗')).join('\n')).toBe(0)
}, 300_000)
