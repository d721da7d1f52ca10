import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import type { Tables } from '../tables.ts'

export type ReadReplica = {
  /** Runs `work` with all commits up to now: on the replica if it has them, otherwise on the primary. */
  readFresh<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /** Reads rows that do not change: on the replica, and on the primary if the replica does not have them. */
  readUnchanging<T>(work: (db: Kysely<Tables>) => Promise<T | undefined>): Promise<T | undefined>
  close(): Promise<void>
}

/** A replica without a lag has a commit within a few milliseconds. */
const CATCH_UP_MS = 100
const POLL_MS = 5
/** Time for which a replica that lags is not asked. */
const LAG_PAUSE_MS = 1_000
const FAILURE_PAUSE_MS = 5_000
/** A query of a standby conflicts with a change that it must apply. */
const CONFLICT = '40001'

class ReplicaBehind extends Error {}

type Position = { readonly lsn: string; readonly timeline: string }

/** Both servers are asked for each fresh read, so that every node sees all earlier commits of any node. */
export function createReadReplica(
  replica: Kysely<Tables>,
  primary: Kysely<Tables>,
  onRead: (server: 'replica' | 'primary') => void = () => undefined,
): ReadReplica {
  let pausedUntil = Number.NEGATIVE_INFINITY

  async function tryReplica<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<{ readonly value: T } | undefined> {
    if (monotonicMs() < pausedUntil) return undefined
    try {
      // One connection, because a proxy may spread connections over several replicas.
      return { value: await replica.connection().execute(work) }
    } catch (error) {
      if (!isOfReplica(error)) throw error
      pausedUntil = monotonicMs() + (error instanceof ReplicaBehind ? LAG_PAUSE_MS : FAILURE_PAUSE_MS)
      return undefined
    }
  }

  const readPrimary = <T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> => {
    onRead('primary')
    return work(primary)
  }
  const fromReplica = <T>(value: T): T => {
    onRead('replica')
    return value
  }

  return {
    async readFresh(work) {
      if (monotonicMs() < pausedUntil) return readPrimary(work)
      const position = await readPosition(primary)
      const read = await tryReplica(async (db) => {
        await awaitPosition(db, position)
        return work(db)
      })
      return read === undefined ? readPrimary(work) : fromReplica(read.value)
    },
    async readUnchanging(work) {
      const read = await tryReplica(work)
      return read?.value === undefined ? readPrimary(work) : fromReplica(read.value)
    },
    close: () => replica.destroy(),
  }
}

const isOfReplica = (error: unknown): boolean =>
  error instanceof ReplicaBehind ||
  (error instanceof AppError && error.code === 'store_unavailable') ||
  Object(error).code === CONFLICT

async function readPosition(primary: Kysely<Tables>): Promise<Position> {
  const { rows } = await sql<Position>`select pg_current_wal_lsn()::text as lsn,
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline`.execute(primary)
  const [position] = rows
  if (position === undefined) throw new Error('the primary has no position')
  return position
}

/** A replica of a server that was replaced may be ahead, with commits that were lost; its history names the old timeline. */
async function awaitPosition(replica: Kysely<Tables>, { lsn, timeline }: Position): Promise<void> {
  const until = monotonicMs() + CATCH_UP_MS
  for (;;) {
    const { rows } = await sql<{ has_commits: boolean | null; timeline: string | null }>`select
      case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end >= ${lsn}::pg_lsn as has_commits,
      (select timeline from store_history) as timeline`.execute(replica)
    const [row] = rows
    if (row?.has_commits === true && row.timeline === timeline) return
    if (monotonicMs() >= until) throw new ReplicaBehind()
    await sleep(POLL_MS)
  }
}
