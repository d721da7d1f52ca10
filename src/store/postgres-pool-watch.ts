import { monotonicMs } from '../lib/time/clock.ts'

/** A connection with a query under way. */
type Asked = { destroy(): void }

type Deps = {
  /** Runs a trivial query over a connection of its own; true when the server answers anything at all. */
  probe(): Promise<boolean>
  /** Called once when it hangs and once when it is back. */
  readonly onChange: ((isHung: boolean) => void) | undefined
}

export type HangWatch = {
  /** Call with each query; call the returned function when it is answered, whatever the answer. */
  asked(by: Asked): () => void
  /** True from the moment the server is known to hang until it answers again. */
  isHung(): boolean
  close(): void
}

const LOOK_EVERY_MS = 250
/** When a query is older than this and nothing else was answered meanwhile, the server is probed. */
const LATE_MS = 1_000
const PROBE_AGAIN_MS = 500

/**
 * Distinguishes a server that hangs from one that is busy with a long query. A stopped machine accepts connections and
 * bytes and never answers: without this every request would wait for the query timeout. When the server hangs, the
 * queries under way are cut off, and new ones fail at once until it answers again.
 */
export function createHangWatch({ probe, onChange }: Deps): HangWatch {
  const underway = new Map<Asked, number>()
  let heardAt = monotonicMs()
  let hung = false
  let probing = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    timer = undefined
    if (closed || (underway.size === 0 && !hung)) return
    const lateSince = Math.max(heardAt, Math.min(...underway.values()))
    if (!probing && (hung || monotonicMs() - lateSince > LATE_MS)) void tryProbe()
    lookAgain(hung ? PROBE_AGAIN_MS : LOOK_EVERY_MS)
  }
  function lookAgain(inMs: number): void {
    if (!closed) timer ??= setTimeout(look, inMs).unref()
  }

  async function tryProbe(): Promise<void> {
    probing = true
    const startedAt = monotonicMs()
    const answered = await probe().catch(() => false)
    probing = false
    if (closed) return
    if (answered) heardAt = monotonicMs()
    // Something else was answered meanwhile, so the server does not hang.
    setHung(!answered && heardAt < startedAt)
  }
  function setHung(now: boolean): void {
    if (now) for (const by of underway.keys()) by.destroy()
    if (now !== hung) onChange?.(now)
    hung = now
  }

  return {
    asked(by) {
      underway.set(by, monotonicMs())
      lookAgain(LOOK_EVERY_MS)
      return () => {
        underway.delete(by)
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
