import { hash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAt } from '../../../src/accounts/totp.ts'
import { runInProcess, type Typing } from '../../support/cli/run-in-process.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'serai-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command as an operator would, with typed text on standard input. */
const serai = (args: string[], { env, ...typing }: Typing & { env?: Record<string, string> } = {}) =>
  runInProcess(
    args,
    {
      PATH: process.env.PATH,
      NODE_ENV: 'development',
      SERAI_DATA_DIR: join(folder, 'data'),
      SERAI_SANDBOX: 'false',
      ...env,
    },
    typing,
  )

describe('serai accounts', () => {
  test('accounts are added, listed, disabled and given a new password from standard input', async () => {
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

  test('a short password and an invalid e-mail address are refused with a message', async () => {
    const short = await serai(['accounts', 'add', 'not-an-email'], { typed: 'short' })
    expect(short.code).toBe(2)
    expect(short.err).toContain('name@example.com')
    expect(short.err).toContain('12 to 200 characters')
  })
})

describe('roles and one-time codes', () => {
  test('an account has a role, which can be changed', async () => {
    const added = await serai(['accounts', 'add', 'ops@example.com', '--role', 'operator'], {
      typed: 'a long password 1',
    })
    expect(added).toMatchObject({ code: 0, out: expect.stringContaining('operator') })
    expect(await serai(['accounts', 'role', 'ops@example.com', 'boss'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('client, viewer, operator'),
    })
    expect(await serai(['accounts', 'role', 'ops@example.com', 'viewer'])).toMatchObject({ code: 0 })
    expect((await serai(['accounts', 'list'])).out).toMatch(/viewer .*ops@example\.com/)
    expect(await serai(['accounts', 'role', 'ops@example.com', 'operator'])).toMatchObject({ code: 0 })
  })

  test('one-time codes are set up only with a code of the printed secret', async () => {
    const wrong = await serai(['accounts', 'totp', 'ops@example.com'], { typed: 'none' })
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('nothing was changed') })
    const answer = (out: string) => {
      const secret = /^ {2}([A-Z2-7]{32})$/m.exec(out)?.[1]
      return secret && out.includes('otpauth://')
        ? codeAt(decodeBase32(secret), Math.floor(Date.now() / 30_000))
        : undefined
    }
    expect(await serai(['accounts', 'totp', 'ops@example.com'], { answer })).toMatchObject({ code: 0 })
    expect((await serai(['accounts', 'list'])).out).toMatch(/ops@example\.com .*one-time codes/)
    expect(await serai(['accounts', 'totp', 'ops@example.com', '--remove'])).toMatchObject({ code: 0 })
  })

  test('erasing an unknown person fails', async () => {
    expect(await serai(['persons', 'erase', 'nobody@example.com', '--yes'])).toMatchObject({ code: 1 })
    expect(await serai(['persons', 'erase'])).toMatchObject({ code: 2 })
  })
})

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((char) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

test('a backup can be restored, and the replaced database is kept', async () => {
  const file = join(folder, 'backup.db')
  expect(await serai(['backup', file])).toMatchObject({ code: 0, out: expect.stringContaining('Saved and verified') })
  expect(await serai(['backup', file])).toMatchObject({ code: 2, err: expect.stringContaining('already exists') })
  const service = new DatabaseSync(join(folder, 'data', 'serai.db'))
  service.exec('select count(*) from accounts')
  expect(await serai(['restore', file])).toMatchObject({ code: 1, err: expect.stringContaining('Stop the service') })
  service.close()
  const restored = await serai(['restore', file])
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('is kept as') })
  expect(restored.out).toMatch(/until\s+they are reconciled: serai bookings reconcile --from \d{4}-\d{2}-\d{2}$/m)
  expect((await serai(['accounts', 'list'])).out).toContain('ana@example.com')
})

test('after a restore, a reconciliation must begin early enough to end the look-ups before sending', async () => {
  const late = await serai(['bookings', 'reconcile', '--from', '2099-01-01'])
  expect(late).toMatchObject({ code: 1, err: expect.stringContaining('Bookings are still looked up') })
  const day = /reconcile from (\d{4}-\d{2}-\d{2}) on/.exec(late.err)?.[1] ?? ''
  expect(await serai(['bookings', 'reconcile', '--from', day])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^0 differences\.$/m),
  })
  expect(await serai(['bookings', 'reconcile', '--from', '2099-01-01'])).toMatchObject({ code: 0 })
  expect((await serai(['accounts', 'list'])).err).not.toContain('commits of the database may be lost')
})

test('a backup that cannot be written is reported with its path, not as a fault of the data directory', async () => {
  const file = join(folder, 'a-plain-file')
  writeFileSync(file, '')
  const ended = await serai(['backup', join(file, 'backup.db')])
  expect(ended).toMatchObject({ code: 1, err: expect.stringContaining(`${file} cannot be written`) })
  expect(ended.err).not.toContain('SERAI_DATA_DIR')
})

test('restoring the database from itself changes nothing, and an empty file is refused by name', async () => {
  expect(await serai(['restore', join(folder, 'data', 'serai.db')])).toMatchObject({ code: 0 })
  const empty = join(folder, 'empty.db')
  writeFileSync(empty, '')
  expect(await serai(['restore', empty])).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${empty} cannot be restored: it is not a Serai database. Nothing was changed.`),
  })
  expect((await serai(['accounts', 'list'])).out).toContain('ana@example.com')
})

describe('serai secrets', () => {
  const secret = (id: string, text: string) => `${id}:${hash('sha256', text, 'base64')}`
  const run = (args: string[], ...secrets: string[]) =>
    serai(args, {
      env: { SERAI_DATA_DIR: join(folder, 'sealed'), SERAI_SECRETS: secrets.join(',') },
      typed: 'a long password 1',
    })
  const [OLD, NEW] = [secret('old', 'one'), secret('new', 'two')]

  test('a secret can be removed once everything is encrypted again, and not before', async () => {
    expect(await run(['accounts', 'add', 'ops@example.com'], OLD)).toMatchObject({ code: 0 })
    const missing = await run(['accounts', 'list'], NEW)
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('The secret "old" is missing') })
    const wrong = await run(['accounts', 'list'], secret('old', 'three'))
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('The secret "old" is not the one') })
    const file = join(folder, 'sealed.db')
    expect(await run(['backup', file], OLD)).toMatchObject({ code: 0 })
    const resealed = await run(['secrets', 'reseal'], NEW, OLD)
    expect(resealed).toMatchObject({ code: 0, out: expect.stringContaining('No longer needed: old') })
    expect((await run(['accounts', 'list'], NEW)).out).toContain('ops@example.com')
    const restored = await run(['restore', file], NEW)
    expect(restored).toMatchObject({ code: 1, err: expect.stringContaining('The secret "old" is missing') })
    expect(await run(['restore', file], NEW, OLD)).toMatchObject({ code: 0 })
  })
})

describe('startup', () => {
  test('a command reports a data directory that cannot be created', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    const ended = await serai(['migrate'], { env: { SERAI_DATA_DIR: join(file, 'data') } })
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('SERAI_DATA_DIR') })
  })

  test('a command refuses to run in production without secrets or with weak ones', async () => {
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

  test('a command names an invalid setting', async () => {
    expect(await serai(['migrate'], { env: { PORT: 'eighty' } })).toMatchObject({
      code: 1,
      err: expect.stringContaining('PORT'),
    })
  })

  test('a command names an invalid database URL without the password in it', async () => {
    const ended = await serai(['migrate'], { env: { DATABASE_URL: 'mysql://admin:hunter2@db/x' } })
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('DATABASE_URL') })
    expect(ended.err).not.toContain('hunter2')
  })

  test('a command names an unknown option and prints its usage, without a stack trace', async () => {
    const ended = await serai(['serve', '--port', '1'])
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining("'--port'") })
    expect(ended.err).toContain('serai serve [--workers N]')
    expect(ended.err).not.toContain('    at ')
  })
})

test.each([
  [
    ['api', 'operator.bookings.shwo'],
    'There is no operation operator.bookings.shwo; did you mean operator.bookings.show?',
  ],
  [['api', 'bookings.show'], 'did you mean operator.bookings.show?'],
  [['api', 'burn'], 'There is no operation burn.'],
  [['api', 'operator.bookings.show'], 'operator.bookings.show needs --booking_id.'],
  [['api', 'operator.bookings.show', '--booking_id', ''], 'operator.bookings.show needs --booking_id.'],
  [['api', 'operator.bookings', 'extra'], "'extra'"],
  [['api', 'operator.bookings', '--stauts', 'confirmed'], "'--stauts'"],
  [['api', 'operator.selling.set_rules', '--body', 'no-such-file.json'], 'no-such-file.json cannot be read (ENOENT).'],
  [['api', 'operator.selling.set_rules', '--body', 'README.md'], 'README.md is not valid JSON.'],
  [['content', 'sink'], 'Unknown subcommand sink. Use one of: sync, status.'],
  [['content', 'sync', '--fast'], "'--fast'"],
  [['content', 'sync', '--since', 'yesterday'], '--since must be a date such as 2027-01-31, not yesterday.'],
  [['catalogue', 'split', 'prp_a', 'v'], 'split needs VENDOR_PROPERTY_ID.'],
  [['catalogue', 'rejudge', '--soon'], "'--soon'"],
  [['vendors', 'check', 'now'], 'Unexpected argument: now'],
  [['persons', 'find', 'a@example.com'], 'Unknown subcommand find. Use one of: erase.'],
  [['backup', '--force'], "'--force'"],
  [['restore'], 'Pass the name of one file.'],
  [['bookings', 'reconcile'], 'Pass --from with a date such as 2027-01-31.'],
  [['bookings', 'reconcile', '--from', 'soon'], 'Pass --from with a date such as 2027-01-31.'],
  [['mcp', 'now'], "'now'"],
  [['serve', '--workers', 'many'], '--workers must be a whole number'],
  [['accounts', 'disable', 'a@example.com', 'b@example.com'], 'Unexpected argument: b@example.com'],
  [['accounts', 'role', 'a@example.com', 'boss'], 'There is no role boss. Known: client, viewer, operator.'],
  [['content', 'status', '--vendor', 'x'], 'status has no option --vendor.'],
])(
  '%j exits with 2 before opening anything, names the mistake and prints the usage on standard error',
  async (args, words) => {
    const untouched = join(folder, 'untouched')
    const ended = await serai(args, { env: { SERAI_DATA_DIR: untouched } })
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toContain(words)
    expect(ended.err).toContain(`serai ${args[0]}`)
    expect(existsSync(untouched)).toBe(false)
  },
)

test.each([
  [['content', 'sync'], 'No vendor is configured.'],
  [['vendors', 'check'], 'No vendor is configured. "serai vendors list" lists the variables to set.'],
])('%j exits with 1 and prints the reason on standard error', async (args, words) => {
  expect(await serai(args)).toEqual({ code: 1, out: '', err: words })
})

test('--version prints the version', async () => {
  expect(await serai(['--version'])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
})

test('a misspelt command is answered with a suggestion', async () => {
  expect((await serai(['acounts', 'list'])).err).toMatch(/^There is no command acounts; did you mean accounts\?/)
})

test('an unknown command prints the known ones', async () => {
  expect(await serai(['bok'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^There is no command bok[.;][\s\S]*serai catalogue/),
  })
})

test.each([
  'serve',
  'dev',
  'migrate',
  'accounts',
  'persons',
  'api',
  'vendors',
  'content',
  'catalogue',
  'backup',
  'restore',
])('serai %s --help prints its usage and does nothing else', async (group) => {
  const env = { PORT: 'not a port' }
  expect(await serai([group, '--help'], { env })).toMatchObject({
    code: 0,
    out: expect.stringMatching(new RegExp(`^serai ${group}`)),
    err: '',
  })
})
