import { createHash } from 'node:crypto'
import type { Clock } from '../../lib/time/clock.ts'
import type { HotelbedsConfig } from './config.ts'

/** Proves key and secret at one second. It is valid for a few minutes, so every request gets a new one. */
export function signatureOf(apiKey: string, secret: string, nowMs: number): string {
  return createHash('sha256')
    .update(`${apiKey}${secret}${Math.floor(nowMs / 1000)}`)
    .digest('hex')
}

export const headersOf = ({ apiKey, secret }: HotelbedsConfig, clock: Clock): Record<string, string> => ({
  accept: 'application/json',
  'accept-encoding': 'gzip',
  'api-key': apiKey,
  'x-signature': signatureOf(apiKey, secret, clock.now()),
  // The vendor's document wants it on the list of bookings too, which has no body.
  'content-type': 'application/json',
})
