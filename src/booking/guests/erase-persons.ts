import { hasIdShape } from '../../lib/crypto/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { addDays, dateIn } from '../../lib/time/plain-date.ts'
import type { ErasureCandidate, ErasureStore } from '../store/erasure.ts'

const AT_ONCE = 50

type Deps = { readonly store: ErasureStore; readonly clock: Clock }

/** A booking, and why its persons cannot be erased yet; `why` is undefined when they can. */
export type FoundBooking = ErasureCandidate & { readonly why: string | undefined }

/** Guests' names, contacts and wishes are erased when they are no longer needed; what was booked and paid stays. */
export function createErasePersons({ store, clock }: Deps) {
  const today = () => dateIn('UTC', clock.now())

  function whyNot({ state, checkOut }: ErasureCandidate): string | undefined {
    if (state === 'rejected' || state === 'cancelled') return undefined
    if (state !== 'confirmed') return `it is ${state}: settle it first`
    return checkOut < today() ? undefined : `the stay lasts until ${checkOut}: cancel it first, or wait`
  }

  return {
    /** The bookings that name a person with this e-mail, or the one with this id. */
    async find(emailOrId: string): Promise<FoundBooking[]> {
      if (emailOrId.includes('@'))
        return (await store.withEmail(emailOrId)).map((one) => ({ ...one, why: whyNot(one) }))
      const found = hasIdShape(emailOrId) ? await store.byId(emailOrId) : undefined
      return found === undefined ? [] : [{ ...found, why: whyNot(found) }]
    },

    /** False when it was done before. */
    erase: (bookingId: string): Promise<boolean> => store.erase(bookingId, clock.now()),

    /** Stays that ended more than `days` ago, as many as are done at once. Returns how many were erased. */
    async eraseOld(days: number): Promise<number> {
      const due = await store.due(addDays(today(), -days), AT_ONCE)
      for (const { bookingId } of due) await store.erase(bookingId, clock.now())
      return due.length
    },
  }
}
