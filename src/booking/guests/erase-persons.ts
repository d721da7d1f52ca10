import { hasIdShape } from '../../lib/crypto/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { addDays, dateIn } from '../../lib/time/plain-date.ts'
import type { ErasureCandidate, ErasureStore } from '../store/erasure.ts'

const AT_ONCE = 50

type Deps = { readonly store: ErasureStore; readonly clock: Clock }

/** `why` is the reason that its persons cannot be erased yet; undefined if they can. */
export type FoundBooking = ErasureCandidate & { readonly why: string | undefined }

/** Erases names, contacts and special requests after the stay. Keeps room, price and payments. */
export function createErasePersons({ store, clock }: Deps) {
  const today = () => dateIn('UTC', clock.now())

  function whyNot({ state, checkOut }: ErasureCandidate): string | undefined {
    if (state === 'rejected' || state === 'cancelled') return undefined
    if (state !== 'confirmed') return `it is ${state}: settle it first`
    return checkOut < today() ? undefined : `the stay lasts until ${checkOut}: cancel it first, or wait`
  }

  return {
    /** Bookings that name a person with this e-mail address, or the one with this id. */
    async find(emailOrId: string): Promise<FoundBooking[]> {
      if (emailOrId.includes('@'))
        return (await store.withEmail(emailOrId)).map((candidate) => ({ ...candidate, why: whyNot(candidate) }))
      const found = hasIdShape(emailOrId) ? await store.byId(emailOrId) : undefined
      return found === undefined ? [] : [{ ...found, why: whyNot(found) }]
    },

    /** False if already erased. */
    erase: (bookingId: string): Promise<boolean> => store.erase(bookingId, clock.now()),

    /** Erases a batch of stays that ended more than `days` ago; returns how many. */
    async eraseOld(days: number): Promise<number> {
      const due = await store.due(addDays(today(), -days), AT_ONCE)
      for (const { bookingId } of due) await store.erase(bookingId, clock.now())
      return due.length
    },
  }
}
