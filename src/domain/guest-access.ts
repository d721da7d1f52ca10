import { addressKey } from '../lib/net/address-key.ts'

/** Permissions of page visitors who have not signed in. */
export type GuestAccess = 'off' | 'search' | 'book'

export const GUEST_ID_PREFIX = 'gst'
export const isGuestId = (ownerId: string): boolean => ownerId.startsWith(`${GUEST_ID_PREFIX}_`)

/** Guests of one IP address share their places, because one client can become many guests. */
export const fairnessKey = (ownerId: string, address: string | undefined): string =>
  isGuestId(ownerId) && address !== undefined ? `guests ${addressKey(address)}` : ownerId
