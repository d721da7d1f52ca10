import type { ServerResponse } from 'node:http'
import type { AppError } from '../../domain/app-error.ts'
import { addressKey } from '../../lib/address-key.ts'
import { onClose } from './on-close.ts'
import type { Caller } from './request-context.ts'

/** At most this many of one account: two to four seconds of waiting, about what a client gives a search. */
const WAITING_MAX = 16

/** Requests of several accounts that wait for their turn. */
export function createWaitingLine(waitingMax = WAITING_MAX) {
  const lines = new Map<string, (() => void)[]>()
  const size = () => [...lines.values()].reduce((sum, line) => sum + line.length, 0)

  return {
    /** Undefined when the account's line is full; else what to call when the request ends before its turn. */
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
    /** The next one begins: of each account in turn, the request that came first. */
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

/** Whose requests are counted together: an account's, or those of all guests at one address, because anybody can be many guests. */
export const sharerOf = ({ accountId, isGuest }: Pick<Caller, 'accountId' | 'isGuest'>, address: string): string =>
  isGuest === true ? `guests ${addressKey(address)}` : accountId

/** Resolves when it is the request's turn; a client that hangs up before leaves the line. */
export function turnInLine(
  line: WaitingLine,
  who: string,
  raw: ServerResponse,
  refusal: () => AppError,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = line.join(who, () => {
      if (leave !== undefined) raw.removeListener('close', leave)
      resolve()
    })
    if (leave === undefined) reject(refusal())
    else onClose(raw, leave)
  })
}
