import { createHash } from 'node:crypto'

/** Proof of key and secret at one second: valid for a few minutes around it, so it is made anew for every request. */
export function signatureOf(apiKey: string, secret: string, nowMs: number): string {
  return createHash('sha256')
    .update(`${apiKey}${secret}${Math.floor(nowMs / 1000)}`)
    .digest('hex')
}
