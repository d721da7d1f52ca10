import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, dateIn } from '../../src/lib/time/plain-date.ts'
import { ACCOUNT, type TestApp, testApp } from '../support/app/app.ts'

const run = promisify(execFile)
const FILES = join(import.meta.dirname, 'clients')
const MODULES = join(import.meta.dirname, '../../node_modules')

let app: TestApp
let url: string
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'serai-clients-'))
  for (const file of readdirSync(FILES)) copyFileSync(join(FILES, file), join(folder, file.replace('.template', '')))
  symlinkSync(MODULES, join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  app = await testApp()
  url = await app.http.listen({ port: 0, host: '127.0.0.1' })
  writeFileSync(join(folder, 'openapi.json'), (await app.call({ url: '/openapi.json' })).body)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What the program wrote, its errors too. */
const node = (...args: string[]) =>
  run(process.execPath, args, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } }).then(
    ({ stdout }) => stdout.trim(),
    (error: { stdout?: string; stderr?: string }) => `${error.stdout}${error.stderr}`,
  )

test('a client made by openapi-typescript compiles under strict, without a cast, and makes the five calls', async () => {
  expect(await node('--import', './compiler.mjs', 'generate.mjs')).toBe('')
  expect(await node('node_modules/typescript/bin/tsc', '-p', '.')).toBe('')
  const checkIn = addDays(dateIn('UTC', app.clock.now()), 40)
  const { email, password } = ACCOUNT
  const output = await node('with-openapi-fetch.ts', url, email, password, checkIn, addDays(checkIn, 2))
  expect(output).toBe('["confirmed","fetch","price_changed","EUR"]')
}, 120_000)
