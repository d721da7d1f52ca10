import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { type Static, Type } from 'typebox'
import type { GuestAccess } from './domain/guest-access.ts'
import { GUEST_ALLOWANCES } from './http/limits/guest-allowances.ts'
import type { SecretKey } from './lib/crypto/keyring.ts'
import { loadDevelopmentSecret, readSecrets } from './lib/crypto/master-secrets.ts'
import { readTrustProxy, type TrustProxy } from './lib/net/trust-proxy.ts'
import { findInvalidAddress, formatHost, isOrigin } from './lib/net/web-address.ts'
import { readBySchema } from './lib/read-by-schema.ts'
import { suggestKnownNames } from './lib/text/nearest-word.ts'
import { HOUR_MS, MINUTE_MS } from './lib/time/durations.ts'
import { NO_SENDER, readSender, readSmtpUrl } from './mail/smtp-settings.ts'
import { readPaymentSettings } from './payments/settings.ts'
import { chooseRatesUrl } from './rates/choose-rates-url.ts'
import { VENDOR_KINDS } from './vendors/registry.ts'
import { variablePrefix } from './vendors/settings.ts'

/** Settings of a deployment. No other file reads the environment. */
export type Config = Readonly<ReturnType<typeof readConfig>>

export const WORKERS_MAX = 256

const VENDOR_LIST = `^((${VENDOR_KINDS.map(({ id }) => id).join('|')}),?)*$`

const Environment = Type.Object({
  NODE_ENV: Type.Enum(['development', 'production', 'test'], { default: 'development' }),
  HOST: Type.String({ default: '127.0.0.1', minLength: 1 }),
  PORT: Type.Integer({ default: 4000, minimum: 0, maximum: 65_535 }),
  SERAI_PUBLIC_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  SERAI_TRUST_PROXY: Type.Optional(Type.String()),
  SERAI_CORS_ORIGINS: Type.String({ default: '' }),
  SERAI_DATA_DIR: Type.String({ default: '.data', minLength: 1 }),
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  DATABASE_READ_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  SERAI_DATABASE_CONNECTIONS: Type.Integer({ default: 10, minimum: 2, maximum: 500 }),
  REDIS_URL: Type.Optional(Type.String({ pattern: '^(redis|valkey)s?(-cluster|-sentinel)?://' })),
  SERAI_WORKERS: Type.Optional(Type.Integer({ minimum: 1, maximum: WORKERS_MAX })),
  SERAI_LOG_LEVEL: Type.Optional(Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])),
  SERAI_TOKEN_TTL_HOURS: Type.Number({ default: 24, minimum: 0.01, maximum: 2160 }),
  SERAI_SECRETS: Type.Optional(Type.String()),
  SERAI_DRAIN_MS: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
  SERAI_RATE_LIMIT_PER_MINUTE: Type.Integer({ default: 1_200, minimum: 1 }),
  SERAI_SANDBOX: Type.Optional(Type.Enum(['true', 'false'])),
  SERAI_ANSWER_REUSE_SECONDS: Type.Number({ default: 45, minimum: 0, maximum: 600 }),
  SERAI_SEARCH_TTL_MINUTES: Type.Number({ default: 60, minimum: 1, maximum: 1440 }),
  SERAI_SEARCH_PROPERTIES_MAX: Type.Integer({ default: 1_000, minimum: 1, maximum: 10_000 }),
  SERAI_READINGS_PER_MINUTE: Type.Number({ default: 20, minimum: 0.01, maximum: 6000 }),
  SERAI_CONTENT_LIVE: Type.Optional(Type.Enum(['true', 'false'])),
  SERAI_CONTENT_JOB: Type.Optional(Type.Enum(['feed', 'areas', 'off'])),
  SERAI_CONTENT_LANGUAGES: Type.Optional(Type.String({ pattern: '^[a-z]{2}( *, *[a-z]{2})*$' })),
  SERAI_DEFAULT_COUNTRY_CODE: Type.String({ default: 'US', pattern: '^[A-Z]{2}$' }),
  SERAI_PERSONS_DAYS: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
  SERAI_EXCHANGE_MARGIN_PERCENT: Type.Number({ default: 0, minimum: 0, maximum: 50 }),
  SERAI_EXCHANGE_RATES_URL: Type.Optional(Type.String({ pattern: '^(https?://|off$)' })),
  SERAI_REQUIRE_GUESTS: Type.Optional(Type.Enum(['true', 'false'])),
  SERAI_GUESTS: Type.Optional(Type.Enum(['true', 'search', 'false'])),
  SERAI_PAYMENTS: Type.Optional(Type.Enum(['stripe', 'off'])),
  SERAI_STRIPE_SECRET_KEY: Type.Optional(Type.String()),
  SERAI_STRIPE_PUBLISHABLE_KEY: Type.Optional(Type.String()),
  SERAI_STRIPE_WEBHOOK_SECRETS: Type.Optional(Type.String()),
  SERAI_STRIPE_ORIGIN: Type.Optional(Type.String()),
  SERAI_ALLOW_PRIVATE_WEBHOOKS: Type.Optional(Type.Enum(['true', 'false'])),
  SERAI_SMTP_URL: Type.Optional(Type.String({ minLength: 1 })),
  SERAI_MAIL_FROM: Type.Optional(Type.String({ minLength: 3, maxLength: 320 })),
  SERAI_MAP_STYLE_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  SERAI_MAIL_OPERATOR: Type.Optional(Type.String({ minLength: 3, maxLength: 320 })),
  SERAI_MCP: Type.Optional(Type.Enum(['true', 'false'])),
  SERAI_MCP_TOKEN: Type.Optional(Type.String({ pattern: '^[!-~]{8,200}$' })),
  SERAI_REQUEST_LOG: Type.Enum(['on', 'off'], { default: 'on' }),
  SERAI_TRACE_VENDORS: Type.String({ default: '', pattern: VENDOR_LIST }),
  SERAI_METRICS_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  SERAI_METRICS_TOKEN: Type.Optional(Type.String({ pattern: '^[!-~]{16,200}$' })),
})
type Environment = Static<typeof Environment>
type Mode = Environment['NODE_ENV']

/** Its message names the missing or wrong setting and the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const SANDBOX_FOLDER = join(import.meta.dirname, '..', 'sandbox')

type Variables = Readonly<Record<string, string | undefined>>

export function readConfig(env: Variables = process.env) {
  const read = parseEnvironment(env)
  const { NODE_ENV: mode, HOST: host, PORT: port } = read
  const isProduction = mode === 'production'
  const dataDir = resolve(read.SERAI_DATA_DIR)
  const vendorEnvironment = vendorVariables(env)
  const hasVendor = Object.keys(vendorEnvironment).length > 0
  return {
    mode,
    host,
    port,
    /** Base of the links in responses. */
    publicUrl: withoutSlash(read.SERAI_PUBLIC_URL ?? `http://${formatHost(reachable(host))}:${port}`),
    trustProxy: readTrustedProxies(read),
    corsOrigins: readCorsOrigins(read),
    dataDir,
    ...databaseSettings(read),
    /** Redis or Valkey, shared by all nodes. */
    redisUrl: read.REDIS_URL,
    /** Processes that share the port; `serai serve --workers` overrides it. */
    workers: read.SERAI_WORKERS ?? (isProduction ? availableParallelism() : 1),
    logLevel: read.SERAI_LOG_LEVEL ?? (isProduction ? 'info' : 'warn'),
    tokenTtlMs: read.SERAI_TOKEN_TTL_HOURS * HOUR_MS,
    /** Pause between two attempts to sign in to an account that is under attack. */
    signInPauseMs: 1_000,
    /** The first key seals new offers; all of them open offers. */
    secrets: readSecretKeys(read, mode, dataDir),
    drainMs: read.SERAI_DRAIN_MS ?? (isProduction ? 2_000 : 0),
    search: searchSettings(read),
    content: contentSettings(read, hasVendor),
    ...bookingSettings(read),
    guests: guestSettings(read, mode),
    payments: paymentSettings(read),
    /** MapLibre style that replaces the built-in map. */
    mapStyleUrl: read.SERAI_MAP_STYLE_URL ?? null,
    /** Simulated vendors on this machine; on by default in development if no vendor is configured. */
    sandbox: checkSandbox(flag(read.SERAI_SANDBOX, mode === 'development' && !hasVendor)),
    vendorEnvironment,
    allowPrivateWebhookTargets: flag(read.SERAI_ALLOW_PRIVATE_WEBHOOKS, !isProduction),
    mail: mailSettings(read, mode),
    /** `isServed`: at `/mcp`. `token`: the account that `serai mcp` acts for. */
    mcp: { isServed: flag(read.SERAI_MCP, !isProduction), token: read.SERAI_MCP_TOKEN },
    /** Vendors that receive the trace context of a call. */
    traceVendors: splitList(read.SERAI_TRACE_VENDORS),
    metrics: metricsSettings(read, port, isProduction),
    /** Keeps API calls so that operators can look them up by id. */
    requestLog: read.SERAI_REQUEST_LOG === 'on',
    jobs: true,
    allowances: allowanceSettings(read),
  }
}

const bookingSettings = (read: Environment) => ({
  /** Maximum wait for the vendor before the client gets a 202 and polls. */
  booking: { patienceMs: 15_000 },
  /** Added if the vendor is paid in a different currency than the client pays. */
  selling: { exchangeMarginPercent: read.SERAI_EXCHANGE_MARGIN_PERCENT },
  exchangeRatesUrl: chooseRatesUrl(read.SERAI_EXCHANGE_RATES_URL, read.NODE_ENV === 'production'),
  /** Guest's country if the search names none; vendors' prices depend on it. */
  defaultCountryCode: read.SERAI_DEFAULT_COUNTRY_CODE,
  erasePersonsAfterDays: read.SERAI_PERSONS_DAYS,
  /** Bookings re-read per vendor and minute, by all processes together. */
  readingsPerMinute: read.SERAI_READINGS_PER_MINUTE,
  /** If false, a booking without guests is for the account holder. Vendors require the traveller's name. */
  requireGuests: flag(read.SERAI_REQUIRE_GUESTS, read.NODE_ENV === 'production'),
})

const searchSettings = (read: Environment) => ({
  /** Lifetime of a cached vendor response. */
  reuseMs: read.SERAI_ANSWER_REUSE_SECONDS * 1_000,
  savedTtlMs: read.SERAI_SEARCH_TTL_MINUTES * MINUTE_MS,
  detailTimeoutMs: 8_000,
  /** Maximum number of properties that one search prices, nearest first. */
  propertiesMax: read.SERAI_SEARCH_PROPERTIES_MAX,
})

/** Real vendors usually forbid reading content during a search; the sandbox allows it. */
const contentSettings = (read: Environment, hasVendor: boolean) => ({
  live: flag(read.SERAI_CONTENT_LIVE, !hasVendor),
  job: read.SERAI_CONTENT_JOB ?? (hasVendor ? 'feed' : 'areas'),
  /** In addition to English. */
  languages: splitList(read.SERAI_CONTENT_LANGUAGES ?? (hasVendor ? 'en' : 'en,de')).filter((code) => code !== 'en'),
})

/** Replaces the wildcard address, which cannot be connected to. */
const reachable = (host: string): string => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host)

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const flag = (value: 'true' | 'false' | undefined, unset: boolean): boolean =>
  value === undefined ? unset : value === 'true'

function readCorsOrigins({ SERAI_CORS_ORIGINS: text }: Environment): string[] {
  const origins = splitList(text)
  const wrong = origins.find((origin) => !isOrigin(origin))
  if (wrong === undefined) return origins
  throw new ConfigError(
    `SERAI_CORS_ORIGINS must be origins as browsers send them, such as https://app.example.com, separated by commas ("${wrong.slice(0, 80)}" is not an origin).`,
  )
}

function readTrustedProxies({ SERAI_TRUST_PROXY: text }: Environment): TrustProxy {
  const proxies = readTrustProxy(text)
  if (proxies !== undefined) return proxies
  throw new ConfigError(
    `SERAI_TRUST_PROXY must be the number of proxies in front, such as 1, or their addresses, such as 10.0.0.0/8,fd00::/8 (it is "${text?.slice(0, 40)}"). With "true" every client could choose its own address.`,
  )
}

/** `smtp`: without it no mail is sent. `keep`: shows all mails at `/dev/mail`. `operator`: receives reports of discrepancies. */
function mailSettings(
  { SERAI_SMTP_URL: url, SERAI_MAIL_FROM: from, SERAI_MAIL_OPERATOR: to }: Environment,
  mode: Mode,
) {
  const keep = mode === 'development'
  const operator = to === undefined ? undefined : readSender(to)?.address
  if (to !== undefined && operator === undefined)
    throw new ConfigError('SERAI_MAIL_OPERATOR must be an address, such as operations@example.com.')
  const sender = from === undefined ? NO_SENDER : readSender(from)
  if (sender === undefined)
    throw new ConfigError('SERAI_MAIL_FROM must be an address, such as "Example Hotels <bookings@example.com>".')
  const smtp = url === undefined ? undefined : readSmtpUrl(url)
  if (typeof smtp === 'string') throw new ConfigError(`SERAI_SMTP_URL ${smtp}.`)
  if (smtp !== undefined && from === undefined)
    throw new ConfigError(
      'SERAI_MAIL_FROM is not set. Mails need a sender: SERAI_MAIL_FROM="Example <bookings@example.com>".',
    )
  if (smtp === undefined && operator !== undefined && !keep)
    throw new ConfigError(
      'SERAI_MAIL_OPERATOR is set, but SERAI_SMTP_URL is not, so no mail could be sent. Set both or neither.',
    )
  return { smtp, sender, keep, operator }
}

/** `/metrics` is served on its own port, behind a token, or in development to this machine only; otherwise not at all. */
function metricsSettings(read: Environment, apiPort: number, isProduction: boolean) {
  const { SERAI_METRICS_PORT: port, SERAI_METRICS_TOKEN: token } = read
  // Workers could listen on both without an error, and each request would reach one or the other at random.
  if (port !== undefined && port === apiPort)
    throw new ConfigError(`SERAI_METRICS_PORT must differ from PORT; both are ${apiPort}.`)
  return { port, token, onLoopback: !isProduction && port === undefined && token === undefined }
}

function paymentSettings(read: Environment) {
  const settings = readPaymentSettings(read)
  if (typeof settings !== 'object' || 'provider' in settings) return settings
  throw new ConfigError(settings.error)
}

/** The production image is built without the sandbox. */
export const isSandboxInstalled = (): boolean => existsSync(SANDBOX_FOLDER)

function checkSandbox(isWanted: boolean): boolean {
  if (isWanted && !isSandboxInstalled()) {
    throw new ConfigError(
      'This installation has no sandbox. Set SERAI_SANDBOX=false and the variables of a vendor, or run a full checkout.',
    )
  }
  return isWanted
}

const databaseSettings = (read: Environment) => ({
  /** Several hosts: the one that accepts writes is used. */
  databaseUrl: read.DATABASE_URL,
  /** Standby for lists and saved searches. */
  databaseReadUrl: read.DATABASE_READ_URL,
  /** Maximum per process and server. */
  databaseConnections: read.SERAI_DATABASE_CONNECTIONS,
})

const allowanceSettings = (read: Environment) => ({
  account: { quota: read.SERAI_RATE_LIMIT_PER_MINUTE, windowMs: MINUTE_MS },
  address: { quota: 240, windowMs: MINUTE_MS },
  signInsPerAddress: { quota: 20, windowMs: MINUTE_MS },
  /** From one address to one e-mail. */
  signInsPerPair: { quota: 10, windowMs: MINUTE_MS },
})

const GUEST_ACCESS = { true: 'book', search: 'search', false: 'off' } as const satisfies Record<string, GuestAccess>

const guestSettings = ({ SERAI_GUESTS: value }: Environment, mode: Mode) => ({
  access: GUEST_ACCESS[value ?? (mode === 'development' ? 'true' : 'false')],
  allowances: GUEST_ALLOWANCES,
})

/** Variables of registered vendors. Other secrets of the environment stay out of the configuration. */
function vendorVariables(env: Variables): Record<string, string> {
  const prefixes = VENDOR_KINDS.map(({ id }) => variablePrefix(id))
  const set = Object.entries(env).filter((entry): entry is [string, string] => (entry[1] ?? '').trim() !== '')
  return Object.fromEntries(set.filter(([name]) => prefixes.some((prefix) => name.startsWith(prefix))))
}

/** An empty value usually means unset. For these it is an error: the service would start with other data or in another mode. */
const NEVER_EMPTY = ['NODE_ENV', 'SERAI_DATA_DIR', 'DATABASE_URL', 'REDIS_URL']

/** Warnings about variables that resemble a setting but have no effect. */
export function misspeltSettings(env: Variables = process.env): string[] {
  const ofVendors = vendorVariables(env)
  const names = Object.keys(env).filter((name) => name.startsWith('SERAI_') && !(name in ofVendors))
  return suggestKnownNames(names, Object.keys(Environment.properties))
}

function parseEnvironment(env: Variables): Environment {
  const empty = NEVER_EMPTY.find((name) => env[name] === '')
  if (empty !== undefined) {
    throw new ConfigError(`${empty} is empty. Set a value, or unset it to use the default.`)
  }
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const settings = { ...set }
  const [first] = readBySchema(Environment, settings)
  if (first === undefined) {
    const wrong = findInvalidAddress(settings)
    if (wrong !== undefined) throw new ConfigError(wrong)
    return settings as unknown as Environment
  }
  const name = first.instancePath.slice(1)
  // URLs may contain passwords, and this message ends up in logs and tickets.
  const shown = /URL|SECRET|TOKEN/.test(name) ? '' : ` (it is "${String(set[name]).slice(0, 40)}")`
  const { keyword, params, message } = first
  const problem = keyword === 'enum' ? `must be one of ${params.allowedValues.join(', ')}` : message
  throw new ConfigError(`${name} ${problem}${shown}.`)
}

/** `SERAI_SECRETS=id:base64,older-id:base64`, each at least 32 bytes. Development creates its own and stores it. */
function readSecretKeys(env: Environment, mode: Mode, dataDir: string): SecretKey[] {
  if (env.SERAI_SECRETS !== undefined) return orThrow(readSecrets(env.SERAI_SECRETS))
  if (mode === 'production') {
    throw new ConfigError(
      'SERAI_SECRETS is not set. Production needs its own secret: SERAI_SECRETS="k1:$(openssl rand -base64 32)".',
    )
  }
  if (mode === 'test') return [{ id: 'test', key: Buffer.alloc(32, 7) }]
  return [{ id: 'dev', key: orThrow(loadDevelopmentSecret(dataDir)) }]
}

function orThrow<T extends object>(result: T | string): T {
  if (typeof result === 'string') throw new ConfigError(result)
  return result
}
