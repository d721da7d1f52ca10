import type { ServerResponse } from 'node:http'
import type { AppError } from '../../domain/errors.ts'
import type { WaitingLine } from '../../lib/async/waiting-line.ts'
import { addressKey } from '../../lib/net/address-key.ts'
import type { Caller } from '../middleware/request-context.ts'
import { onClose } from '../streams/on-close.ts'

/** Whose requests are counted together: an account's, or those of all guests at one address, because anybody can be many guests. */
export const sharerOf = ({ accountId, isGuest }: Pick<Caller, 'accountId' | 'isGuest'>, address: string): string =>
  isGuest === true ? `guests ${addressKey(address)}` : accountId

/** Resolves when it is the request's turn; a client that disconnects before that leaves the queue. */
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
