import { monotonicMs } from '../lib/clock.ts'

/** A connection on which a question is under way. */
export type Asked = { destroy(): void }

type Deps = {
  /** Asks the server something trivial over a connection of its own; true when it said anything at all. */
  knock(): Promise<boolean>
  /** Told once when it hangs and once when it is back. */
  onChange?(isHung: boolean): void
}

export type HangWatch = {
  /** Call with each question; call what comes back when there is an answer, whatever it says. */
  asked(by: Asked): () => void
  /** True from the moment the server is known to hang until it speaks again. */
  isHung(): boolean
  close(): void
}

const LOOK_EVERY_MS = 250
/** A question that is older than this, while nothing else was answered either, is worth a knock. */
const LATE_MS = 1_000
const KNOCK_AGAIN_MS = 500

/**
 * Tells a server that hangs from one that is busy with a long question. A stopped machine takes connections and bytes and
 * never answers: without this every request would wait out the longest patience, one after the other. When it hangs, what
 * is under way is cut off, and nothing new is asked until it speaks again.
 */
export function createHangWatch({ knock, onChange }: Deps): HangWatch {
  const underway = new Map<Asked, number>()
  let heardAt = monotonicMs()
  let hung = false
  let knocking = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    timer = undefined
    if (closed || (underway.size === 0 && !hung)) return
    const lateSince = Math.max(heardAt, Math.min(...underway.values()))
    if (!knocking && (hung || monotonicMs() - lateSince > LATE_MS)) void tryKnock()
    lookAgain(hung ? KNOCK_AGAIN_MS : LOOK_EVERY_MS)
  }
  function lookAgain(inMs: number): void {
    if (!closed) timer ??= setTimeout(look, inMs).unref()
  }

  async function tryKnock(): Promise<void> {
    knocking = true
    const startedAt = monotonicMs()
    const answered = await knock().catch(() => false)
    knocking = false
    if (closed) return
    if (answered) heardAt = monotonicMs()
    // Something was answered meanwhile, so only the knock was unlucky.
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
