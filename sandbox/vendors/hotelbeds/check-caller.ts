import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { gatewayError } from './vendor-words.ts'

export type Caller = { readonly apiKey: string; readonly secret: string }

/** Hotelbeds documents "a few minutes". */
const SKEW_MAX_S = 180

/** Reason for which the gateway rejects this request, if any. */
export function refuseCaller(
  headers: IncomingHttpHeaders,
  method: string,
  caller: Caller,
  now: number,
): StandInAnswer | undefined {
  const key = headers['api-key']
  const signature = headers['x-signature']
  if (typeof key !== 'string' || typeof signature !== 'string') return gatewayError(401, 'Authorization field missing')
  if (key !== caller.apiKey) return gatewayError(403, 'Access to this API has been disallowed')
  if (!isSigned(signature.toLowerCase(), caller, now)) return gatewayError(401, 'Request signature verification failed')
  if (!/application\/json/.test(headers.accept ?? '')) return gatewayError(406, 'Not Acceptable')
  if (!/\bgzip\b/.test(String(headers['accept-encoding'] ?? '')))
    return gatewayError(406, 'Accept-Encoding gzip required')
  if ((method === 'POST' || method === 'PUT') && !/application\/json/.test(headers['content-type'] ?? '')) {
    return gatewayError(415, 'Unsupported Media Type')
  }
  return undefined
}

/** The signature has no timestamp, so every second around now is tried, the nearest first. */
function isSigned(signature: string, { apiKey, secret }: Caller, now: number): boolean {
  const second = Math.floor(now / 1000)
  for (let skew = 0; skew <= SKEW_MAX_S; skew++) {
    if (digest(apiKey, secret, second - skew) === signature) return true
    if (skew > 0 && digest(apiKey, secret, second + skew) === signature) return true
  }
  return false
}

const digest = (apiKey: string, secret: string, second: number) =>
  createHash('sha256').update(`${apiKey}${secret}${second}`).digest('hex')
