import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { json, scriptedServer } from '../../support/http/scripted-server.ts'

const home = mkdtempSync(join(tmpdir(), 'serai-logout-'))
let server: Awaited<ReturnType<typeof scriptedServer>>
beforeAll(async () => {
  server = await scriptedServer()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  vi.resetModules()
  rmSync(home, { recursive: true })
  await server.close()
})

test('logout revokes the token that is stored, also where the environment names a key', async () => {
  vi.stubEnv('XDG_CONFIG_HOME', home)
  vi.stubEnv('XDG_STATE_HOME', home)
  vi.stubEnv('SERAI_API_KEY', 'srk_live_of_a_program')
  vi.stubEnv('SERAI_URL', 'http://127.0.0.1:1')
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  // Where the files are is read from the environment when their module is loaded.
  vi.resetModules()
  const { CREDENTIALS_FILE, writePrivate } = await import('../../../packages/client/src/cli/files.ts')
  const { logout } = await import('../../../packages/client/src/cli/commands/login.ts')
  expect(CREDENTIALS_FILE.startsWith(home)).toBe(true)
  writePrivate(CREDENTIALS_FILE, { url: server.url, token: 'srt_stored' })
  server.play(json(200, { data: {} }))
  await logout.run([])
  const calls = server.seen().map(({ url, headers }) => [url, headers.authorization])
  expect(calls).toEqual([['/api/accounts/revoke_token', 'Bearer srt_stored']])
  expect(existsSync(CREDENTIALS_FILE)).toBe(false)
})

test('an address in the environment that is none is named', async () => {
  vi.stubEnv('SERAI_URL', 'api.example.com')
  const { readCredentials } = await import('../../../packages/client/src/cli/session.ts')
  expect(readCredentials).toThrow(/^SERAI_URL must be an address such as https/)
})
