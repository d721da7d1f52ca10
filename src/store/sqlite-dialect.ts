import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { memoize } from '../lib/async/memoize.ts'
import { storeUnavailable } from './store-unavailable.ts'

const STATEMENTS_MAX = 500

/** Dialect for `node:sqlite` with one connection, used by one transaction at a time. */
export function sqliteDialect(open: () => DatabaseSync): Dialect {
  let file: DatabaseSync | undefined
  const database = async () => {
    file = open()
    return adapt(file)
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ImmediateSqliteDriver({ database }, () => file?.isTransaction === true),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new LocklessSqliteCompiler(),
  }
}

/** Omits row locks, which only PostgreSQL needs: a transaction of SQLite holds the only write lock. */
class LocklessSqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node)
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #isInTransaction: () => boolean

  constructor(config: ConstructorParameters<typeof SqliteDriver>[0], isInTransaction: () => boolean) {
    super(config)
    this.#isInTransaction = isInTransaction
  }

  /** Takes the write lock at once, so that two processes cannot deadlock when upgrading their read locks. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** On a full disk SQLite rolls back itself; a second rollback would fail and hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#isInTransaction()) await super.rollbackTransaction(connection)
  }
}

/** Bookings rely on `synchronous=full`: every commit is on disk before it returns. WAL lets several processes share the file. */
export function openSqlite(path: string, image?: Uint8Array): DatabaseSync {
  if (path !== ':memory:') keepPrivate(path)
  const database = new DatabaseSync(path, { timeout: 10_000 })
  if (image !== undefined) database.deserialize(image)
  database.exec('pragma journal_mode=wal; pragma synchronous=full; pragma foreign_keys=on; pragma temp_store=memory')
  // In KiB. Small, because the operating system caches the file as well.
  database.exec('pragma cache_size=-8000')
  return database
}

/** Only the owner may read the file, which contains personal data. SQLite gives its other files the same mode. */
export function keepPrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (!existsSync(file) || (statSync(file).mode & 0o077) === 0) continue
    try {
      chmodSync(file, 0o600)
    } catch {
      // Another user owns the file and its permissions.
    }
  }
}

/** Busy, read-only, I/O error, disk full, and cannot open. */
const UNAVAILABLE_CODES = new Set([5, 8, 10, 13, 14])
const RETRY_AFTER_MS = 5_000

/** Reports disk errors as `store_unavailable`. */
function translateErrors<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    const code = Number(Object(error).errcode ?? 0) & 0xff
    throw UNAVAILABLE_CODES.has(code) ? storeUnavailable(error, RETRY_AFTER_MS) : error
  }
}

/** Adapts Node's database to the interface of kysely, with a cache of prepared statements. */
function adapt(database: DatabaseSync) {
  const prepare = memoize(STATEMENTS_MAX, (sql: string) => {
    const statement = database.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (parameters: readonly unknown[]) => translateErrors(() => statement.all(...asInput(parameters))),
      run: (parameters: readonly unknown[]) => translateErrors(() => statement.run(...asInput(parameters))),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...asInput(parameters)),
    }
  })
  return { prepare, close: () => database.close() }
}

const asInput = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[]
