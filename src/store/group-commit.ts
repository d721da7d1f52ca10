import { type Kysely, sql, type Transaction } from 'kysely'

type Write<DB> = {
  work(tx: Transaction<DB>): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Enough to share the cost of a sync among all who wait, few enough that nobody waits long. */
const TOGETHER_MAX = 64

/**
 * SQLite has one writer and waits for the disk at every commit. Writers of the same turn of the loop share a commit: each
 * runs in a savepoint of its own, so one that fails takes nothing of the others with it, and each is answered only after
 * the commit that holds its rows is on disk.
 */
export function createGroupCommit<DB>(db: Kysely<DB>): <T>(work: (tx: Transaction<DB>) => Promise<T>) => Promise<T> {
  let waiting: Write<DB>[] = []
  let isRunning = false

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, TOGETHER_MAX)
      waiting = waiting.slice(TOGETHER_MAX)
      await commitTogether(db, group)
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
 * Node waits for the disk with everything standing still, so nobody can come while it is busy. Whoever wants to write in
 * this turn of the loop is waited for instead; alone, that costs microseconds.
 */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function commitTogether<DB>(db: Kysely<DB>, group: readonly Write<DB>[]): Promise<void> {
  const answers: (() => void)[] = []
  try {
    await db.transaction().execute(async (tx) => {
      for (const write of group) answers.push(await run(tx, write, group.length > 1))
    })
  } catch (error) {
    // Alone, its own failure; together, the commit's: then nothing of anybody's is on disk.
    for (const { reject } of group) reject(error)
    return
  }
  for (const answer of answers) answer()
}

async function run<DB>(
  tx: Transaction<DB>,
  { work, resolve, reject }: Write<DB>,
  isShared: boolean,
): Promise<() => void> {
  if (!isShared) {
    const value = await work(tx)
    return () => resolve(value)
  }
  await sql`savepoint one`.execute(tx)
  try {
    const value = await work(tx)
    await sql`release one`.execute(tx)
    return () => resolve(value)
  } catch (error) {
    await sql`rollback to one`.execute(tx)
    await sql`release one`.execute(tx)
    return () => reject(error)
  }
}
