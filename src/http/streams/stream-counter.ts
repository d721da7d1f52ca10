import type { ServerResponse } from 'node:http'
import { AppError } from '../../domain/errors.ts'
import { onClose } from './on-close.ts'

type StreamsMax = { readonly perAccount: number; readonly perProcess: number }

/** Counts open streams and refuses a new one if the account or the process has reached its limit. */
export function createStreamCounter(limits: StreamsMax): (raw: ServerResponse, accountId: string) => void {
  const byAccount = new Map<string, number>()
  let all = 0
  return (raw, accountId) => {
    const own = byAccount.get(accountId) ?? 0
    if (own >= limits.perAccount)
      throw new AppError('rate_limited', `You have ${own} open streams. Read or close one first.`, {
        retryAfterMs: 1_000,
      })
    if (all >= limits.perProcess)
      throw new AppError('overloaded', 'Too many streams are open. Try again shortly.', { retryAfterMs: 2_000 })
    all += 1
    byAccount.set(accountId, own + 1)
    onClose(raw, () => {
      all -= 1
      const left = (byAccount.get(accountId) ?? 1) - 1
      if (left > 0) byAccount.set(accountId, left)
      else byAccount.delete(accountId)
    })
  }
}
