import { isGuestId } from '../../domain/guest-access.ts'
import type { Database, ReadOnly, Tx } from '../../store/database.ts'

export type GuestStore = ReturnType<typeof createGuestStore>

/** What becomes of guests who sign in. */
export function createGuestStore(database: Database) {
  return {
    /** The account that this guest has signed in to. */
    accountOf: (guestId: string): Promise<string | undefined> => accountOf(database.read, guestId),

    /** What a guest had under way at the moment of signing in was written for the guest; it moves over here. */
    async moveLate(since: number): Promise<void> {
      await database.write(async (tx) => {
        const taken = await tx.selectFrom('guest_takeovers').selectAll().where('taken_at', '>=', since).execute()
        for (const { guest_id, account_id } of taken) await moveBookings(tx, guest_id, account_id)
      })
    },

    async deleteOld(before: number): Promise<void> {
      await database.write((tx) => tx.deleteFrom('guest_takeovers').where('taken_at', '<', before).execute())
    },
  }
}

async function accountOf(from: ReadOnly, guestId: string): Promise<string | undefined> {
  const query = from.selectFrom('guest_takeovers').select('account_id').where('guest_id', '=', guestId)
  return (await query.executeTakeFirst())?.account_id
}

/** The owner of what a request writes: the account, if a guest has signed in to one since the request began. */
export const currentOwner = async (tx: Tx, ownerId: string): Promise<string> =>
  (isGuestId(ownerId) ? await accountOf(tx, ownerId) : undefined) ?? ownerId

/** A guest's searches and bookings become the account's. Of two sign-ins at once with the same guest, the first counts. */
export async function moveToAccount(tx: Tx, guestId: string, accountId: string, now: number): Promise<void> {
  const taken = await tx
    .insertInto('guest_takeovers')
    .values({ guest_id: guestId, account_id: accountId, taken_at: now })
    .onConflict((conflict) => conflict.column('guest_id').doNothing())
    .returning('guest_id')
    .executeTakeFirst()
  if (taken === undefined) return
  await tx
    .updateTable('searches')
    .set({ account_id: accountId })
    .where('account_id', '=', guestId)
    .where('expires_at', '>', now)
    .execute()
  await moveBookings(tx, guestId, accountId)
}

/** One whose idempotency key the account has used itself stays where it is: a key means one booking. */
async function moveBookings(tx: Tx, guestId: string, accountId: string): Promise<void> {
  await tx
    .updateTable('bookings')
    .set({ account_id: accountId })
    .where('account_id', '=', guestId)
    .where('idempotency_key', 'not in', (eb) =>
      eb.selectFrom('bookings as own').select('own.idempotency_key').where('own.account_id', '=', accountId),
    )
    .execute()
}
