import type { Kysely, Transaction } from 'kysely'

type Write<DB> = {
  work(tx: Transaction<DB>): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Runs a statement at once, in the current transaction. */
type Execute = (sql: 'savepoint one' | 'release one' | 'rollback to one') => void

/** Enough to share the cost of a sync, few enough that no writer waits long. */
const GROUP_MAX = 64

/**
 * Writers of the same turn of the event loop share a commit, because SQLite waits for the disk at every commit. Each runs in its
 * own savepoint, so that a failure does not affect the others, and resolves when the commit is on disk.
 */
export function createGroupCommit<DB>(
  db: Kysely<DB>,
  execute: Execute,
): <T>(work: (tx: Transaction<DB>) => Promise<T>) => Promise<T> {
  let waiting: Write<DB>[] = []
  let isRunning = false

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP_MAX)
      waiting = waiting.slice(GROUP_MAX)
      await commitGroup(db, execute, group)
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

/** Collects the writers of this turn, because none can join during the commit, which blocks the event loop. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function commitGroup<DB>(db: Kysely<DB>, execute: Execute, group: readonly Write<DB>[]): Promise<void> {
  const settlers: (() => void)[] = []
  try {
    await db.transaction().execute(async (tx) => {
      for (const write of group)
        settlers.push(group.length > 1 ? await runShared(tx, execute, write) : await runAlone(tx, write))
    })
  } catch (error) {
    // In a group, only the commit itself can fail; nothing of it is on disk then.
    for (const { reject } of group) reject(error)
    return
  }
  for (const settle of settlers) settle()
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
