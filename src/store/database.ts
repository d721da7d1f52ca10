import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { openSqlite, sqliteDialect } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'

export type DialectName = 'sqlite' | 'postgres'

/** Only a transaction can write; the pool can read and open one. A stray write outside does not compile. */
export type ReadOnly = Pick<Kysely<Tables>, 'selectFrom' | 'with' | 'fn' | 'dynamic' | 'getExecutor'>
export type Tx = Transaction<Tables>

export type Database = {
  readonly dialect: DialectName
  readonly read: ReadOnly
  /** Runs `work` in one transaction; when this resolves, what it wrote is on disk. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Throws when the database cannot be written right now. */
  probe(): Promise<void>
  close(): Promise<void>
}

export type DatabaseOptions =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly connectionsMax?: number }

export function openDatabase(options: DatabaseOptions): Database {
  const db = options.kind === 'sqlite' ? openOnSqlite(options.path) : openOnPostgres(options)
  return {
    dialect: options.kind,
    read: db,
    write: (work) => db.transaction().execute(work),
    async probe() {
      await db.transaction().execute((tx) => sql`select 1`.execute(tx))
    },
    close: () => db.destroy(),
  }
}

function openOnSqlite(path: string): Kysely<Tables> {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  return new Kysely<Tables>({ dialect: sqliteDialect(() => openSqlite(path)) })
}

function openOnPostgres(options: { url: string; connectionsMax?: number }): Kysely<Tables> {
  // Epochs and counts are far below 2^53; as strings they would compare wrongly with SQLite's numbers.
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: 5_000,
    types,
  })
  // An idle connection that dies is replaced at the next query; without a listener Node would end the process.
  pool.on('error', () => undefined)
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
