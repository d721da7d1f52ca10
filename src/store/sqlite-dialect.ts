import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

const STATEMENTS_MAX = 500

/** kysely over Node's own SQLite: one connection, handed to one transaction at a time. */
export function sqliteDialect(open: () => DatabaseSync): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(open),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/**
 * `synchronous=FULL` makes every commit reach the disk before it is answered: bookings depend on it.
 * WAL lets several processes of one machine share the file.
 */
export function openSqlite(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 10_000 })
  database.exec('pragma journal_mode=wal; pragma synchronous=full; pragma foreign_keys=on; pragma temp_store=memory')
  database.exec('pragma cache_size=-32000; pragma mmap_size=268435456')
  return database
}

function createDriver(open: () => DatabaseSync): Driver {
  let database: DatabaseSync | undefined
  let connection: DatabaseConnection | undefined
  let queue: Promise<void> = Promise.resolve()
  const releases = new WeakMap<DatabaseConnection, () => void>()

  return {
    async init() {
      database = open()
      connection = connect(database)
    },
    async acquireConnection() {
      if (connection === undefined) throw new Error('the database is closed')
      const before = queue
      const { promise, resolve } = Promise.withResolvers<void>()
      queue = promise
      await before
      releases.set(connection, resolve)
      return connection
    },
    // Immediate: the write lock is taken at once, so two processes never deadlock upgrading their read locks.
    beginTransaction: async (c) => void (await c.executeQuery(CompiledQuery.raw('begin immediate'))),
    commitTransaction: async (c) => void (await c.executeQuery(CompiledQuery.raw('commit'))),
    // A full disk makes SQLite roll back by itself; to do it again would hide why.
    async rollbackTransaction(c) {
      if (database?.isTransaction === true) await c.executeQuery(CompiledQuery.raw('rollback'))
    },
    async releaseConnection(c) {
      releases.get(c)?.()
    },
    async destroy() {
      database?.close()
    },
  }
}

function connect(database: DatabaseSync): DatabaseConnection {
  const statements = new Map<string, { statement: StatementSync; isQuery: boolean }>()
  const prepared = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    const fresh = { statement, isQuery: statement.columns().length > 0 }
    if (statements.size > STATEMENTS_MAX) statements.clear()
    statements.set(sql, fresh)
    return fresh
  }
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { statement, isQuery } = prepared(query.sql)
      const parameters = query.parameters as SQLInputValue[]
      if (isQuery) return { rows: statement.all(...parameters) as R[] }
      const { changes, lastInsertRowid } = statement.run(...parameters)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      for (const row of prepared(query.sql).statement.iterate(...(query.parameters as SQLInputValue[]))) {
        yield { rows: [row as R] }
      }
    },
  }
}
