import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const CLI = join(import.meta.dirname, '../../src/cli/serai.ts')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'serai-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

/** Runs a command as an operator would; what they type goes to standard input, never to the arguments. */
function serai(args: string[], options: { typed?: string; env?: Record<string, string> } = {}): Promise<Ended> {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'development',
      SERAI_DATA_DIR: join(folder, 'data'),
      SERAI_SANDBOX: 'false',
      ...options.env,
    },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  child.stdin.end(options.typed ?? '')
  const timer = setTimeout(() => child.kill('SIGKILL'), 40_000)
  return new Promise((done) =>
    child.once('close', (code) => {
      clearTimeout(timer)
      done({ code, out, err })
    }),
  )
}

describe('accounts', () => {
  test('are added, listed, disabled and given a new password, the password from standard input', async () => {
    expect(await serai(['accounts', 'list'])).toMatchObject({ code: 0, out: expect.stringContaining('no account yet') })
    const added = await serai(['accounts', 'add', 'ana@example.com', '--name', 'Ana Costa'], {
      typed: 'a long enough password\n',
    })
    expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^Added ana@example\.com \(acc_/) })
    const again = await serai(['accounts', 'add', 'ANA@example.com'], { typed: 'a long enough password\n' })
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('already has an account') })
    expect(await serai(['accounts', 'disable', 'ana@example.com'])).toMatchObject({ code: 0 })
    expect((await serai(['accounts', 'list'])).out).toMatch(/disabled .* ana@example\.com {2}Ana Costa/)
    expect(
      await serai(['accounts', 'set-password', 'ana@example.com'], { typed: 'another long password' }),
    ).toMatchObject({ code: 0 })
    expect((await serai(['accounts', 'list'])).out).toContain('enabled')
    expect(await serai(['accounts', 'disable', 'nobody@example.com'])).toMatchObject({ code: 1 })
  })

  test('a short password and a wrong e-mail are refused with a message', async () => {
    const short = await serai(['accounts', 'add', 'not-an-email'], { typed: 'short' })
    expect(short.code).toBe(1)
    expect(short.err).toContain('name@example.com')
    expect(short.err).toContain('12 to 200 characters')
  })
})

test('a backup can be restored, and what was there is kept', async () => {
  const file = join(folder, 'backup.db')
  expect(await serai(['backup', file])).toMatchObject({ code: 0, out: expect.stringContaining('Saved and verified') })
  expect(await serai(['backup', file])).toMatchObject({ code: 2, err: expect.stringContaining('exists already') })
  expect(await serai(['restore', file])).toMatchObject({ code: 0, out: expect.stringContaining('is kept as') })
  expect((await serai(['accounts', 'list'])).out).toContain('ana@example.com')
})

describe('starting', () => {
  test('on a port that is taken says so, and which way out there is', async () => {
    const squatter = createServer()
    await new Promise<void>((ready) => squatter.listen(0, '127.0.0.1', () => ready()))
    const { port } = squatter.address() as { port: number }
    const ended = await serai(['dev'], { env: { PORT: String(port) } })
    squatter.close()
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining(`Port ${port} on 127.0.0.1 is taken`) })
  })

  test('with a data directory that cannot be one says so', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    const ended = await serai(['migrate'], { env: { SERAI_DATA_DIR: join(file, 'data') } })
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('SERAI_DATA_DIR') })
  })

  test('in production without secrets, or with the example ones, is refused', async () => {
    const env = { NODE_ENV: 'production' }
    expect(await serai(['migrate'], { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining('SERAI_SECRETS is not set'),
    })
    const weak = Buffer.from('x'.repeat(32)).toString('base64')
    expect(await serai(['migrate'], { env: { ...env, SERAI_SECRETS: `k1:${weak}` } })).toMatchObject({
      code: 1,
      err: expect.stringContaining('too short or could be guessed'),
    })
    const strong = 'oOr/qPp12RZVC5nv4cTnSeTzCcW+xtjBoZRAcbUxmpk='
    const ended = await serai(['migrate'], {
      env: { ...env, SERAI_SECRETS: `k1:${strong}`, SERAI_DATA_DIR: join(folder, 'production') },
    })
    expect(ended.code).toBe(0)
    expect(existsSync(join(folder, 'production', 'development-secret'))).toBe(false)
  })

  test('a wrong setting is named', async () => {
    expect(await serai(['migrate'], { env: { PORT: 'eighty' } })).toMatchObject({
      code: 1,
      err: expect.stringContaining('PORT'),
    })
  })

  test('a wrong address is named without the password in it', async () => {
    const ended = await serai(['migrate'], { env: { DATABASE_URL: 'mysql://admin:hunter2@db/x' } })
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('DATABASE_URL') })
    expect(ended.err).not.toContain('hunter2')
  })

  test('an unknown option is named, with the usage and without a stack', async () => {
    const ended = await serai(['serve', '--port', '1'])
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining("'--port'") })
    expect(ended.err).toContain('serai serve [--workers N]')
    expect(ended.err).not.toContain('    at ')
  })
})

test('an unknown command shows what there is', async () => {
  expect(await serai(['bok'])).toMatchObject({ code: 2, out: expect.stringContaining('serai bookings') })
})

test.each(['serve', 'dev', 'migrate', 'accounts', 'bookings', 'vendors', 'content', 'catalogue', 'backup', 'restore'])(
  'serai %s --help prints its usage and does nothing else',
  async (group) => {
    const env = { PORT: 'not a port' }
    expect(await serai([group, '--help'], { env })).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`^serai ${group}`)),
      err: '',
    })
  },
)
