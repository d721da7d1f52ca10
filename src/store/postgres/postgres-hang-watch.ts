import { monotonicMs } from '../../lib/time/clock.ts'

type Connection = { destroy(): void }

type Deps = {
  /** Runs a trivial query over its own connection; true if the server responds at all. */
  probe(): Promise<boolean>
  /** Called once when the server hangs and once when it responds again. */
  readonly onChange: ((isHung: boolean) => void) | undefined
}

export type HangWatch = {
  /** Call with each query; call the returned function when the query has succeeded or failed. */
  trackQuery(connection: Connection): () => void
  isHung(): boolean
  close(): void
}

const CHECK_EVERY_MS = 250
/** The server is probed if there was no response for this long while a query was running. */
const LATE_MS = 1_000
const PROBE_AGAIN_MS = 500

/**
 * Detects a server that accepts connections but never responds, as opposed to one that is busy with a long query. While it
 * hangs, running queries are aborted and new ones fail at once instead of waiting for the query timeout.
 */
export function createHangWatch({ probe, onChange }: Deps): HangWatch {
  const running = new Map<Connection, number>()
  let heardAt = monotonicMs()
  let hung = false
  let probing = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  function check(): void {
    timer = undefined
    if (closed || (running.size === 0 && !hung)) return
    const lateSince = Math.max(heardAt, Math.min(...running.values()))
    if (!probing && (hung || monotonicMs() - lateSince > LATE_MS)) void tryProbe()
    checkAgain(hung ? PROBE_AGAIN_MS : CHECK_EVERY_MS)
  }
  function checkAgain(inMs: number): void {
    if (!closed) timer ??= setTimeout(check, inMs).unref()
  }

  async function tryProbe(): Promise<void> {
    probing = true
    const startedAt = monotonicMs()
    const answered = await probe().catch(() => false)
    probing = false
    if (closed) return
    if (answered) heardAt = monotonicMs()
    // The server does not hang if it has responded to another query in the meantime.
    setHung(!answered && heardAt < startedAt)
  }
  function setHung(isHung: boolean): void {
    if (isHung) for (const connection of running.keys()) connection.destroy()
    if (isHung !== hung) onChange?.(isHung)
    hung = isHung
  }

  return {
    trackQuery(connection) {
      running.set(connection, monotonicMs())
      checkAgain(CHECK_EVERY_MS)
      return () => {
        running.delete(connection)
        if (!hung) heardAt = monotonicMs()
      }
    },
    isHung: () => hung,
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
