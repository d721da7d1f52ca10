import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { AppError } from '../domain/errors.ts'
import { inSpan, SpanKind } from '../lib/trace.ts'
import { createGroupCommit } from './group-commit.ts'
import { openPostgresPool, type PoolOptions } from './postgres/postgres-pool.ts'
import { createReadReplica, type ReadReplica } from './postgres/read-replica.ts'
import { openSqlite, sqliteDialect } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'

type DialectName = 'sqlite' | 'postgres'

/** Only a transaction can write: a write outside of one does not compile. */
export type ReadOnly = Pick<Kysely<Tables>, 'selectFrom' | 'with' | 'fn' | 'dynamic' | 'getExecutor'>
export type Tx = Transaction<Tables>

export type Database = {
  readonly dialect: DialectName
  readonly read: ReadOnly
  /** Runs `work` with all commits up to now, on the read replica if there is one that has them. */
  readFresh<T>(work: (db: ReadOnly) => Promise<T>): Promise<T>
  /** Reads rows that do not change, on the read replica if it has them. */
  readUnchanging<T>(work: (db: ReadOnly) => Promise<T | undefined>): Promise<T | undefined>
  /** Runs `work` in one transaction, which is on disk when this resolves. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Throws if the database cannot be written. */
  probe(): Promise<void>
  close(): Promise<void>
}

type PostgresOptions = PoolOptions & {
  readonly readUrl?: string | undefined
  onReplicaRead?(server: 'replica' | 'primary'): void
}

type DatabaseOptions =
  | {
      readonly kind: 'sqlite'
      readonly path: string
      /** Initial content of an in-memory database, in SQLite's file format. */
      readonly image?: Uint8Array | undefined
    }
  | ({ readonly kind: 'postgres' } & PostgresOptions)

/** Rewrites the first page of the file, which fails if the disk is full or read-only. */
const TEST_WRITE = 'pragma application_id = 1397051977'

/** The primary is looked for again if a commit takes this long. */
const LATE_COMMIT_MS = 1_000

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
  const probeAfterFailure = async () => {
    await opened.probe()
    if (!hasFailed) return
    if (options.kind === 'sqlite') await assertGrowth(opened)
    hasFailed = false
  }
  return {
    dialect: options.kind,
    read: db,
    readFresh: opened.replica?.readFresh ?? ((work) => work(db)),
    readUnchanging: opened.replica?.readUnchanging ?? ((work) => work(db)),
    write,
    probe() {
      // One at a time, so that probes do not take the last connections while the server hangs.
      probing ??= probeAfterFailure().finally(() => {
        probing = undefined
      })
      return probing
    },
    async close() {
      await opened.replica?.close()
      await db.destroy()
    },
  }
}

type Opened = Pick<Database, 'write' | 'probe'> & {
  readonly db: Kysely<Tables>
  readonly replica?: ReadReplica | undefined
}

function openOnSqlite(path: string, image?: Uint8Array): Opened {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  let file: DatabaseSync | undefined
  const open = () => {
    file = openSqlite(path, image)
    return file
  }
  const db = new Kysely<Tables>({ dialect: sqliteDialect(open) })
  return {
    db,
    write: createGroupCommit(db, (sql) => file?.exec(sql)),
    async probe() {
      await db.transaction().execute((tx) => sql.raw(TEST_WRITE).execute(tx))
    },
  }
}

function openOnPostgres({ readUrl, onReplicaRead, ...options }: PostgresOptions): Opened {
  const pool = openPostgresPool(options)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    replica: readUrl === undefined ? undefined : openReplica(db, readUrl, { ...options, onReplicaRead }),
    write: (work) => db.transaction().execute(work),
    async probe() {
      // The commit of a primary that was replaced waits for a standby that follows the new one.
      const timer = setInterval(() => void pool.followPrimary().catch(() => undefined), LATE_COMMIT_MS)
      try {
        await db.transaction().execute(commitMessage)
      } finally {
        clearInterval(timer)
      }
    },
  }
}

function openReplica(
  primary: Kysely<Tables>,
  url: string,
  { connectionsMax = 10, onReplicaRead }: PoolOptions & { onReplicaRead: PostgresOptions['onReplicaRead'] },
): ReadReplica {
  const pool = openPostgresPool({ url, connectionsMax })
  return createReadReplica(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), primary, onReplicaRead)
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

/** Its record goes to the log, which a standby or a full disk refuses, and its commit waits for a synchronous standby. */
const emitMessage = sql<{ read_only: string }>`
  select current_setting('transaction_read_only') as read_only, pg_logical_emit_message(true, 'serai', '')`

async function commitMessage(tx: Tx): Promise<void> {
  const { rows } = await emitMessage.execute(tx)
  if (rows[0]?.read_only !== 'off') throw new Error('the database is read-only')
}
