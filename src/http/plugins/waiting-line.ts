/** At most this many of one account: two to four seconds of waiting, about what a client gives a search. */
const WAITING_MAX = 16

export type WaitingLine = {
  /** Undefined when the account's line is full; else what to call by one who leaves before its turn. */
  join(accountId: string, begin: () => void): (() => void) | undefined
  /** The next one begins: of each account in turn, the one who came first. */
  letIn(): void
  size(): number
}

/** Lines of several accounts before one door. */
export function createWaitingLine(): WaitingLine {
  const lines = new Map<string, (() => void)[]>()
  let size = 0

  return {
    join(accountId, begin) {
      const line = lines.get(accountId) ?? []
      if (line.length >= WAITING_MAX) return undefined
      lines.set(accountId, line)
      line.push(begin)
      size += 1
      return () => {
        const place = line.indexOf(begin)
        if (place < 0) return
        line.splice(place, 1)
        size -= 1
        if (line.length === 0 && lines.get(accountId) === line) lines.delete(accountId)
      }
    },
    letIn() {
      for (const [accountId, line] of lines) {
        // To the end of the round: whoever waits next goes first next time.
        lines.delete(accountId)
        const begin = line.shift()
        if (line.length > 0) lines.set(accountId, line)
        if (begin === undefined) continue
        size -= 1
        begin()
        return
      }
    },
    size: () => size,
  }
}
