import pg from 'pg'
import { storeUnavailable } from '../store-unavailable.ts'
import { createHangWatch } from './postgres-hang-watch.ts'
import { createPrimary, destroyClient } from './postgres-primary.ts'

export type PoolOptions = {
  readonly url: string
  readonly connectionsMax?: number
  /** No query timeout, for migrations. */
  readonly patient?: boolean
  /** Called once when the server stops responding and once when it responds again. */
  onHang?(isHung: boolean): void
}

/** Also the timeout for waiting for a free connection. */
const CONNECT_TIMEOUT_MS = 3_000
/** Ten times longer than the slowest query of a request. A hanging server is noticed long before. */
const QUERY_TIMEOUT_MS = 20_000
const QUERY_TIMED_OUT = 'Query read timeout'
const READ_ONLY = '25006'
const PROBE_TIMEOUT_MS = 1_500
const RETRY_AFTER_MS = 1_000

export type PostgresPool = pg.Pool & {
  /** Moves all connections if another server has become the primary. */
  followPrimary(): Promise<void>
}

/** Replaces dead connections at the next query, and reports an unavailable or hanging server as `store_unavailable`. */
export function openPostgresPool({ url, connectionsMax = 10, patient = false, onHang }: PoolOptions): PostgresPool {
  // Timestamps and counts are far below 2^53, and SQLite returns them as numbers too.
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const clients = new Set<pg.ClientBase>()
  const primary = createPrimary(url, () => clients.forEach(destroyClient))
  class PrimaryClient extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, connectionString: primary.url() })
    }
  }
  const pool = new pg.Pool({
    Client: PrimaryClient,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(patient ? {} : { query_timeout: QUERY_TIMEOUT_MS }),
    keepAlive: true,
    types,
  })
  const followPrimary = () => {
    primary.forget()
    return primary.find()
  }
  const moved = () => followPrimary().then(() => probeAt(primary.url()))
  const probe = async () => (await probeAt(primary.url())) || moved()
  const watch = patient ? undefined : createHangWatch({ probe, onChange: onHang })
  const reportUnavailable = (error: unknown) => {
    if (!isUnavailable(error)) return error
    primary.forget()
    return storeUnavailable(error, RETRY_AFTER_MS)
  }
  // Without listeners, a dead connection would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    clients.add(client)
    client.on('error', () => undefined)
    translateQueries(client, { reportUnavailable, ...(watch && { trackQuery: watch.trackQuery }) })
  })
  pool.on('remove', (client) => clients.delete(client))
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  const translatedConnect = async () => {
    if (watch?.isHung() === true) throw storeUnavailable(new Error('the server hangs'), RETRY_AFTER_MS)
    try {
      await primary.find()
      return await connect()
    } catch (error) {
      throw reportUnavailable(error)
    }
  }
  const end = pool.end.bind(pool) as () => Promise<void>
  return Object.assign(pool, {
    connect: translatedConnect,
    followPrimary,
    end() {
      watch?.close()
      return end()
    },
  })
}

type Hooks = {
  reportUnavailable(error: unknown): unknown
  trackQuery?(connection: { destroy(): void }): () => void
}

function translateQueries(client: pg.ClientBase, { reportUnavailable, trackQuery }: Hooks): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  const connection = { destroy: () => destroyClient(client) }
  const translated = async (...args: unknown[]) => {
    const answered = trackQuery?.(connection)
    try {
      return await query(...args)
    } catch (error) {
      if (isUnusable(error)) connection.destroy()
      throw reportUnavailable(error)
    } finally {
      answered?.()
    }
  }
  Object.assign(client, { query: translated })
}

/** A late response would be mistaken for that of the next query, and a server that became read-only is not the primary. */
const isUnusable = (error: unknown): boolean =>
  error instanceof Error && (error.message === QUERY_TIMED_OUT || Object(error).code === READ_ONLY)

/** True if the server responds at all, even with an error. */
async function probeAt(connectionString: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    destroyClient(client)
  }
}

/** SQLSTATE classes 08, 53 and 57 (connection lost, no resources, stopping or starting) and 25006 (read-only standby). */
const UNAVAILABLE_STATES = /^(08...|53...|57P0.|25006)$/
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Driver errors without a code. */
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client (was closed|has encountered a connection error)|Cannot use a pool after)/

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return UNAVAILABLE_STATES.test(code) || UNAVAILABLE_CODES.has(code) || UNAVAILABLE_MESSAGES.test(error.message)
}
