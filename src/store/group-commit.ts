import type { Kysely, Transaction } from 'kysely'

type Write<DB> = {
  work(tx: Transaction<DB>): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Runs a statement at once, in whatever transaction is under way. */
type Execute = (sql: 'savepoint one' | 'release one' | 'rollback to one') => void

/** Enough to share the cost of a sync, few enough that no writer waits long. */
const TOGETHER_MAX = 64

/**
 * SQLite has one writer and waits for the disk at every commit. Writers of the same turn of the event loop share a commit:
 * each runs in a savepoint of its own, so one that fails does not affect the others, and each is answered only after the
 * commit that holds its rows is on disk.
 */
export function createGroupCommit<DB>(
  db: Kysely<DB>,
  execute: Execute,
): <T>(work: (tx: Transaction<DB>) => Promise<T>) => Promise<T> {
  let waiting: Write<DB>[] = []
  let isRunning = false

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, TOGETHER_MAX)
      waiting = waiting.slice(TOGETHER_MAX)
      await commitTogether(db, execute, group)
      await nextTurn()
    }
    isRunning = false
  }

  return <T>(work: (tx: Transaction<DB>) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
      if (isRunning) return
      isRunning = true
      void nextTurn().then(drain)
    })
}

/**
 * The commit blocks the event loop, so nobody can join while it runs. Writers of this turn of the loop are collected
 * first; for one alone that costs microseconds.
 */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function commitTogether<DB>(db: Kysely<DB>, execute: Execute, group: readonly Write<DB>[]): Promise<void> {
  const answers: (() => void)[] = []
  try {
    await db.transaction().execute(async (tx) => {
      for (const write of group)
        answers.push(group.length > 1 ? await runShared(tx, execute, write) : await runAlone(tx, write))
    })
  } catch (error) {
    // Alone it is the writer's own failure; of a group it is the commit's, and nothing of it is on disk.
    for (const { reject } of group) reject(error)
    return
  }
  for (const answer of answers) answer()
}

async function runAlone<DB>(tx: Transaction<DB>, { work, resolve }: Write<DB>): Promise<() => void> {
  const value = await work(tx)
  return () => resolve(value)
}

async function runShared<DB>(tx: Transaction<DB>, execute: Execute, write: Write<DB>): Promise<() => void> {
  execute('savepoint one')
  try {
    const value = await write.work(tx)
    execute('release one')
    return () => write.resolve(value)
  } catch (error) {
    execute('rollback to one')
    execute('release one')
    return () => write.reject(error)
  }
}
