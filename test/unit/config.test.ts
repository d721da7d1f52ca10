import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, misspeltSettings, readConfig } from '../../src/config.ts'
import { splitHosts } from '../../src/lib/net/web-address.ts'
import { serve } from '../../src/process/serve.ts'

const SECRETS = 'k1:oOr/qPp12RZVC5nv4cTnSeTzCcW+xtjBoZRAcbUxmpk='

describe.each(['production', 'test'])('in %s', (mode) => {
  const read = (more: Record<string, string>) => readConfig({ NODE_ENV: mode, SERAI_SECRETS: SECRETS, ...more })

  test.each(['NODE_ENV', 'SERAI_DATA_DIR', 'DATABASE_URL', 'REDIS_URL'])(
    'an empty %s is refused by name, because the service would start with other settings than intended',
    (name) => {
      expect(() => read({ [name]: '' })).toThrow(ConfigError)
      expect(() => read({ [name]: '' })).toThrow(new RegExp(`^${name} is empty\\.`))
    },
  )

  test('other empty variables are treated as unset', () => {
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
  const vendors = { SERAI_HOTELBEDS_API_KEY: 'key', SERAI_EXPEDIA_RAPID_TYPO: 'checked by its adapter' }
  const others = { AWS_SECRET_ACCESS_KEY: 'a', PATH: '/bin', SERAI_LOG_LEVEL: 'warn', SERAI_UNKNOWN_API_KEY: 'b' }
  const config = readConfig({ NODE_ENV: 'test', ...vendors, ...others, SERAI_HOTELBEDS_SECRET: ' ' })
  expect(config.vendorEnvironment).toEqual(vendors)
})

test('guests are required in production, unless the operator configures otherwise', () => {
  const required = (env: Record<string, string>) =>
    readConfig({ NODE_ENV: 'test', SERAI_SECRETS: SECRETS, ...env }).requireGuests
  expect([required({}), required({ SERAI_REQUIRE_GUESTS: 'true' })]).toEqual([false, true])
  const production = { NODE_ENV: 'production' }
  expect([required(production), required({ ...production, SERAI_REQUIRE_GUESTS: 'false' })]).toEqual([true, false])
  expect(required({ NODE_ENV: 'development' })).toBe(false)
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

test.each([
  ['SERAI_PUBLIC_URL', 'https://'],
  ['SERAI_MAP_STYLE_URL', 'https://maps example'],
  ['DATABASE_URL', 'postgres://serai:pa#ss@db/serai'],
  ['REDIS_URL', 'redis://:pa/ss@valkey:6379'],
  ['DATABASE_READ_URL', 'postgres://serai:pa#ss@db/serai'],
])('an invalid %s is refused by name, with an example and without repeating its value', (name, value) => {
  const read = () => readConfig({ NODE_ENV: 'test', [name]: value })
  expect(read).toThrow(new RegExp(`^${name} must be an address such as `))
  expect(read).not.toThrow(/pa.ss/)
})

test('PostgreSQL may be at a socket of this machine', () => {
  const DATABASE_URL = 'postgres://serai@/serai?host=/var/run/postgresql'
  expect(readConfig({ NODE_ENV: 'test', DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
})

test('PostgreSQL may have several hosts', () => {
  const DATABASE_URL = 'postgres://u:p%2C@a,b:5433,[::1]/db?target_session_attrs=read-write'
  expect(readConfig({ NODE_ENV: 'test', DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
  const read = (value: string) => () => readConfig({ NODE_ENV: 'test', DATABASE_URL: value })
  expect(read('postgres://a,b:99999/db')).toThrow(/must be an address/)
  expect(read('postgres://a,b/db?target_session_attrs=any')).toThrow(/target_session_attrs=read-write/)
})

test('a standby for reading needs a primary, and is one host', () => {
  const read = (DATABASE_READ_URL: string, DATABASE_URL?: string) => () =>
    readConfig({ NODE_ENV: 'test', DATABASE_READ_URL, ...(DATABASE_URL && { DATABASE_URL }) }).databaseReadUrl
  expect(read('postgres://b/db', 'postgres://a/db')()).toBe('postgres://b/db')
  expect(read('postgres://b/db')).toThrow('DATABASE_READ_URL needs DATABASE_URL')
  expect(read('postgres://b,c/db', 'postgres://a/db')).toThrow('DATABASE_READ_URL must name one host')
})

test('Redis may be one server, a primary known to Sentinels, or a cluster', () => {
  const read = (REDIS_URL: string) => () => readConfig({ NODE_ENV: 'test', REDIS_URL }).redisUrl
  for (const url of ['redis://:a,b@host', 'rediss-sentinel://:pw@a,b:26380/main', 'redis-cluster://a:7000,b'])
    expect(read(url)()).toBe(url)
  for (const url of ['redis://a,b', 'redis-sentinel://a,b', 'redis-sentinel://a,b/'])
    expect(read(url)).toThrow(/must be an address/)
})

test('an address with several hosts is one address for each host', () => {
  expect(splitHosts('postgres://u:p%2C@a,b:5433,[::1]/db?sslmode=require')).toEqual([
    'postgres://u:p%2C@a/db?sslmode=require',
    'postgres://u:p%2C@b:5433/db?sslmode=require',
    'postgres://u:p%2C@[::1]/db?sslmode=require',
  ])
  for (const url of ['postgres://serai@/serai?host=/var/run/postgresql', 'redis://:a,b@host:6379'])
    expect(splitHosts(url)).toEqual([url])
})

test('the default public URL is valid for IPv6 hosts and for all interfaces', () => {
  const urlAt = (HOST: string) => readConfig({ NODE_ENV: 'test', HOST }).publicUrl
  expect(['::1', '::', '0.0.0.0', 'fd00::7', 'stays.local'].map(urlAt)).toEqual([
    'http://[::1]:4000',
    'http://127.0.0.1:4000',
    'http://127.0.0.1:4000',
    'http://[fd00::7]:4000',
    'http://stays.local:4000',
  ])
})

test('SERAI_CORS_ORIGINS accepts origins as browsers send them and refuses values that could never match', () => {
  const read = (SERAI_CORS_ORIGINS: string) => readConfig({ NODE_ENV: 'test', SERAI_CORS_ORIGINS }).corsOrigins
  const good = ['https://app.example.com', 'http://localhost:5173', 'capacitor://localhost']
  expect(read(good.join(', '))).toEqual(good)
  for (const wrong of ['*', 'app.example.com', 'https://app.example.com/', 'https://*.example.com', 'https://a.b:443'])
    expect(() => read(`https://good.example,${wrong}`)).toThrow(
      /^SERAI_CORS_ORIGINS must be origins as browsers send them/,
    )
})

test('the metrics port must differ from PORT, because workers share PORT', () => {
  const read = (more: object) => () => readConfig({ NODE_ENV: 'test', SERAI_METRICS_PORT: '4000', ...more })
  expect(read({})).toThrow(/^SERAI_METRICS_PORT must differ from PORT/)
  expect(read({ PORT: '4001' })().metrics.port).toBe(4000)
})

test('misspelt settings are reported with the closest name, and unrelated variables are ignored', () => {
  const env = {
    SERAI_SMPT_URL: 'smtps://mail.example.com',
    SERAI_TRUST_PROXIES: '1',
    SERAI_GUESTS: 'true',
    SERAI_HOTELBEDS_API_KEYS: 'checked by its adapter',
    SERAI_URL: 'of the client',
    SERVAI_PORT: '1',
  }
  expect(misspeltSettings(env)).toEqual([
    'SERAI_SMPT_URL is not a setting and is ignored. Did you mean SERAI_SMTP_URL?',
    'SERAI_TRUST_PROXIES is not a setting and is ignored. Did you mean SERAI_TRUST_PROXY?',
  ])
})

describe('SERAI_TRUST_PROXY', () => {
  const read = (value: string) => readConfig({ NODE_ENV: 'test', SERAI_TRUST_PROXY: value }).trustProxy

  test('SERAI_TRUST_PROXY is off by default, a number of proxies, or a list of their addresses', () => {
    expect(readConfig({ NODE_ENV: 'test' }).trustProxy).toBe(false)
    expect([read('false'), read('0'), read('1'), read('2')]).toEqual([false, false, 1, 2])
    expect(read('10.0.0.0/8, fd00::/8,192.0.2.7')).toEqual(['10.0.0.0/8', 'fd00::/8', '192.0.2.7'])
  })

  test.each(['true', 'yes', '11', '10.0.0.0/33', '0.0.0.0/0', '::/0', 'proxy.local', '10.0.0.0/8/8', '10.0.0.0/8,'])(
    'SERAI_TRUST_PROXY=%s is refused, with a hint what to set instead',
    (value) => {
      expect(() => read(value)).toThrow(/SERAI_TRUST_PROXY must be the number of proxies in front, such as 1/)
    },
  )
})

describe('secrets', () => {
  const read = (bytes: Uint8Array) =>
    readConfig({ NODE_ENV: 'production', SERAI_SECRETS: `k1:${Buffer.from(bytes).toString('base64')}` })
  const sequence = (next: (index: number) => number) => Uint8Array.from({ length: 32 }, (_, index) => next(index))

  test.each([
    ['bytes 1 to 32', sequence((index) => index + 1)],
    ['a sequence downwards', sequence((index) => 200 - index)],
    ['a sequence in steps', sequence((index) => index * 37 + 11)],
    ['squares', sequence((index) => index * index)],
    ['one byte', sequence(() => 7)],
    [
      'a repeated half',
      sequence((index) => [171, 205, 239, 18, 52, 86, 120, 144, 3, 77, 201, 9, 66, 31, 180, 99][index % 16] ?? 0),
    ],
    ['a sentence', Buffer.from('correct horse battery staple, and more')],
    ['too short', Buffer.from('oOr/qPp12RZVC5nv4cTnSeTzCcW+xtg=', 'base64')],
  ])('a guessable secret is refused: %s', (_, bytes) => {
    expect(() => read(bytes)).toThrow(/openssl rand -base64 32/)
  })

  test('two secrets with one id are refused, because data encrypted with the second would be unreadable', () => {
    const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    const readBoth = (ids: string[]) =>
      readConfig({ NODE_ENV: 'production', SERAI_SECRETS: `${ids[0]}:${first},${ids[1]}:${second}` }).secrets
    expect(() => readBoth(['k1', 'k1'])).toThrow(/^SERAI_SECRETS has two secrets with the id "k1"/)
    expect(readBoth(['k2', 'k1']).map(({ id }) => id)).toEqual(['k2', 'k1'])
  })

  test('an incomplete stored development secret is refused with the path of its file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'serai-secret-'))
    const read = () => readConfig({ SERAI_DATA_DIR: folder, SERAI_SANDBOX: 'false' }).secrets
    expect(read()).toEqual(read())
    writeFileSync(join(folder, 'development-secret'), '')
    expect(read).toThrow(/development-secret does not hold a whole secret\. Delete it/)
    rmSync(folder, { recursive: true })
  })

  test('random secrets are accepted', () => {
    for (let i = 0; i < 2_000; i += 1) expect(read(randomBytes(32)).secrets).toHaveLength(1)
  })
})

test('metrics are served on loopback in development, and nowhere in production unless configured', () => {
  const metricsIn = (env: Record<string, string>) => readConfig({ SERAI_SECRETS: SECRETS, ...env }).metrics
  expect(metricsIn({})).toEqual({ port: undefined, token: undefined, onLoopback: true })
  expect(metricsIn({ NODE_ENV: 'production' }).onLoopback).toBe(false)
  expect(metricsIn({ NODE_ENV: 'production', SERAI_METRICS_PORT: '9090' })).toMatchObject({ port: 9090 })
  expect(metricsIn({ SERAI_METRICS_TOKEN: 'sixteen-characters' })).toMatchObject({ onLoopback: false })
  expect(() => metricsIn({ SERAI_METRICS_TOKEN: 'short' })).toThrow(/^SERAI_METRICS_TOKEN .*(?<!short.*)$/)
})

test('NODE_ENV=test cannot serve, because its secret is public', async () => {
  await expect(serve(readConfig({ NODE_ENV: 'test' }))).rejects.toThrow(/NODE_ENV=test cannot serve/)
})

describe('mail', () => {
  const read = (more: Record<string, string>) => readConfig({ NODE_ENV: 'production', SERAI_SECRETS: SECRETS, ...more })
  const from = 'Example Hotels <bookings@example.com>'

  test('mails are sent only if a server is configured, and kept for reading only in development', () => {
    expect(read({}).mail).toMatchObject({ smtp: undefined, keep: false })
    expect(readConfig({ NODE_ENV: 'development', SERAI_SECRETS: SECRETS }).mail).toMatchObject({ keep: true })
    const { mail } = read({ SERAI_SMTP_URL: 'smtps://u:p@mail.example.com', SERAI_MAIL_FROM: from })
    expect(mail).toMatchObject({ smtp: { host: 'mail.example.com', secure: true }, sender: { domain: 'example.com' } })
  })

  test('a mail server without a sender or with an invalid URL is refused by name, without its password', () => {
    const server = 'smtp://u:hunter2@mail.example.com'
    expect(() => read({ SERAI_SMTP_URL: server })).toThrow(/^SERAI_MAIL_FROM is not set/)
    expect(() => read({ SERAI_SMTP_URL: server, SERAI_MAIL_FROM: 'nobody' })).toThrow(/^SERAI_MAIL_FROM must be/)
    const unencrypted = { SERAI_SMTP_URL: `${server}?tls=off`, SERAI_MAIL_FROM: from }
    expect(() => read(unencrypted)).toThrow(/^SERAI_SMTP_URL would send the password unencrypted/)
    expect(() => read(unencrypted)).not.toThrow(/hunter2/)
    expect(() => read({ SERAI_MAIL_OPERATOR: 'ops@example.com' })).toThrow(
      /^SERAI_MAIL_OPERATOR is set, but SERAI_SMTP_URL/,
    )
  })
})
