import { AsyncLocalStorage } from 'node:async_hooks'

/** The process that scheduled an event. Events of a dead owner never happen. */
export type Owner = { alive: boolean }

type ScheduledEvent = { readonly at: number; readonly order: number; readonly owner: Owner | undefined; run(): void }

export type VirtualTime = ReturnType<typeof createVirtualTime>

const EVENTS_MAX = 20_000

/**
 * Time that the test controls. Inside `during`, `setTimeout` and `setInterval` use it, so that deadlines and leases of
 * the real code expire without waiting.
 */
export function createVirtualTime(start: number) {
  const owners = new AsyncLocalStorage<Owner>()
  let now = start
  let order = 0
  let planned: ScheduledEvent[] = []
  let working = 0

  function schedule(moment: number, run: () => void, owner = owners.getStore()): ScheduledEvent {
    order += 1
    const event = { at: Math.max(now, moment), order, owner, run }
    planned.push(event)
    return event
  }
  const cancel = (event: ScheduledEvent | undefined) => {
    planned = planned.filter((other) => other !== event)
  }

  function repeat(ms: number, run: () => void) {
    let next: ScheduledEvent | undefined
    const scheduleNext = () => {
      next = schedule(now + ms, () => {
        run()
        scheduleNext()
      })
    }
    scheduleNext()
    return () => cancel(next)
  }

  /** Waits until nothing more can happen without time passing. All promises are settled when an immediate runs. */
  async function rest(): Promise<void> {
    do await new Promise<void>((turn) => void setImmediate(turn))
    while (working > 0)
  }

  /** Runs the earliest scheduled event and everything that follows immediately. Returns false if there is none. */
  async function step(): Promise<boolean> {
    planned = planned.filter(({ owner }) => owner === undefined || owner.alive)
    const first = planned.reduce<ScheduledEvent | undefined>(
      (best, event) =>
        best === undefined || event.at < best.at || (event.at === best.at && event.order < best.order) ? event : best,
      undefined,
    )
    if (first === undefined) return false
    cancel(first)
    now = first.at
    if (first.owner === undefined) first.run()
    else owners.run(first.owner, first.run)
    await rest()
    return true
  }

  return {
    now: () => now,
    schedule,
    after: (ms: number, run: () => void, owner?: Owner) => schedule(now + ms, run, owner ?? owners.getStore()),
    /** Resolves after `ms`, or never if the owner dies before. */
    sleep: (ms: number) => (ms === 0 ? Promise.resolve() : new Promise<void>((wake) => schedule(now + ms, wake))),
    currentOwner: () => owners.getStore(),
    as: <T>(owner: Owner, run: () => T): T => owners.run(owner, run),
    step,
    rest,
    /** Work that needs the event loop but no virtual time. */
    async working<T>(work: () => Promise<T>): Promise<T> {
      working += 1
      try {
        return await work()
      } finally {
        working -= 1
      }
    },
    /** Time of the next scheduled event. */
    next: () =>
      planned.reduce((least, event) => (event.owner?.alive === false ? least : Math.min(least, event.at)), Infinity),
    /** Runs all events up to `moment` and sets the clock to it. */
    async advanceTo(moment: number): Promise<void> {
      for (let steps = 0; ; steps += 1) {
        if (steps > EVENTS_MAX) throw new Error('too many events')
        const due = planned.some((event) => event.owner?.alive !== false && event.at <= moment)
        if (!due || !(await step())) break
      }
      now = Math.max(now, moment)
    },
    /** Replaces the global timers while `run` runs. */
    async during<T>(run: () => Promise<T>): Promise<T> {
      const real = { setTimeout, setInterval, clearTimeout, clearInterval }
      const handle = (stop: () => void) => ({ stop, unref: () => undefined, ref: () => undefined })
      const clear = (timer: { stop?: () => void } | undefined) => timer?.stop?.()
      Object.assign(globalThis, {
        setTimeout: (callback: () => void, ms = 0) => {
          const event = schedule(now + ms, callback)
          return handle(() => cancel(event))
        },
        setInterval: (callback: () => void, ms = 0) => handle(repeat(ms, callback)),
        clearTimeout: clear,
        clearInterval: clear,
      })
      try {
        return await run()
      } finally {
        Object.assign(globalThis, real)
        planned = []
      }
    },
  }
}

/** Promise of a dead process. */
export const never = <T>(): Promise<T> => new Promise<T>(() => undefined)
