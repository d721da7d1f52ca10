/** Permissions of page visitors who have not signed in. */
export type GuestAccess = 'off' | 'search' | 'book'

export const GUEST_ID_PREFIX = 'gst'
export const isGuestId = (ownerId: string): boolean => ownerId.startsWith(`${GUEST_ID_PREFIX}_`)
