import type { ServerResponse } from 'node:http'
import type { AppError } from '../../domain/errors.ts'
import { QueueFull } from '../../lib/async/fair-queue.ts'
import { addressKey } from '../../lib/net/address-key.ts'
import type { Caller } from '../middleware/request-context.ts'
import { onClose } from '../streams/on-close.ts'

/** Whose requests are counted together: an account's, or those of all guests at one address, because anybody can be many guests. */
export const sharerOf = ({ accountId, isGuest }: Pick<Caller, 'accountId' | 'isGuest'>, address: string): string =>
  isGuest === true ? `guests ${addressKey(address)}` : accountId

/** Waits for the request's turn. If its client disconnects, it leaves the queue and never resolves: there is no one to answer. */
export async function waitForTurn<T>(
  raw: ServerResponse,
  refusal: () => AppError,
  enter: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController()
  onClose(raw, () => gone.abort())
  try {
    return await enter(gone.signal)
  } catch (error) {
    if (gone.signal.aborted) return new Promise(() => {})
    throw error instanceof QueueFull ? refusal() : error
  }
}
