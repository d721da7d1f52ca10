import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { playReview, readCertifyOptions, reportReview } from '../../certify/certify.ts'
import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts'
import { readConfig } from '../../src/config.ts'
import { testLocations } from '../support/app/app.ts'
import { aPlace } from '../support/sandbox/places.ts'
import { sharedThreads } from '../support/vendors/shared-threads.ts'

const folder = mkdtempSync(join(tmpdir(), 'serai-certify-pace-'))
/** One city, because the command's own sandbox first builds the whole world. */
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ places: [aPlace('Barcelona')], pictureBase: 'http://127.0.0.1:1/sandbox/pictures' })
})
afterAll(async () => {
  await sandbox?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the LiteAPI review passes at the five calls per second of a sandbox key', async () => {
  const config = readConfig({
    NODE_ENV: 'development',
    SERAI_LOG_LEVEL: 'silent',
    SERAI_DATA_DIR: join(folder, 'data'),
    SERAI_SANDBOX: 'true',
  })
  const order = readCertifyOptions(['liteapi', '--no-screenshots', '--out', join(folder, 'dossier')])
  const lines: string[] = []
  const played = await playReview(order, config, (line) => lines.push(line), {
    parts: { locations: testLocations(), readingThreads: sharedThreads },
    openSandbox: async () => ({ ...sandbox, close: async () => undefined }),
  })
  const exitCode = reportReview(order, played, (line) => lines.push(line))
  expect(exitCode, lines.filter((line) => line.includes('✗')).join('\n')).toBe(0)
}, 300_000)
