/** Too many callers are waiting, for this key or in total. */
export class QueueFull extends Error {}

type QueueLimits = { readonly waitingPerKey?: number; readonly waiting?: number }

type WaitOptions = {
  /** Its abort removes the caller from the queue; `wait` then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Starts before the others of its key. */
  readonly isFirst?: boolean
}

export type FairQueue = ReturnType<typeof createFairQueue>

/** Queue in which keys take turns; callers of one key start in order of arrival. */
export function createFairQueue({ waitingPerKey = Infinity, waiting = Infinity }: QueueLimits = {}) {
  const lines = new Map<string, (() => void)[]>()
  const size = () => [...lines.values()].reduce((sum, { length }) => sum + length, 0)

  return {
    size,
    /** Resolves with the result of `start`, which `startNext` calls synchronously so that it can count what is running. */
    async wait<T>(key: string, start: () => T, { signal, isFirst = false }: WaitOptions = {}): Promise<T> {
      signal?.throwIfAborted()
      const line = lines.get(key) ?? []
      if (line.length >= waitingPerKey || size() >= waiting) throw new QueueFull()
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve(start())
      }
      const leave = () => {
        line.splice(line.indexOf(begin), 1)
        if (line.length === 0) lines.delete(key)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      if (isFirst) line.unshift(begin)
      else line.push(begin)
      lines.set(key, line)
      return promise
    },
    /** Starts the next caller whose key may start. Returns false if there is none. */
    startNext(mayStart: (key: string) => boolean = () => true): boolean {
      for (const [key, line] of lines) {
        if (!mayStart(key)) continue
        const begin = line.shift()
        // Moves the key to the end, so that another key is next.
        lines.delete(key)
        if (line.length > 0) lines.set(key, line)
        begin?.()
        return true
      }
      return false
    },
  }
}

type TurnLimits = QueueLimits & {
  readonly running: number
  /** Capacity that one key may use out of what other keys leave free; all of it by default. */
  maxPerKey?(left: number): number
}

export type FairTurns = ReturnType<typeof createFairTurns>

/** Lets at most `running` callers work at once; the others wait in a fair queue. Disposing of a turn ends it. */
export function createFairTurns({ running: runningMax, maxPerKey = (left) => left, ...limits }: TurnLimits) {
  const queue = createFairQueue(limits)
  const runningByKey = new Map<string, number>()
  let running = 0

  const mayStart = (key: string): boolean => {
    const own = runningByKey.get(key) ?? 0
    return running < runningMax && own < maxPerKey(runningMax - running + own)
  }
  const count = (key: string, change: 1 | -1): void => {
    const own = (runningByKey.get(key) ?? 0) + change
    running += change
    if (own > 0) runningByKey.set(key, own)
    else runningByKey.delete(key)
  }

  function start(key: string): Disposable {
    count(key, 1)
    let hasEnded = false
    return {
      [Symbol.dispose]() {
        if (hasEnded) return
        hasEnded = true
        count(key, -1)
        queue.startNext(mayStart)
      },
    }
  }

  return {
    async enter(key: string, options?: WaitOptions): Promise<Disposable> {
      options?.signal?.throwIfAborted()
      return mayStart(key) ? start(key) : queue.wait(key, () => start(key), options)
    },
    running: () => running,
    waiting: queue.size,
  }
}
