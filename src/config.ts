import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { SecretKey } from './lib/keyring.ts'
import type { Allowance } from './store/counters.ts'
import { VENDOR_KINDS } from './vendors/registry.ts'

export type Mode = 'development' | 'production' | 'test'

/** All that varies between deployments, read once. Nothing else looks at the environment. */
export type Config = {
  readonly mode: Mode
  readonly host: string
  readonly port: number
  /** How clients reach us; links in answers begin with it. */
  readonly publicUrl: string
  readonly trustProxy: boolean
  readonly corsOrigins: readonly string[]
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** Connections to PostgreSQL that one process may hold. */
  readonly databaseConnections: number
  /** Redis or Valkey; what several nodes share beside the database. */
  readonly redisUrl: string | undefined
  /** Processes that share the port; `serai serve --workers` goes first. */
  readonly workers: number
  readonly logLevel: string
  readonly tokenTtlMs: number
  /** The first key seals, all of them open. */
  readonly secrets: readonly SecretKey[]
  readonly drainMs: number
  readonly search: {
    /** How long a vendor's answer may serve the same question again. */
    readonly reuseMs: number
    readonly savedTtlMs: number
    readonly detailTimeoutMs: number
    /** The most properties one search asks for, the nearest first; beyond them a smaller circle serves better. */
    readonly propertiesMax: number
  }
  readonly booking: {
    /** How long a client waits for the vendor before it is told to poll. */
    readonly patienceMs: number
  }
  /** Stand-ins on this machine in place of real vendors; on by default in development while no vendor is configured. */
  readonly sandbox: boolean
  /** The variables vendors are configured with; `vendors/registry.ts` knows their names. */
  readonly vendorEnvironment: Readonly<Record<string, string>>
  readonly allowPrivateWebhookTargets: boolean
  readonly tileStyleUrl: string | null
  readonly jobs: boolean
  readonly allowances: {
    readonly account: Allowance
    readonly address: Allowance
    readonly signInsPerAddress: Allowance
    readonly signInsPerEmail: Allowance
  }
}

export const WORKERS_MAX = 256

const Environment = Type.Object({
  NODE_ENV: Type.Optional(Type.Enum(['development', 'production', 'test'])),
  HOST: Type.Optional(Type.String({ minLength: 1 })),
  PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
  SERAI_PUBLIC_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  SERAI_TRUST_PROXY: Type.Optional(Type.Enum(['true', 'false'])),
  SERAI_CORS_ORIGINS: Type.Optional(Type.String()),
  SERAI_DATA_DIR: Type.Optional(Type.String({ minLength: 1 })),
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  SERAI_DATABASE_CONNECTIONS: Type.Optional(Type.Integer({ minimum: 2, maximum: 500 })),
  REDIS_URL: Type.Optional(Type.String({ pattern: '^(redis|valkey)s?://' })),
  SERAI_WORKERS: Type.Optional(Type.Integer({ minimum: 1, maximum: WORKERS_MAX })),
  SERAI_LOG_LEVEL: Type.Optional(Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])),
  SERAI_TOKEN_TTL_HOURS: Type.Optional(Type.Number({ minimum: 0.01, maximum: 2160 })),
  SERAI_SECRETS: Type.Optional(Type.String()),
  SERAI_DRAIN_MS: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
  SERAI_RATE_LIMIT_PER_MINUTE: Type.Optional(Type.Integer({ minimum: 1 })),
  SERAI_SANDBOX: Type.Optional(Type.Enum(['true', 'false'])),
  SERAI_ANSWER_REUSE_SECONDS: Type.Optional(Type.Number({ minimum: 0, maximum: 600 })),
  SERAI_SEARCH_TTL_MINUTES: Type.Optional(Type.Number({ minimum: 1, maximum: 1440 })),
  SERAI_SEARCH_PROPERTIES_MAX: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  SERAI_ALLOW_PRIVATE_WEBHOOKS: Type.Optional(Type.Enum(['true', 'false'])),
  SERAI_TILE_STYLE_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
})
type Environment = Static<typeof Environment>

/** A setting is missing or wrong; the message says which and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const MINUTE_MS = 60_000

export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const read = parseEnvironment(env)
  const mode = read.NODE_ENV ?? 'development'
  const host = read.HOST ?? '127.0.0.1'
  const port = read.PORT ?? 4000
  const dataDir = resolve(read.SERAI_DATA_DIR ?? '.data')
  return Object.freeze({
    mode,
    host,
    port,
    publicUrl: (read.SERAI_PUBLIC_URL ?? `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`).replace(
      /\/+$/,
      '',
    ),
    trustProxy: read.SERAI_TRUST_PROXY === 'true',
    corsOrigins: (read.SERAI_CORS_ORIGINS ?? '')
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
    dataDir,
    databaseUrl: read.DATABASE_URL,
    databaseConnections: read.SERAI_DATABASE_CONNECTIONS ?? 10,
    redisUrl: read.REDIS_URL,
    workers: read.SERAI_WORKERS ?? (mode === 'production' ? availableParallelism() : 1),
    logLevel: read.SERAI_LOG_LEVEL ?? (mode === 'production' ? 'info' : 'warn'),
    tokenTtlMs: (read.SERAI_TOKEN_TTL_HOURS ?? 24) * 3_600_000,
    secrets: secretsOf(read, mode, dataDir),
    drainMs: read.SERAI_DRAIN_MS ?? (mode === 'production' ? 2_000 : 0),
    search: {
      reuseMs: (read.SERAI_ANSWER_REUSE_SECONDS ?? 45) * 1_000,
      savedTtlMs: (read.SERAI_SEARCH_TTL_MINUTES ?? 60) * MINUTE_MS,
      detailTimeoutMs: 8_000,
      propertiesMax: read.SERAI_SEARCH_PROPERTIES_MAX ?? 1_000,
    },
    booking: { patienceMs: 15_000 },
    sandbox:
      read.SERAI_SANDBOX === undefined ? mode === 'development' && !hasVendor(env) : read.SERAI_SANDBOX === 'true',
    vendorEnvironment: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
    ),
    allowPrivateWebhookTargets:
      read.SERAI_ALLOW_PRIVATE_WEBHOOKS === undefined
        ? mode !== 'production'
        : read.SERAI_ALLOW_PRIVATE_WEBHOOKS === 'true',
    tileStyleUrl: read.SERAI_TILE_STYLE_URL ?? null,
    jobs: true,
    allowances: {
      account: { quota: read.SERAI_RATE_LIMIT_PER_MINUTE ?? 1_200, windowMs: MINUTE_MS },
      address: { quota: 240, windowMs: MINUTE_MS },
      signInsPerAddress: { quota: 20, windowMs: MINUTE_MS },
      signInsPerEmail: { quota: 10, windowMs: MINUTE_MS },
    },
  })
}

const hasVendor = (env: Record<string, string | undefined>) =>
  VENDOR_KINDS.some((kind) => kind.isConfigured(env as Record<string, string>))

/**
 * Empty is as good as unset for most variables, but without these the service would come up as something else: on an empty
 * database, alone among its nodes, or with the demo account. An empty one is a template that was not filled in.
 */
const NEVER_EMPTY = ['NODE_ENV', 'SERAI_DATA_DIR', 'DATABASE_URL', 'REDIS_URL']

function parseEnvironment(env: Record<string, string | undefined>): Environment {
  const empty = NEVER_EMPTY.find((name) => env[name] === '')
  if (empty !== undefined) {
    throw new ConfigError(`${empty} is set, but empty. Give it a value, or unset it to have what holds without it.`)
  }
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const wanted = Value.Clean(Environment, Value.Convert(Environment, set))
  const [first] = Value.Errors(Environment, wanted)
  if (first !== undefined) {
    const name = first.instancePath.slice(1)
    // Addresses carry passwords, and this line ends up in logs and tickets.
    const shown = /URL|SECRET/.test(name) ? '' : ` (it is "${String(set[name]).slice(0, 40)}")`
    throw new ConfigError(`${name} ${first.message}${shown}.`)
  }
  return wanted as Environment
}

const EXAMPLE_SECRETS = ['change-me', 'secret', 'default']

/** `SERAI_SECRETS=id:base64,older-id:base64`: each at least 32 bytes. Development makes its own and keeps it. */
function secretsOf(env: Environment, mode: Mode, dataDir: string): SecretKey[] {
  if (env.SERAI_SECRETS !== undefined) return env.SERAI_SECRETS.split(',').map(parseSecret)
  if (mode === 'production') {
    throw new ConfigError(
      'SERAI_SECRETS is not set. Production needs its own secret: SERAI_SECRETS="k1:$(openssl rand -base64 32)".',
    )
  }
  if (mode === 'test') return [{ id: 'test', key: Buffer.alloc(32, 7) }]
  return [{ id: 'dev', key: developmentSecret(dataDir) }]
}

function parseSecret(text: string): SecretKey {
  const [, id, encoded] = /^([A-Za-z0-9_-]{1,16}):(.+)$/.exec(text.trim()) ?? []
  if (id === undefined || encoded === undefined) {
    throw new ConfigError(
      'SERAI_SECRETS must be a list of id:base64, separated by commas; the first one is used to seal.',
    )
  }
  const key = Buffer.from(encoded, 'base64')
  if (
    key.length < 32 ||
    new Set(key).size < 8 ||
    EXAMPLE_SECRETS.some((word) => encoded.toLowerCase().includes(word))
  ) {
    throw new ConfigError(`The secret "${id}" is a default or too short: use at least 32 random bytes in base64.`)
  }
  return { id, key }
}

function developmentSecret(dataDir: string): Buffer {
  const path = join(dataDir, 'development-secret')
  try {
    return Buffer.from(readFileSync(path, 'utf8'), 'base64')
  } catch {
    const secret = randomBytes(32)
    mkdirSync(dataDir, { recursive: true })
    try {
      writeFileSync(path, secret.toString('base64'), { mode: 0o600, flag: 'wx' })
      return secret
    } catch (error) {
      // Another process that starts at the same time was quicker; all of them use its secret.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      return Buffer.from(readFileSync(path, 'utf8'), 'base64')
    }
  }
}
