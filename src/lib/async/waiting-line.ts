/** Work of several accounts that waits for its turn, at most `waitingMax` of each. */
export function createWaitingLine(waitingMax: number) {
  const lines = new Map<string, (() => void)[]>()
  const size = () => [...lines.values()].reduce((sum, line) => sum + line.length, 0)

  return {
    /** Undefined when the account's line is full; else what to call when it ends before its turn. */
    join(accountId: string, begin: () => void): (() => void) | undefined {
      const line = lines.get(accountId) ?? []
      if (line.length >= waitingMax) return undefined
      line.push(begin)
      lines.set(accountId, line)
      return () => {
        const place = line.indexOf(begin)
        if (place >= 0) line.splice(place, 1)
      }
    },
    /** The next one begins: of each account in turn, what came first. */
    letIn(): void {
      for (const [accountId, line] of lines) {
        // To the end of the round: whoever waits next goes first next time.
        lines.delete(accountId)
        const begin = line.shift()
        if (line.length > 0) lines.set(accountId, line)
        if (begin === undefined) continue
        begin()
        return
      }
    },
    size,
  }
}

export type WaitingLine = ReturnType<typeof createWaitingLine>
