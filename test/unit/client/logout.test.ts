import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { replyJson, scriptedServer } from '../../support/http/scripted-server.ts'

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

test('logout revokes the stored token even if the environment has an API key', async () => {
  vi.stubEnv('XDG_CONFIG_HOME', home)
  vi.stubEnv('XDG_STATE_HOME', home)
  vi.stubEnv('SERAI_API_KEY', 'srk_live_of_a_program')
  vi.stubEnv('SERAI_URL', 'http://127.0.0.1:1')
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  // The module reads the file locations from the environment when it is loaded.
  vi.resetModules()
  const { CREDENTIALS_FILE, writePrivate } = await import('../../../packages/client/src/cli/files.ts')
  const { logoutCommand } = await import('../../../packages/client/src/cli/commands/login.ts')
  expect(CREDENTIALS_FILE.startsWith(home)).toBe(true)
  writePrivate(CREDENTIALS_FILE, { url: server.url, token: 'srt_stored' })
  server.play(replyJson(200, { data: {} }))
  await logoutCommand.run([])
  const calls = server.seen().map(({ url, headers }) => [url, headers.authorization])
  expect(calls).toEqual([['/api/accounts/revoke_token', 'Bearer srt_stored']])
  expect(existsSync(CREDENTIALS_FILE)).toBe(false)
})

test('an invalid SERAI_URL is reported by name', async () => {
  vi.stubEnv('SERAI_URL', 'api.example.com')
  const { readCredentials } = await import('../../../packages/client/src/cli/session.ts')
  expect(readCredentials).toThrow(/^SERAI_URL must be a URL such as https/)
})
