import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { Booking } from './booking.ts'

/** Opens one booking without an account. `version` is increased to revoke all earlier links of the booking. */
export type BookingLink = { readonly bookingId: string; readonly version: number; readonly expiresAt: number }

const VALID_AFTER_STAY_MS = 31 * DAY_MS
const SHAPE = /^srl_([\w-]{1,16})\.([\w-]{1,64})\.(\d{1,9})\.([0-9a-z]{1,10})\.([\w-]{43})$/

/** Valid until the end of the 30th day after check-out. */
export const linkExpiry = ({ stay }: Pick<Booking, 'stay'>): number =>
  Date.parse(`${stay.checkOut}T00:00:00Z`) + VALID_AFTER_STAY_MS

/** Signed rather than sealed: the same booking gives the same link, so a repeated mail is the same mail. */
export function signLink({ current }: Keyring, { bookingId, version, expiresAt }: BookingLink): string {
  const text = `srl_${current.id}.${bookingId}.${version}.${expiresAt.toString(36)}`
  return `${text}.${sign(current.key, text).toString('base64url')}`
}

/** Undefined unless we signed it and it has not expired. The caller checks the version. */
export function openLink(keyring: Keyring, token: string, now: number): BookingLink | undefined {
  const [, keyId = '', bookingId = '', version, expiry = '', signature = ''] = SHAPE.exec(token) ?? []
  const key = keyring.byId(keyId)
  if (key === undefined) return undefined
  const expected = sign(key.key, token.slice(0, token.lastIndexOf('.')))
  const sent = Buffer.from(signature, 'base64url')
  const expiresAt = Number.parseInt(expiry, 36)
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected) || expiresAt <= now) return undefined
  return { bookingId, version: Number(version), expiresAt }
}

const sign = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
