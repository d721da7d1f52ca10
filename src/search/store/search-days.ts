import { sql } from 'kysely'
import { DAY_MS } from '../../lib/time/durations.ts'
import { dateIn } from '../../lib/time/plain-date.ts'
import { type Database, lockByName, type Tx } from '../../store/database.ts'

/** Partitions that no day has: searches of the version before, and of days whose partition is missing. */
const UNDATED = ['searches_first', 'searches_rest'] as const
/** A search expires at most a day after it was made. */
const DAYS_AHEAD = 2
const LOCK_NOT_AVAILABLE = '55P03'

type Partition = { readonly name: string; readonly until: number }

/**
 * Creates the partitions of the next days and drops those whose searches expired before `gone`, on PostgreSQL. Waits at most a
 * second for running queries; the next round tries again.
 */
export async function keepSearchDays(database: Database, now: number, gone: number): Promise<void> {
  const plan = planDays(await listPartitions(database.read as Tx), now, gone)
  if (plan.add.length + plan.drop.length === 0) return
  try {
    await database.write(async (tx) => {
      await lockByName(database, tx, 'search days')
      await sql`set local lock_timeout = '1s'`.execute(tx)
      const { add, drop } = planDays(await listPartitions(tx), now, gone)
      for (const from of add) await addDay(tx, from)
      for (const { name } of drop) await sql`drop table ${sql.table(name)}`.execute(tx)
    })
  } catch (error) {
    if (Object(error).code !== LOCK_NOT_AVAILABLE) throw error
  }
}

function planDays(partitions: readonly Partition[], now: number, gone: number) {
  const today = now - (now % DAY_MS)
  const latest = Math.max(...partitions.map(({ until }) => until))
  const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => today + ahead * DAY_MS)
  return {
    add: days.filter((from) => from >= latest),
    drop: partitions.filter(({ name, until }) => until <= gone && !UNDATED.some((undated) => undated === name)),
  }
}

async function listPartitions(db: Tx): Promise<Partition[]> {
  const { rows } = await sql<{ name: string; bound: string }>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'searches'::regclass`.execute(db)
  return rows.flatMap(({ name, bound }) => {
    const until = /TO \('?(\d+)'?\)/.exec(bound)?.[1]
    return until === undefined ? [] : [{ name, until: Number(until) }]
  })
}

/** Skipped while the remaining partition has rows of this day, because they would have to move. */
async function addDay(tx: Tx, from: number): Promise<void> {
  const until = from + DAY_MS
  const { rows } =
    await sql`select 1 from searches_rest where expires_at >= ${from} and expires_at < ${until} limit 1`.execute(tx)
  if (rows.length > 0) return
  const name = `searches_${dateIn('UTC', from).replaceAll('-', '_')}`
  const bounds = sql.raw(`from (${from}) to (${until})`)
  await sql`create table ${sql.table(name)} partition of searches for values ${bounds}`.execute(tx)
}

/** Deletes rows that are not in the partition of a day; returns how many. */
export async function deleteUndated(tx: Tx, gone: number, limit: number): Promise<number> {
  let deleted = 0
  for (const name of UNDATED) {
    const table = sql.table(name)
    const { numAffectedRows = 0n } = await sql`delete from ${table} where search_id in
      (select search_id from ${table} where expires_at < ${gone} limit ${limit})`.execute(tx)
    deleted += Number(numAffectedRows)
  }
  return deleted
}
