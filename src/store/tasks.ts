import { type RawBuilder, sql } from 'kysely'
import type { ReadOnly, Tx } from './database.ts'
import { prepare } from './prepared.ts'
import type { Tables } from './tables.ts'

type TaskRow = Tables['tasks']
export type TaskKind = TaskRow['kind']
type TaskId = Pick<TaskRow, 'kind' | 'subject'>

/** Task claimed by this process. Every claim has a different lease, which proves the ownership. */
export type Task = Readonly<Omit<TaskRow, 'due_at'>>

export type NewTask = TaskId & {
  readonly key?: string
  readonly dueAt: number
  /** Set if the process that adds the task starts it at once. */
  readonly leaseUntil?: number
  readonly since?: number
}

export type TaskClaim = {
  readonly kind: TaskKind
  readonly now: number
  readonly leaseMs: number
  readonly most?: number
  readonly mostPerKey?: number
  /** For all keys with the same first word. */
  readonly mostPerGroup?: number
  /** Keys of the caller's running tasks. */
  readonly busy?: readonly string[]
  readonly keys?: readonly string[]
  readonly subjects?: readonly string[]
  /** Tasks whose `since` is before this time are claimed first. */
  readonly firstSince?: number
  /** Restricts the tasks to claim. */
  readonly where?: RawBuilder<boolean>
}

/** A claim reads more rows than it takes, because some groups may have reached their limit. */
const READ_FACTOR = 2

/** A task that was added again during its lease is due before the lease ends. */
const PUT_AGAIN = sql<boolean>`due_at < lease_until`

const insert = (tx: Tx, row: TaskRow) => tx.insertInto('tasks').values(row)

const add = prepare((tx: Tx, row: TaskRow) => insert(tx, row).onConflict((conflict) => conflict.doNothing()))
const put = prepare((tx: Tx, row: TaskRow) =>
  insert(tx, row).onConflict((conflict) =>
    conflict.columns(['kind', 'subject']).doUpdateSet({
      due_at: sql<number>`case when tasks.due_at < excluded.due_at then tasks.due_at else excluded.due_at end`,
    }),
  ),
)
const replace = prepare((tx: Tx, row: TaskRow) =>
  insert(tx, row).onConflict((conflict) =>
    conflict.columns(['kind', 'subject']).doUpdateSet((eb) => ({
      due_at: eb.ref('excluded.due_at'),
      lease_until: eb.ref('excluded.lease_until'),
      attempts: 0,
      failures: 0,
      since: eb.ref('excluded.since'),
      payload: null,
    })),
  ),
)
const turn = prepare((tx: Tx, { from, ...row }: TaskRow & { from: TaskKind }) =>
  tx.updateTable('tasks').set(row).where('kind', '=', from).where('subject', '=', row.subject).returning('subject'),
)

/** Adds a task, or makes it due earlier. A running task is done again afterwards. */
export const putTask = (tx: Tx, task: NewTask): Promise<unknown> => put(tx, newRow(task))

/** Adds a task, or resets it: a process working on it loses its claim. */
export const replaceTask = (tx: Tx, task: NewTask): Promise<unknown> => replace(tx, newRow(task))

/** Adds a task and removes the one of kind `from` with the same subject. */
export async function convertTask(tx: Tx, from: TaskKind, task: NewTask): Promise<void> {
  const [turned] = await turn(tx, { ...newRow(task), from })
  if (turned === undefined) await replaceTask(tx, task)
}

export const deleteTask: (tx: Tx, id: TaskId) => Promise<unknown> = prepare((tx: Tx, { kind, subject }: TaskId) =>
  tx.deleteFrom('tasks').where('kind', '=', kind).where('subject', '=', subject),
)

const newRow = ({ kind, subject, key = '', dueAt, leaseUntil = 0, since = dueAt }: NewTask): Tables['tasks'] => ({
  kind,
  subject,
  key,
  due_at: Math.max(dueAt, leaseUntil),
  lease_until: leaseUntil,
  attempts: 0,
  failures: 0,
  since,
  payload: null,
})

/** Claims due tasks for `leaseMs`. If the process dies, the lease expires and another process claims them. */
export async function claimTasks(tx: Tx, claim: TaskClaim): Promise<Task[]> {
  const { kind, now, leaseMs } = claim
  const rows = fairShare(await dueRows(tx, claim), claim)
  if (rows.length === 0) return []
  const leaseUntil = now + leaseMs
  await tx
    .updateTable('tasks')
    .set({ due_at: leaseUntil, lease_until: leaseUntil, attempts: sql<number>`attempts + 1` })
    .where('kind', '=', kind)
    .where(
      'subject',
      'in',
      rows.map((row) => row.subject),
    )
    .execute()
  return rows.map((row) => ({ ...row, lease_until: leaseUntil, attempts: row.attempts + 1 }))
}

/** Claims one task, adding it if necessary. Undefined if it is not due or another process is working on it. */
export async function claimTask(tx: Tx, id: TaskId, now: number, leaseMs: number): Promise<Task | undefined> {
  await add(tx, newRow({ ...id, dueAt: now }))
  const [task] = await claimTasks(tx, { kind: id.kind, subjects: [id.subject], now, leaseMs })
  return task
}

export async function dueKeys(db: ReadOnly, kind: TaskKind, now: number): Promise<string[]> {
  const due = db.selectFrom('tasks').select('key').distinct().where('kind', '=', kind).where('due_at', '<=', now)
  return (await due.where('lease_until', '<=', now).execute()).map(({ key }) => key)
}

function dueRows(tx: Tx, claim: TaskClaim): Promise<Tables['tasks'][]> {
  const { kind, now, most = Number.MAX_SAFE_INTEGER, mostPerKey, firstSince = 0 } = claim
  const due = (db: ReadOnly) => {
    let query = db
      .selectFrom('tasks')
      .where('kind', '=', kind)
      .where('due_at', '<=', now)
      .where('lease_until', '<=', now)
    if (claim.keys !== undefined) query = query.where('key', 'in', [...claim.keys])
    if (claim.subjects !== undefined) query = query.where('subject', 'in', [...claim.subjects])
    if (claim.where !== undefined) query = query.where(claim.where)
    const full = fullKeys(claim)
    if (full.keys.length > 0) query = query.where('key', 'not in', full.keys)
    for (const group of full.groups) query = query.where(sql<boolean>`substr(key, 1, ${group.length}) <> ${group}`)
    return query
  }
  const urgency = sql`case when since <= ${firstSince} then 0 else 1 end, due_at`
  let query = due(tx).selectAll()
  if (mostPerKey !== undefined) {
    const place = sql<number>`row_number() over (partition by key order by ${urgency})`.as('place')
    const placed = due(tx).select(['subject', place]).as('placed')
    const first = tx.selectFrom(placed).select('subject').where('place', '<=', mostPerKey)
    query = query.where('subject', 'in', first)
  }
  return query
    .orderBy(urgency)
    .limit(Math.min(most * READ_FACTOR, Number.MAX_SAFE_INTEGER))
    .forUpdate()
    .skipLocked()
    .execute()
}

const groupPrefix = (key: string) => `${key.split(' ')[0]} `

const countNames = (names: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function fullKeys({ busy = [], mostPerKey = Infinity, mostPerGroup = Infinity }: TaskClaim) {
  const full = (counts: Map<string, number>, most: number) =>
    [...counts].filter(([, count]) => count >= most).map(([name]) => name)
  return { keys: full(countNames(busy), mostPerKey), groups: full(countNames(busy.map(groupPrefix)), mostPerGroup) }
}

function fairShare(due: readonly Tables['tasks'][], claim: TaskClaim): Tables['tasks'][] {
  const { most = Infinity, mostPerKey = Infinity, mostPerGroup = Infinity, busy = [] } = claim
  const taken = countNames([...busy, ...busy.map(groupPrefix)])
  const take = ({ key }: Tables['tasks']) => {
    const group = groupPrefix(key)
    const [inKey, inGroup] = [taken.get(key) ?? 0, taken.get(group) ?? 0]
    if (inKey >= mostPerKey || inGroup >= mostPerGroup) return false
    taken.set(key, inKey + 1).set(group, inGroup + 1)
    return true
  }
  return due.filter(take).slice(0, most)
}

/** Locks the task until the transaction ends. Undefined if another process has claimed it; `againAt` is set if it was added again. */
export async function lockTask(tx: Tx, task: Task): Promise<{ readonly againAt: number | undefined } | undefined> {
  const row = await tx.selectFrom('tasks').selectAll().where(isOurs(task)).forUpdate().executeTakeFirst()
  return row && { againAt: row.due_at < row.lease_until ? row.due_at : undefined }
}

/** Renews the lease. Undefined if another process has taken over. */
export async function extendTask(tx: Tx, task: Task, leaseUntil: number): Promise<Task | undefined> {
  const dueAt = sql<number>`case when ${PUT_AGAIN} then due_at else ${leaseUntil} end`
  const ours = await update(tx, task, { due_at: dueAt, lease_until: leaseUntil })
  return ours ? { ...task, lease_until: leaseUntil } : undefined
}

type Postponed = { readonly failed?: boolean; readonly payload?: string | null }

/** Releases the task until `dueAt`, or at once if it was added again. False if another process has claimed it. */
export function postponeTask(
  tx: Tx,
  task: Task,
  dueAt: number,
  { failed = false, payload }: Postponed = {},
): Promise<boolean> {
  return update(tx, task, {
    due_at: sql<number>`case when ${PUT_AGAIN} then due_at else ${dueAt} end`,
    lease_until: 0,
    ...(failed ? { failures: task.failures + 1 } : { failures: 0, since: dueAt }),
    ...(payload !== undefined && { payload }),
  })
}

/** Deletes the task, unless it was added again. False if another process has claimed it. */
export async function finishTask(tx: Tx, task: Task): Promise<boolean> {
  const deleted = tx.deleteFrom('tasks').where(isOurs(task)).where(sql<boolean>`not ${PUT_AGAIN}`).returning('subject')
  if ((await deleted.executeTakeFirst()) !== undefined) return true
  return update(tx, task, { lease_until: 0, failures: 0, since: sql<number>`due_at` })
}

/** Releases the task if there is more to do; deletes it otherwise. */
export const continueTask = (tx: Tx, task: Task, hasMore: boolean): Promise<boolean> =>
  hasMore ? postponeTask(tx, task, task.since) : finishTask(tx, task)

/** Ends another process's claim; the task is due as before, but not before `until`. */
export async function endLease(tx: Tx, { kind, subject }: TaskId, until = 0): Promise<void> {
  const later = sql<number>`case when lease_until >= ${until} then lease_until + 1 else ${until} end`
  const dueAt = sql<number>`case when lease_until > 0 and due_at >= lease_until then since else due_at end`
  await tx
    .updateTable('tasks')
    .set({ lease_until: until === 0 ? 0 : later, due_at: dueAt })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .execute()
}

type Change = Pick<Partial<Tables['tasks']>, 'payload'> & {
  readonly [Column in 'due_at' | 'lease_until' | 'failures' | 'since']?: number | RawBuilder<number>
}

async function update(tx: Tx, task: Task, change: Change): Promise<boolean> {
  const changed = await tx.updateTable('tasks').set(change).where(isOurs(task)).returning('subject').executeTakeFirst()
  return changed !== undefined
}

const isOurs = (task: Task) => sql<boolean>`kind = ${task.kind} and subject = ${task.subject}
  and lease_until = ${task.lease_until} and attempts = ${task.attempts}`

export async function readTask(db: ReadOnly, { kind, subject }: TaskId): Promise<Tables['tasks'] | undefined> {
  const query = db.selectFrom('tasks').selectAll().where('kind', '=', kind).where('subject', '=', subject)
  return query.executeTakeFirst()
}

export const TASK_KINDS = [
  'settle',
  'read',
  'payment',
  'list',
  'webhook',
  'mail',
  'content',
  'match',
  'rates',
] as const satisfies TaskKind[]

export type OverdueTasks = {
  readonly kind: TaskKind
  readonly overdue: number
  readonly overdueSince: number | undefined
  readonly failing: number
  readonly failingSince: number | undefined
}

/** Excludes simulated tasks. `only` restricts the tasks of a kind to those that may be claimed now. */
export async function countOverdue(
  db: ReadOnly,
  now: number,
  only: Partial<Record<TaskKind, RawBuilder<boolean>>> = {},
): Promise<OverdueTasks[]> {
  const count = async (kind: TaskKind, since: 'due_at' | 'since', condition: RawBuilder<boolean>) => {
    const query = db
      .selectFrom('tasks')
      .select(({ fn }) => [fn.countAll().as('count'), fn.min(since).as('since')])
      .where('kind', '=', kind)
      .where('key', 'not like', 'test %')
      .where(condition)
    const { count: rows, since: first } = await query.where(only[kind] ?? sql<boolean>`true`).executeTakeFirstOrThrow()
    return { count: Number(rows), since: first === null ? undefined : Number(first) }
  }
  return Promise.all(
    TASK_KINDS.map(async (kind) => {
      const due = await count(kind, 'due_at', sql<boolean>`due_at <= ${now} and lease_until <= ${now}`)
      const failing = await count(kind, 'since', sql<boolean>`failures > 0`)
      const overdue = { overdue: due.count, overdueSince: due.since }
      return { kind, ...overdue, failing: failing.count, failingSince: failing.since }
    }),
  )
}
