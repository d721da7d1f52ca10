/** The caller may not wait: its key, or the whole queue, has too many callers waiting. */
export class QueueFull extends Error {}

type QueueLimits = { readonly waitingPerKey?: number; readonly waiting?: number }

type WaitOptions = {
  /** Its abort removes the caller from the queue, which then throws the signal's reason. */
  readonly signal?: AbortSignal
  /** Starts before the others of its key. */
  readonly isFirst?: boolean
}

export type FairQueue = ReturnType<typeof createFairQueue>

/** Callers that wait for their turn. Keys take turns, and the callers of one key start in the order in which they came. */
export function createFairQueue({ waitingPerKey = Infinity, waiting = Infinity }: QueueLimits = {}) {
  const lines = new Map<string, (() => void)[]>()
  const size = () => [...lines.values()].reduce((sum, { length }) => sum + length, 0)

  return {
    size,
    /** Resolves with what `start` returns; `startNext` calls it at once, so that it can count what is running. */
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
        // To the end of the round: the next turn is another key's.
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
  /** How much of what the others leave one key may have; all of it by default. */
  shareOf?(left: number): number
}

export type FairTurns = ReturnType<typeof createFairTurns>

/** Lets at most `running` callers work at once. A turn ends when it is disposed of; the others wait in a fair queue. */
export function createFairTurns({ running: runningMax, shareOf = (left) => left, ...limits }: TurnLimits) {
  const queue = createFairQueue(limits)
  const ofKey = new Map<string, number>()
  let running = 0

  const mayStart = (key: string): boolean => {
    const own = ofKey.get(key) ?? 0
    return running < runningMax && own < shareOf(runningMax - running + own)
  }
  const count = (key: string, change: 1 | -1): void => {
    const own = (ofKey.get(key) ?? 0) + change
    running += change
    if (own > 0) ofKey.set(key, own)
    else ofKey.delete(key)
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
