type Work<T> = {
  /** Claims due work, as much as there is room for beside what is running. */
  claim(running: readonly T[]): Promise<readonly T[]>
  /** False: the rest waits for the next run by the clock. */
  work(item: T): Promise<boolean | undefined>
  /** One item's bug must not hold up the others. */
  onBug(error: unknown, item: T): void
  /** True once the process is ending: nothing more is begun. */
  isDraining?(): boolean
}

const BRIEFLY_MS = 1_000
const RUNS_MAX = 50

export type Worker = ReturnType<typeof createWorker>

/** Claims work and does it at the same time. Several runs of one worker share its limits. */
export function createWorker<T>({ claim, work, onBug, isDraining = () => false }: Work<T>) {
  const running = new Map<Promise<boolean>, T>()

  function begin(item: T): Promise<boolean> {
    const done = work(item)
      .catch((error: unknown) => onBug(error, item))
      .then((more) => more !== false)
      .finally(() => running.delete(done))
    running.set(done, item)
    return done
  }

  /** Claims once and waits for that work, at most for `waitMs`. Returns how many items it has begun. */
  async function run(waitMs?: number): Promise<number> {
    const claimed = isDraining() ? [] : await claim([...running.values()])
    const all = Promise.all(claimed.map(begin))
    const ended = waitMs === undefined ? await all : await within(waitMs, all)
    return ended?.includes(false) ? 0 : claimed.length
  }

  return {
    run,
    /** For a job that runs all the time: a slow item delays no other work. */
    runBriefly: () => run(BRIEFLY_MS),
    /** Runs until nothing is due. Returns how many items that were. */
    async runAll(): Promise<number> {
      let begun = 0
      for (let runs = 0; runs < RUNS_MAX; runs += 1) {
        const count = await run()
        if (count === 0) break
        begun += count
      }
      return begun
    },
    /** Number of items being worked on. */
    running: () => running.size,
    /** Resolves when nothing is running. */
    drain: (): Promise<unknown> => Promise.allSettled(running.keys()),
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(late.resolve, ms, undefined)
  try {
    return await Promise.race([late.promise, work])
  } finally {
    clearTimeout(timer)
  }
}
