import type { ServerResponse } from 'node:http'
import type { AppError } from '../../domain/errors.ts'
import { QueueFull } from '../../lib/async/fair-queue.ts'
import { addressKey } from '../../lib/net/address-key.ts'
import type { Caller } from '../middleware/request-context.ts'
import { onClose } from '../streams/on-close.ts'

/** Guests share a key per IP address, because one client can become many guests. */
export const fairnessKey = ({ accountId, isGuest }: Pick<Caller, 'accountId' | 'isGuest'>, address: string): string =>
  isGuest === true ? `guests ${addressKey(address)}` : accountId

/** Leaves the queue and never resolves if the client disconnects. */
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
