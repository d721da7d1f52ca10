import { createHash } from 'node:crypto'
import type { Clock } from '../../lib/time/clock.ts'
import type { HotelbedsConfig } from './config.ts'

/** Valid for a few minutes, so each request gets a new one. */
export function createSignature(apiKey: string, secret: string, nowMs: number): string {
  return createHash('sha256')
    .update(`${apiKey}${secret}${Math.floor(nowMs / 1000)}`)
    .digest('hex')
}

export const buildHeaders = ({ apiKey, secret }: HotelbedsConfig, clock: Clock): Record<string, string> => ({
  accept: 'application/json',
  'accept-encoding': 'gzip',
  'api-key': apiKey,
  'x-signature': createSignature(apiKey, secret, clock.now()),
  // The vendor's documentation requires it for the list of bookings too, which has no body.
  'content-type': 'application/json',
})
