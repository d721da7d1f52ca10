import { isGuestId } from '../domain/guest-access.ts'
import type { GuestStore } from './store/guests.ts'

/** True if the account may use an offer issued to `ownerId`. */
export type OwnsOffer = (accountId: string, ownerId: string) => Promise<boolean>

/** A guest's offers remain valid for the account that the guest has signed in to. */
export const createOwnsOffer =
  (guests: Pick<GuestStore, 'accountOf'>): OwnsOffer =>
  async (accountId, ownerId) =>
    ownerId === accountId || (isGuestId(ownerId) && (await guests.accountOf(ownerId)) === accountId)
