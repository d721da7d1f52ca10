import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { AppError } from '../domain/errors.ts'
import { inSpan, SpanKind } from '../lib/trace.ts'
import { createGroupCommit } from './group-commit.ts'
import { openPostgresPool, type PoolOptions } from './postgres-pool.ts'
import { openSqlite, sqliteDialect } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'

type DialectName = 'sqlite' | 'postgres'

/** Only a transaction can write: a write outside of one does not compile. */
export type ReadOnly = Pick<Kysely<Tables>, 'selectFrom' | 'with' | 'fn' | 'dynamic' | 'getExecutor'>
export type Tx = Transaction<Tables>

export type Database = {
  readonly dialect: DialectName
  readonly read: ReadOnly
  /** Runs `work` in one transaction, which is on disk when this resolves. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Throws if the database cannot be written. */
  probe(): Promise<void>
  close(): Promise<void>
}

type DatabaseOptions =
  | {
      readonly kind: 'sqlite'
      readonly path: string
      /** Initial content of an in-memory database, in SQLite's file format. */
      readonly image?: Uint8Array | undefined
    }
  | ({ readonly kind: 'postgres' } & PoolOptions)

/** Rewrites the first page of the file, which fails if the disk is full or read-only. */
const TEST_WRITE = 'pragma application_id = 1397051977'

export function openDatabase(options: DatabaseOptions): Database {
  const opened = options.kind === 'sqlite' ? openOnSqlite(options.path, options.image) : openOnPostgres(options)
  const { db } = opened
  let hasFailed = false
  const span = {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': options.kind === 'sqlite' ? 'sqlite' : 'postgresql' },
  }
  const write: Database['write'] = (work) =>
    inSpan('transaction', span, () => opened.write(work)).catch((error: unknown) => {
      hasFailed ||= error instanceof AppError && error.code === 'store_unavailable'
      throw error
    })
  let probing: Promise<void> | undefined
  const probeNow = () =>
    db.transaction().execute(async (tx) => {
      if (options.kind === 'postgres') await assertPrimary(tx)
      else await sql.raw(TEST_WRITE).execute(tx)
    })
  const probeAfterFailure = async () => {
    await probeNow()
    if (!hasFailed) return
    if (options.kind === 'sqlite') await assertGrowth(opened)
    hasFailed = false
  }
  return {
    dialect: options.kind,
    read: db,
    write,
    probe() {
      // One at a time, so that probes do not take the last connections while the server hangs.
      probing ??= probeAfterFailure().finally(() => {
        probing = undefined
      })
      return probing
    },
    close: () => db.destroy(),
  }
}

type Opened = Pick<Database, 'write'> & { readonly db: Kysely<Tables> }

function openOnSqlite(path: string, image?: Uint8Array): Opened {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  let file: DatabaseSync | undefined
  const open = () => {
    file = openSqlite(path, image)
    return file
  }
  const db = new Kysely<Tables>({ dialect: sqliteDialect(open) })
  return { db, write: createGroupCommit(db, (sql) => file?.exec(sql)) }
}

function openOnPostgres(options: PoolOptions): Opened {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: openPostgresPool(options) }) })
  return { db, write: (work) => db.transaction().execute(work) }
}

/** A page that exists can be written even if the disk is full, so this allocates some. */
async function assertGrowth({ write }: Opened): Promise<void> {
  await write(async (tx) => {
    await sql.raw('create table if not exists growth_probe (bytes blob)').execute(tx)
    await sql.raw('insert into growth_probe values (zeroblob(65536))').execute(tx)
  })
  await write((tx) => sql.raw('drop table if exists growth_probe').execute(tx))
}

/** Holds a named lock until the transaction ends, for changes without a row to lock. SQLite has only one writer anyway. */
export async function lockByName({ dialect }: Database, tx: Tx, name: string): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** A standby answers queries but cannot store a booking. */
async function assertPrimary(tx: Tx): Promise<void> {
  const { rows } = await sql<{ transaction_read_only: string }>`show transaction_read_only`.execute(tx)
  if (rows[0]?.transaction_read_only !== 'off') throw new Error('the database is read-only')
}
