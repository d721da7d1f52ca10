import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/time/clock.ts'
import type { VendorMessage } from '../contract.ts'
import { asRecord, asText, readId } from '../wire/read.ts'
import type { ExpediaRapidConfig } from './config.ts'

/** Same lifetime as that of our own signatures. */
const SIGNATURE_TTL_S = 300

const HEADER = /^EAN\s+api_?key=([^,\s]+)\s*,\s*signature=([0-9a-f]{128})\s*,\s*timestamp=(\d{1,12})$/i

/** Returns our reference of the changed booking; undefined for other notifications. */
export function readNotification(
  config: Pick<ExpediaRapidConfig, 'apiKey' | 'sharedSecret'>,
  clock: Clock,
  { headers, body }: VendorMessage,
): string | 'unsigned' | undefined {
  if (!isSigned(config, clock, asText(headers.authorization))) return 'unsigned'
  const message = asRecord(body)
  if (!asText(message?.event_type).startsWith('itinerary.')) return undefined
  return readId(message?.affiliate_reference_id) || undefined
}

/** Uses the same signature scheme as our own requests. */
function isSigned(
  { apiKey, sharedSecret }: Pick<ExpediaRapidConfig, 'apiKey' | 'sharedSecret'>,
  clock: Clock,
  header: string,
) {
  const [, key, signature = '', timestamp = ''] = HEADER.exec(header.trim()) ?? []
  if (key !== apiKey || Math.abs(clock.now() / 1000 - Number(timestamp)) > SIGNATURE_TTL_S) return false
  const expected = createHash('sha512').update(`${apiKey}${sharedSecret}${timestamp}`).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}
