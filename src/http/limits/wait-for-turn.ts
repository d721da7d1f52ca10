import type { ServerResponse } from 'node:http'
import type { AppError } from '../../domain/errors.ts'
import { QueueFull } from '../../lib/async/fair-queue.ts'
import { onClose } from '../streams/on-close.ts'

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
