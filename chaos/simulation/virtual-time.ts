import { AsyncLocalStorage } from 'node:async_hooks'

/** The process that planned something. Events of a dead owner never happen. */
export type Owner = { alive: boolean }

type Planned = { readonly at: number; readonly order: number; readonly owner: Owner | undefined; run(): void }

export type VirtualTime = ReturnType<typeof createVirtualTime>

const RUNAWAY = 20_000

/**
 * Time that the test controls. Inside `during`, `setTimeout` and `setInterval` use it, so the deadlines and leases of the real
 * code expire without waiting.
 */
export function createVirtualTime(start: number) {
  const owners = new AsyncLocalStorage<Owner>()
  let now = start
  let order = 0
  let planned: Planned[] = []
  let working = 0

  function at(moment: number, run: () => void, owner = owners.getStore()): Planned {
    order += 1
    const one = { at: Math.max(now, moment), order, owner, run }
    planned.push(one)
    return one
  }
  const cancel = (one: Planned | undefined) => {
    planned = planned.filter((other) => other !== one)
  }

  function repeat(ms: number, run: () => void) {
    let next: Planned | undefined
    const again = () => {
      next = at(now + ms, () => {
        run()
        again()
      })
    }
    again()
    return () => cancel(next)
  }

  /** Waits until nothing more can happen without time passing. All promises are settled when an immediate runs. */
  async function rest(): Promise<void> {
    do await new Promise<void>((turn) => void setImmediate(turn))
    while (working > 0)
  }

  /** Runs the earliest planned event and everything that follows immediately. False if there is none. */
  async function step(): Promise<boolean> {
    planned = planned.filter(({ owner }) => owner === undefined || owner.alive)
    const first = planned.reduce<Planned | undefined>(
      (best, one) =>
        best === undefined || one.at < best.at || (one.at === best.at && one.order < best.order) ? one : best,
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
    at,
    after: (ms: number, run: () => void, owner?: Owner) => at(now + ms, run, owner ?? owners.getStore()),
    /** Resolves after `ms`; never, if the owner dies before. */
    sleep: (ms: number) => (ms === 0 ? Promise.resolve() : new Promise<void>((wake) => at(now + ms, wake))),
    ownerNow: () => owners.getStore(),
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
    /** The time of the next planned event. */
    next: () =>
      planned.reduce((least, one) => (one.owner?.alive === false ? least : Math.min(least, one.at)), Infinity),
    /** Runs all events up to `moment` and sets the clock to it. */
    async until(moment: number): Promise<void> {
      for (let steps = 0; ; steps += 1) {
        if (steps > RUNAWAY) throw new Error('too many events')
        const due = planned.some((one) => one.owner?.alive !== false && one.at <= moment)
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
        setTimeout: (go: () => void, ms = 0) => {
          const one = at(now + ms, go)
          return handle(() => cancel(one))
        },
        setInterval: (go: () => void, ms = 0) => handle(repeat(ms, go)),
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

/** The promise of a dead process. */
export const never = <T>(): Promise<T> => new Promise<T>(() => undefined)
