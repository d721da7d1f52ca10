import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../lib/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../lib/time/durations.ts'
import type { Database, ReadOnly, Tx } from './database.ts'

/** Losses of commits: a restored backup, or a failover of PostgreSQL, which may be asynchronous. */
export type StoreHistory = {
  /** Increases with each loss. */
  readonly generation: number
  readonly timeline: string
  /** Last loss; undefined if there never was one. Commits before it may be missing, also those of bookings that exist. */
  readonly changedAt: number | undefined
  /** Creation of the newest booking that survived the last loss. */
  readonly dataUntil: number | undefined
  /** True from a loss until a reconciliation has ended. */
  readonly isBehind: boolean
}

export type HistoryReader = {
  /** At most a second old. */
  read(): Promise<StoreHistory>
  /** Ends the state of being behind, unless there was another loss meanwhile. */
  markReconciled(seen: StoreHistory): Promise<boolean>
  /** Records a loss, for example a restored backup. */
  markBehind(): Promise<void>
}

/** Identity of the server. `timeline` is an expression, so that a statement can check it in its own transaction. */
export type ServerIdentity = {
  readonly timeline: RawBuilder<string>
  readCluster(db: ReadOnly): Promise<string>
}

const NO_IDENTITY: ServerIdentity = { timeline: sql<string>`''`, readCluster: async () => '' }

/** A promoted standby starts a new timeline, which names its log files at once; the control file follows later. */
const POSTGRES_IDENTITY: ServerIdentity = {
  timeline: sql<string>`substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`,
  async readCluster(db) {
    const { rows } = await sql<{ cluster: string }>`select system_identifier || '/' || oid as cluster
      from pg_control_system(), pg_database where datname = current_database()`.execute(db as Tx)
    return rows[0]?.cluster ?? ''
  },
}

export const serverIdentity = ({ dialect }: Pick<Database, 'dialect'>): ServerIdentity =>
  dialect === 'postgres' ? POSTGRES_IDENTITY : NO_IDENTITY

const FRESH_MS = SECOND_MS
/** The cluster behind an address changes only with a restored or upgraded server. */
const CLUSTER_FRESH_MS = MINUTE_MS

export function createHistoryReader(
  database: Database,
  clock: Clock,
  identity: ServerIdentity = serverIdentity(database),
): HistoryReader {
  let known: { readonly at: number; readonly history: Promise<StoreHistory> } | undefined
  let cluster: { readonly at: number; readonly name: string } | undefined

  async function readCluster(now: number): Promise<string> {
    if (cluster === undefined || now - cluster.at >= CLUSTER_FRESH_MS)
      cluster = { at: now, name: await identity.readCluster(database.read) }
    return cluster.name
  }

  async function readNow(now: number): Promise<StoreHistory> {
    const name = await readCluster(now)
    const row = await selectRow(database.read, identity)
    if (row.cluster === name && row.timeline === row.timeline_now) return toHistory(row)
    return database.write(async (tx) => {
      const before = await selectRow(tx, identity, true)
      if (before.cluster === name && before.timeline === before.timeline_now) return toHistory(before)
      const now = { cluster: name, timeline: before.timeline_now }
      // The first version that reads the identity cannot know about earlier changes.
      const isFirst = before.cluster === null
      await tx.updateTable('store_history').set(now).where('id', '=', 1).execute()
      if (!isFirst) await recordLoss(tx, clock.now())
      return toHistory(await selectRow(tx, identity))
    })
  }

  return {
    read() {
      const now = clock.now()
      if (known === undefined || now - known.at >= FRESH_MS || now < known.at) {
        known = { at: now, history: readNow(now) }
        // A failed read must not be repeated to later callers.
        known.history.catch(() => {
          known = undefined
        })
      }
      return known.history
    },
    async markReconciled({ generation }) {
      known = undefined
      const ended = await database.write((tx) =>
        tx
          .updateTable('store_history')
          .set({ reconciled_at: clock.now() })
          .where('id', '=', 1)
          .where('generation', '=', generation)
          .executeTakeFirst(),
      )
      return ended.numUpdatedRows > 0n
    },
    async markBehind() {
      known = undefined
      await database.write((tx) => recordLoss(tx, clock.now()))
    },
  }
}

type Row = {
  readonly generation: number
  readonly cluster: string | null
  readonly timeline: string | null
  readonly timeline_now: string
  readonly changed_at: number | null
  readonly data_until: number | null
  readonly reconciled_at: number | null
}

function selectRow(db: ReadOnly, { timeline }: ServerIdentity, isLocked = false): Promise<Row> {
  const row = db.selectFrom('store_history').selectAll().select(timeline.as('timeline_now')).where('id', '=', 1)
  return (isLocked ? row.forUpdate() : row).executeTakeFirstOrThrow()
}

async function recordLoss(tx: Tx, now: number): Promise<void> {
  await tx
    .updateTable('store_history')
    .set(({ selectFrom }) => ({
      generation: sql<number>`generation + 1`,
      changed_at: now,
      data_until: selectFrom('bookings').select(({ fn }) => fn.max('created_at').as('newest')),
      reconciled_at: null,
    }))
    .where('id', '=', 1)
    .execute()
}

const toHistory = ({ generation, timeline_now, changed_at, data_until, reconciled_at }: Row): StoreHistory => ({
  generation,
  timeline: timeline_now,
  changedAt: changed_at ?? undefined,
  dataUntil: data_until ?? undefined,
  isBehind: changed_at !== null && reconciled_at === null,
})
