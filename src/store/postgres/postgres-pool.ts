import pg from 'pg'
import { createHangWatch, type HangWatch } from './postgres-hang-watch.ts'
import { storeUnavailable } from '../store-unavailable.ts'

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
const PROBE_TIMEOUT_MS = 1_500
const RETRY_AFTER_MS = 1_000

/** Replaces dead connections at the next query, and reports an unavailable or hanging server as `store_unavailable`. */
export function openPostgresPool({ url, connectionsMax = 10, patient = false, onHang }: PoolOptions): pg.Pool {
  // Timestamps and counts are far below 2^53, and SQLite returns them as numbers too.
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
  // Without listeners, a dead connection would end the process.
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
      throw isUnavailable(error) ? storeUnavailable(error, RETRY_AFTER_MS) : error
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
    const answered = watch?.trackQuery(connection)
    try {
      return await query(...args)
    } catch (error) {
      // Its response may still arrive and would be mistaken for that of the next query.
      if (error instanceof Error && error.message === QUERY_TIMED_OUT) connection.destroy()
      throw isUnavailable(error) ? storeUnavailable(error, RETRY_AFTER_MS) : error
    } finally {
      answered?.()
    }
  }
  Object.assign(client, { query: translated })
}

/** Closes the socket without the protocol's handshake, which a hanging server would never complete. */
function destroy(client: pg.ClientBase): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}

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
    destroy(client)
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
