/** Something to be done by the clock. Returns how much it did; a job that found much runs again at once. */
type Job = { readonly name: string; readonly everyMs: number; run(): Promise<number> }

type Jobs = { start(): void; stop(): Promise<void> }

/** How often in a row a busy job may run before other jobs get a turn. */
const ROUNDS_MAX = 20

/** Runs each job in its own loop, never twice at once in this process. A job that throws is told of and tried again. */
export function createJobs(jobs: readonly Job[], deps: { onFailure(error: unknown, job: string): void }): Jobs {
  const timers = new Map<string, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  let stopped = false

  async function runOnce(job: Job): Promise<void> {
    try {
      for (let round = 0; round < ROUNDS_MAX && !stopped; round += 1) if ((await job.run()) === 0) break
    } catch (error) {
      deps.onFailure(error, job.name)
    }
  }

  function schedule(job: Job, inMs: number): void {
    if (stopped) return
    const timer = setTimeout(() => {
      const work = runOnce(job).finally(() => {
        running.delete(work)
        schedule(job, job.everyMs)
      })
      running.add(work)
    }, inMs)
    timer.unref()
    timers.set(job.name, timer)
  }

  return {
    start() {
      for (const job of jobs) schedule(job, Math.min(500, job.everyMs))
    },
    async stop() {
      stopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.allSettled(running)
    },
  }
}
