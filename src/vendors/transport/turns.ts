import { createWaitingLine } from '../../lib/async/waiting-line.ts'

/** Why a call was not sent: its account has too many calls waiting, or the caller gave up while it waited. */
export class NotSent extends Error {
  readonly why: 'full' | 'given_up'
  constructor(why: NotSent['why']) {
    super(why)
    this.why = why
  }
}

/**
 * Runs at most `limit` calls at once. Of each account as many may wait, and accounts take turns, so that one with many calls does
 * not keep the others out. A caller that gives up leaves the queue.
 */
export function createTurns(limit: number) {
  const line = createWaitingLine(limit)
  let running = 0

  function turnOf(accountId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      const leave = line.join(accountId, begin)
      const onAbort = () => {
        leave?.()
        reject(new NotSent('given_up'))
      }
      if (leave === undefined) reject(new NotSent('full'))
      else signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  return {
    async run<T>(accountId: string, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
      if (signal.aborted) throw new NotSent('given_up')
      // Who has waited takes the place of the call that has ended.
      if (running >= limit) await turnOf(accountId, signal)
      else running += 1
      try {
        return await call()
      } finally {
        if (line.size() > 0) line.letIn()
        else running -= 1
      }
    },
    running: () => running,
  }
}
