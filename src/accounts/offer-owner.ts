import { isGuestId } from '../domain/guest-access.ts'
import type { GuestStore } from './store/guests.ts'

/** Whether what was issued to `ownerId` may be used by the account. */
export type OwnsOffer = (accountId: string, ownerId: string) => Promise<boolean>

/** Offers stay sealed for whom they were issued to; those of a guest also serve the account that the guest has signed in to. */
export const createOwnsOffer =
  (guests: Pick<GuestStore, 'accountOf'>): OwnsOffer =>
  async (accountId, ownerId) =>
    ownerId === accountId || (isGuestId(ownerId) && (await guests.accountOf(ownerId)) === accountId)
