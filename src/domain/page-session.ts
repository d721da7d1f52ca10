import type { Role } from './access.ts'
import type { BookingLink } from './booking/booking-link.ts'

/** Owner of a live session of the page. A guest has neither e-mail nor name. */
export type PageSessionOwner = {
  readonly ownerId: string
  readonly isGuest: boolean
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly expiresAt: number
}

export type PageHolder = PageSessionOwner & { readonly sessionHash: string }

/** Holder of a link to one booking. */
export type LinkHolder = BookingLink & { readonly accountId: string }

/** `secret` is only stored in the cookie. */
export type NewSession = PageHolder & { readonly secret: string }
