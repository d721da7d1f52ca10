/** Periodic job. `run` returns the number of items processed; the job runs again at once unless it is 0. */
type Job = { readonly name: string; readonly everyMs: number; run(): Promise<number> }

type Jobs = { start(): void; stop(): Promise<void> }

/** Consecutive runs of a busy job before it pauses. */
const ROUNDS_MAX = 20

/** Runs each job in its own loop, never concurrently with itself. A job that throws is reported and runs again later. */
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
