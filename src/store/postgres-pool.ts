import pg from 'pg'
import { createHangWatch, type HangWatch } from './postgres-pool-watch.ts'
import { storeUnavailable } from './store-unavailable.ts'

export type PoolOptions = {
  readonly url: string
  readonly connectionsMax?: number
  /** For migrations, which may take as long as they take. */
  readonly patient?: boolean
  /** Told once when the server stops answering and once when it answers again. */
  onHang?(isHung: boolean): void
}

/** Also how long a query waits for a free connection. */
const CONNECT_TIMEOUT_MS = 3_000
/** Nothing a request asks takes a tenth of it. A server that hangs altogether is noticed long before. */
const QUERY_TIMEOUT_MS = 20_000
const QUERY_TIMED_OUT = 'Query read timeout'
const PROBE_TIMEOUT_MS = 1_500
const RETRY_AFTER_MS = 1_000

/**
 * A pool that outlives its server: dead connections are replaced at the next query. A server that cannot be reached, or
 * hangs, is reported as `store_unavailable` instead of as an internal error.
 */
export function openPostgresPool({ url, connectionsMax = 10, patient = false, onHang }: PoolOptions): pg.Pool {
  // Epochs and counts are far below 2^53; as strings they would compare wrongly with SQLite's numbers.
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(patient ? {} : { query_timeout: QUERY_TIMEOUT_MS }),
    keepAlive: true,
    types,
  })
  const watch = patient ? undefined : createHangWatch({ probe: () => probeAt(url), onChange: onHang })
  // Without listeners Node would end the process when a connection dies, idle or in use.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    translateQueries(client, watch)
  })
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  const translatedConnect = async () => {
    if (watch?.isHung() === true) throw storeUnavailable(new Error('the server hangs'), RETRY_AFTER_MS)
    try {
      return await connect()
    } catch (error) {
      throw isAway(error) ? storeUnavailable(error, RETRY_AFTER_MS) : error
    }
  }
  const end = pool.end.bind(pool) as () => Promise<void>
  return Object.assign(pool, {
    connect: translatedConnect,
    end() {
      watch?.close()
      return end()
    },
  })
}

function translateQueries(client: pg.ClientBase, watch: HangWatch | undefined): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  const connection = { destroy: () => destroy(client) }
  const translated = async (...args: unknown[]) => {
    const answered = watch?.asked(connection)
    try {
      return await query(...args)
    } catch (error) {
      // Its answer may still come, and would be taken for that of the next query.
      if (error instanceof Error && error.message === QUERY_TIMED_OUT) connection.destroy()
      throw isAway(error) ? storeUnavailable(error, RETRY_AFTER_MS) : error
    } finally {
      answered?.()
    }
  }
  Object.assign(client, { query: translated })
}

/** Closes the socket at once: a server that hangs would never answer the protocol's own goodbye. */
function destroy(client: pg.ClientBase): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}

/** True when the server answers anything, even that it has no connection left. */
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
    destroy(client)
  }
}

/** Classes 08, 53 and 57 of SQLSTATE: connection lost, no resources, going down or coming up; 25006: a read-only standby. */
const AWAY_STATES = /^(08...|53...|57P0.|25006)$/
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Errors of the driver that have no code. */
const AWAY_WORDS =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client (was closed|has encountered a connection error)|Cannot use a pool after)/

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return AWAY_STATES.test(code) || AWAY_CODES.has(code) || AWAY_WORDS.test(error.message)
}
