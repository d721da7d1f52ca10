import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config.ts'
import { serve } from '../../src/process/serve.ts'

const SECRETS = 'k1:oOr/qPp12RZVC5nv4cTnSeTzCcW+xtjBoZRAcbUxmpk='

describe.each(['production', 'test'])('in %s', (mode) => {
  const read = (more: Record<string, string>) => readConfig({ NODE_ENV: mode, SERAI_SECRETS: SECRETS, ...more })

  test.each(['NODE_ENV', 'SERAI_DATA_DIR', 'DATABASE_URL', 'REDIS_URL'])(
    'an empty %s is refused by name: the service would come up as something else than was meant',
    (name) => {
      expect(() => read({ [name]: '' })).toThrow(ConfigError)
      expect(() => read({ [name]: '' })).toThrow(new RegExp(`^${name} is set, but empty\\.`))
    },
  )

  test('other variables that are empty count as unset', () => {
    const empty = {
      SERAI_CORS_ORIGINS: '',
      SERAI_WORKERS: '',
      SERAI_TRUST_PROXY: '',
      SERAI_MAP_STYLE_URL: '',
      SERAI_HOTELBEDS_API_KEY: '',
    }
    expect(read(empty)).toEqual(read({}))
  })
})

test('empty secrets are refused in production like absent ones', () => {
  expect(() => readConfig({ NODE_ENV: 'production', SERAI_SECRETS: '' })).toThrow(/^SERAI_SECRETS is not set/)
})

test('the configuration carries the variables of registered vendors and nothing else of the environment', () => {
  const vendors = { SERAI_HOTELBEDS_API_KEY: 'key', SERAI_EXPEDIA_RAPID_TYPO: 'told later by its adapter' }
  const others = { AWS_SECRET_ACCESS_KEY: 'a', PATH: '/bin', SERAI_LOG_LEVEL: 'warn', SERAI_UNKNOWN_API_KEY: 'b' }
  const config = readConfig({ NODE_ENV: 'test', ...vendors, ...others, SERAI_HOTELBEDS_SECRET: ' ' })
  expect(config.vendorEnvironment).toEqual(vendors)
})

test('guests are required only where the operator says so', () => {
  const required = (env: Record<string, string>) => readConfig({ NODE_ENV: 'test', ...env }).requireGuests
  expect([required({}), required({ SERAI_REQUIRE_GUESTS: 'true' })]).toEqual([false, true])
  expect(() => required({ SERAI_REQUIRE_GUESTS: 'yes' })).toThrow('SERAI_REQUIRE_GUESTS')
})

test('the sandbox is on in development while no vendor is configured', () => {
  const sandboxIn = (env: Record<string, string>) => readConfig({ SERAI_SECRETS: SECRETS, ...env }).sandbox
  expect(sandboxIn({})).toBe(true)
  expect(sandboxIn({ SERAI_HOTELBEDS_API_KEY: 'key' })).toBe(false)
  expect(sandboxIn({ NODE_ENV: 'production' })).toBe(false)
  expect(sandboxIn({ NODE_ENV: 'production', SERAI_SANDBOX: 'true' })).toBe(true)
})

test.each([
  ['SERAI_SANDBOX', 'yes', 'SERAI_SANDBOX must be one of true, false (it is "yes").'],
  ['PORT', '1.5', 'PORT must be integer (it is "1.5").'],
  ['PORT', '70000', 'PORT must be <= 65535 (it is "70000").'],
  ['SERAI_METRICS_TOKEN', 'short', 'SERAI_METRICS_TOKEN must match pattern "^[!-~]{16,200}$".'],
])('a wrong %s is refused by name, with what it must be, and secrets are not repeated', (name, value, words) => {
  expect(() => readConfig({ NODE_ENV: 'test', [name]: value })).toThrow(words)
})

describe('SERAI_TRUST_PROXY', () => {
  const read = (value: string) => readConfig({ NODE_ENV: 'test', SERAI_TRUST_PROXY: value }).trustProxy

  test('is off by default, a number of proxies, or a list of their addresses', () => {
    expect(readConfig({ NODE_ENV: 'test' }).trustProxy).toBe(false)
    expect([read('false'), read('0'), read('1'), read('2')]).toEqual([false, false, 1, 2])
    expect(read('10.0.0.0/8, fd00::/8,192.0.2.7')).toEqual(['10.0.0.0/8', 'fd00::/8', '192.0.2.7'])
  })

  test.each(['true', 'yes', '11', '10.0.0.0/33', '0.0.0.0/0', '::/0', 'proxy.local', '10.0.0.0/8/8', '10.0.0.0/8,'])(
    '%s is refused, with what to set instead',
    (value) => {
      expect(() => read(value)).toThrow(/SERAI_TRUST_PROXY must be the number of proxies in front, such as 1/)
    },
  )
})

describe('secrets', () => {
  const read = (bytes: Uint8Array) =>
    readConfig({ NODE_ENV: 'production', SERAI_SECRETS: `k1:${Buffer.from(bytes).toString('base64')}` })
  const sequence = (next: (at: number) => number) => Uint8Array.from({ length: 32 }, (_, at) => next(at))

  test.each([
    ['bytes 1 to 32', sequence((at) => at + 1)],
    ['a sequence downwards', sequence((at) => 200 - at)],
    ['a sequence in steps', sequence((at) => at * 37 + 11)],
    ['squares', sequence((at) => at * at)],
    ['one byte', sequence(() => 7)],
    [
      'a repeated half',
      sequence((at) => [171, 205, 239, 18, 52, 86, 120, 144, 3, 77, 201, 9, 66, 31, 180, 99][at % 16] ?? 0),
    ],
    ['a sentence', Buffer.from('correct horse battery staple, and more')],
    ['too short', Buffer.from('oOr/qPp12RZVC5nv4cTnSeTzCcW+xtg=', 'base64')],
  ])('%s could be guessed and is refused', (_, bytes) => {
    expect(() => read(bytes)).toThrow(/openssl rand -base64 32/)
  })

  test('random ones are taken', () => {
    for (let i = 0; i < 2_000; i += 1) expect(read(randomBytes(32)).secrets).toHaveLength(1)
  })
})

test('metrics are open on the machine itself in development, and nowhere in production until the operator says where', () => {
  const metricsIn = (env: Record<string, string>) => readConfig({ SERAI_SECRETS: SECRETS, ...env }).metrics
  expect(metricsIn({})).toEqual({ port: undefined, token: undefined, onLoopback: true })
  expect(metricsIn({ NODE_ENV: 'production' }).onLoopback).toBe(false)
  expect(metricsIn({ NODE_ENV: 'production', SERAI_METRICS_PORT: '9090' })).toMatchObject({ port: 9090 })
  expect(metricsIn({ SERAI_METRICS_TOKEN: 'sixteen-characters' })).toMatchObject({ onLoopback: false })
  expect(() => metricsIn({ SERAI_METRICS_TOKEN: 'short' })).toThrow(/^SERAI_METRICS_TOKEN .*(?<!short.*)$/)
})

test('NODE_ENV=test cannot serve: its secret is known to everybody', async () => {
  await expect(serve(readConfig({ NODE_ENV: 'test' }))).rejects.toThrow(/NODE_ENV=test cannot serve/)
})

describe('mail', () => {
  const read = (more: Record<string, string>) => readConfig({ NODE_ENV: 'production', SERAI_SECRETS: SECRETS, ...more })
  const from = 'Example Hotels <bookings@example.com>'

  test('nothing is sent until the operator names a server, and mails are kept to be read in development alone', () => {
    expect(read({}).mail).toMatchObject({ smtp: undefined, keep: false })
    expect(readConfig({ NODE_ENV: 'development', SERAI_SECRETS: SECRETS }).mail).toMatchObject({ keep: true })
    const { mail } = read({ SERAI_SMTP_URL: 'smtps://u:p@mail.example.com', SERAI_MAIL_FROM: from })
    expect(mail).toMatchObject({ smtp: { host: 'mail.example.com', secure: true }, sender: { domain: 'example.com' } })
  })

  test('a server without a sender, or a wrong address, is refused by name and without its password', () => {
    const server = 'smtp://u:hunter2@mail.example.com'
    expect(() => read({ SERAI_SMTP_URL: server })).toThrow(/^SERAI_MAIL_FROM is not set/)
    expect(() => read({ SERAI_SMTP_URL: server, SERAI_MAIL_FROM: 'nobody' })).toThrow(/^SERAI_MAIL_FROM must be/)
    const unencrypted = { SERAI_SMTP_URL: `${server}?tls=off`, SERAI_MAIL_FROM: from }
    expect(() => read(unencrypted)).toThrow(/^SERAI_SMTP_URL would send the password unencrypted/)
    expect(() => read(unencrypted)).not.toThrow(/hunter2/)
  })
})
