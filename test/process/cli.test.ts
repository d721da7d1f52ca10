import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Printed } from '../support/cli/capture-output.ts'
import { runInProcess } from '../support/cli/run-in-process.ts'

const CLI = join(import.meta.dirname, '../../src/cli/serai.ts')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'serai-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Options = { readonly typed?: string; readonly env?: Record<string, string> }

const environment = (env: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  NODE_ENV: 'development',
  SERAI_DATA_DIR: join(folder, 'data'),
  SERAI_SANDBOX: 'false',
  ...env,
})

/** Runs a separate process, to test exit codes, standard input and both outputs beyond `test/app/cli/cli.test.ts`. */
function startSerai(args: string[], { typed = '', env }: Options = {}): Promise<Printed> {
  const child = spawn(process.execPath, [CLI, ...args], { env: environment(env) })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  child.stdin.end(typed)
  const timer = setTimeout(() => child.kill('SIGKILL'), 40_000)
  return new Promise((done) =>
    child.once('close', (code) => {
      clearTimeout(timer)
      done({ code: code ?? undefined, out, err })
    }),
  )
}

const serai = (args: string[], env: Record<string, string> = {}): Promise<Printed> =>
  runInProcess(args, environment(env))

test('`accounts add` reads the password from standard input, and the account is listed', async () => {
  const added = await startSerai(['accounts', 'add', 'ana@example.com', '--name', 'Ana Costa'], {
    typed: 'a long enough password\n',
  })
  expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^Added ana@example\.com \(acc_/), err: '' })
  expect((await serai(['accounts', 'list'])).out).toMatch(/enabled .* ana@example\.com {2}Ana Costa/)
})

test('a failing command exits with 1 and prints the reason to standard error', async () => {
  expect(await serai(['accounts', 'disable', 'nobody@example.com'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('nobody@example.com'),
  })
  expect(await startSerai(['migrate'], { env: { PORT: 'eighty' } })).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^Configuration: .*PORT/),
  })
})

test('a command with a wrong argument exits with 2', async () => {
  expect(await serai(['accounts', 'add'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^add needs EMAIL\.\n\nserai accounts/),
  })
  expect(await startSerai(['bok'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^There is no command bok[.;][\s\S]*serai catalogue/),
  })
})

test('standard output has the output of a command and no log lines', async () => {
  const logged: string[] = []
  const written: string[] = []
  const spies = [
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => logged.push(String(line)) > 0),
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => written.push(String(line)) > 0),
  ]
  const { code, out } = await serai(['api', 'operator.statements', '--from', '2027-01'], {
    REDIS_URL: 'redis://127.0.0.1:1',
  })
  for (const spy of spies) spy.mockRestore()
  expect([code, JSON.parse(out), written]).toEqual([0, { data: [] }, []])
  expect(logged.join('')).toContain('Redis is unavailable')
})

test('starting on a port in use fails with a message that names the port', async () => {
  const squatter = createServer()
  await new Promise<void>((ready) => squatter.listen(0, '127.0.0.1', () => ready()))
  const { port } = squatter.address() as { port: number }
  const signals = (['SIGTERM', 'SIGINT'] as const).map((signal) => [signal, process.listeners(signal)] as const)
  const ended = await serai(['dev'], { PORT: String(port), SERAI_LOG_LEVEL: 'silent' })
  // The command would end this process on a signal.
  for (const [signal, before] of signals)
    for (const listener of process.listeners(signal)) if (!before.includes(listener)) process.off(signal, listener)
  squatter.close()
  expect(ended).toMatchObject({ code: 1, err: expect.stringContaining(`Port ${port} on 127.0.0.1 is already in use`) })
})
