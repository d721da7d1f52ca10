import { unlessLate } from '../time/deadline.ts'
import { inSpan } from '../trace.ts'

type Work<T> = {
  /** Kind of the tasks, for traces. */
  readonly name: string
  /** Claims as much due work as fits beside what is running. */
  claim(running: readonly T[]): Promise<readonly T[]>
  /** Returning false leaves the rest to the next scheduled run. */
  work(item: T): Promise<boolean | undefined>
  /** A bug in one item must not block the others. */
  onBug(error: unknown, item: T): void
  /** True once the process shuts down; nothing more is claimed. */
  isDraining?(): boolean
}

const BRIEFLY_MS = 1_000
const RUNS_MAX = 50

export type Worker = ReturnType<typeof createWorker>

/** Claims work and runs it concurrently. Several runs of one worker share its limits. */
export function createWorker<T>({ name, claim, work, onBug, isDraining = () => false }: Work<T>) {
  const running = new Map<Promise<boolean>, T>()

  function start(item: T): Promise<boolean> {
    const done = inSpan(`task ${name}`, {}, () => work(item))
      .catch((error: unknown) => onBug(error, item))
      .then((more) => more !== false)
      .finally(() => running.delete(done))
    running.set(done, item)
    return done
  }

  /** Claims once and waits for that work, at most for `waitMs`. Returns the number of items started. */
  async function run(waitMs?: number): Promise<number> {
    const claimed = isDraining() ? [] : await claim([...running.values()])
    const all = Promise.all(claimed.map(start))
    const ended = waitMs === undefined ? await all : await unlessLate(all, waitMs)
    return ended?.includes(false) ? 0 : claimed.length
  }

  return {
    run,
    /** For a job that runs all the time: a slow item does not delay other work. */
    runBriefly: () => run(BRIEFLY_MS),
    /** Runs until nothing is due. Returns the number of items. */
    async runAll(): Promise<number> {
      let started = 0
      for (let runs = 0; runs < RUNS_MAX; runs += 1) {
        const count = await run()
        if (count === 0) break
        started += count
      }
      return started
    },
    running: () => running.size,
    drain: (): Promise<unknown> => Promise.allSettled(running.keys()),
  }
}
