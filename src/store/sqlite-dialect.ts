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
import { remember } from '../lib/async/remember.ts'
import { storeUnavailable } from './store-unavailable.ts'

const STATEMENTS_MAX = 500

/** kysely over Node's own SQLite: one connection, handed to one transaction at a time. */
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

/** A transaction of SQLite holds the only write lock there is: locks of rows, which PostgreSQL needs, are left out of its queries. */
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

  /** Takes the write lock at once, so that two processes never deadlock upgrading their read locks. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** On a full disk SQLite rolls back by itself; a second rollback would fail and hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#isInTransaction()) await super.rollbackTransaction(connection)
  }
}

/**
 * `synchronous=FULL` makes every commit reach the disk before it is answered: bookings depend on it.
 * WAL lets several processes of one machine share the file.
 */
export function openSqlite(path: string, image?: Uint8Array): DatabaseSync {
  if (path !== ':memory:') keepPrivate(path)
  const database = new DatabaseSync(path, { timeout: 10_000 })
  if (image !== undefined) database.deserialize(image)
  database.exec('pragma journal_mode=wal; pragma synchronous=full; pragma foreign_keys=on; pragma temp_store=memory')
  // In KiB. The system caches the file as well: mapped into memory, or with a larger cache, the process only grows with the file.
  database.exec('pragma cache_size=-8000')
  return database
}

/** Names, e-mails and sealed answers are in it: only its owner reads it. SQLite gives its other files the same mode. */
export function keepPrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (!existsSync(file) || (statSync(file).mode & 0o077) === 0) continue
    try {
      chmodSync(file, 0o600)
    } catch {
      // Another user owns it, who decides about it.
    }
  }
}

/** SQLite's codes for a disk that is full, fails, is read-only or gone, and for a lock that another process holds too long. */
const DISK_TROUBLE = new Set([5, 8, 10, 13, 14])
const RETRY_AFTER_MS = 5_000

/** Reports trouble with the disk as `store_unavailable`: it is not a bug. */
function translated<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    const code = Number(Object(error).errcode ?? 0) & 0xff
    throw DISK_TROUBLE.has(code) ? storeUnavailable(error, RETRY_AFTER_MS) : error
  }
}

/** Node's database in the shape that kysely expects; statements are prepared once. */
function adapt(database: DatabaseSync) {
  const valuesOf = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[]
  const prepare = remember(STATEMENTS_MAX, (sql: string) => {
    const statement = database.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (parameters: readonly unknown[]) => translated(() => statement.all(...valuesOf(parameters))),
      run: (parameters: readonly unknown[]) => translated(() => statement.run(...valuesOf(parameters))),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...valuesOf(parameters)),
    }
  })
  return { prepare, close: () => database.close() }
}
