import type { ExchangeRates } from '../domain/money/exchange.ts'
import { parseEcb } from './parse-ecb.ts'

const TIMEOUT_MS = 15_000
const BODY_MAX_CHARACTERS = 1_000_000

/** Reads the source. Throws an error whose message is the reason, without the address. */
export async function fetchRates(url: string): Promise<ExchangeRates> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause: unknown) => {
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    throw new Error(isLate ? 'no answer in time' : 'the source cannot be reached', { cause })
  })
  const text = await answer.text().catch((cause: unknown) => {
    throw new Error('the connection broke', { cause })
  })
  if (!answer.ok) throw new Error(`the source answered with status ${answer.status}`)
  if (text.length > BODY_MAX_CHARACTERS) throw new Error('the answer is too long')
  return parseEcb(text)
}
