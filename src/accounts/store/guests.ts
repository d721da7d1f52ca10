import { sql } from 'kysely'
import { isGuestId } from '../../domain/guest-access.ts'
import type { Database, ReadOnly, Tx } from '../../store/database.ts'

export type GuestStore = ReturnType<typeof createGuestStore>

/** Moves the data of guests who sign in to their account. */
export function createGuestStore(database: Database) {
  return {
    accountOf: (guestId: string): Promise<string | undefined> => findAccountId(database.read, guestId),

    /** Moves bookings that were written for a guest while the guest signed in. */
    async moveLateBookings(since: number): Promise<void> {
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

async function findAccountId(from: ReadOnly, guestId: string): Promise<string | undefined> {
  const query = from.selectFrom('guest_takeovers').select('account_id').where('guest_id', '=', guestId)
  return (await query.executeTakeFirst())?.account_id
}

/** The account that the guest has signed in to since the request began, if any. */
export const currentOwner = async (tx: Tx, ownerId: string): Promise<string> =>
  (isGuestId(ownerId) ? await findAccountId(tx, ownerId) : undefined) ?? ownerId

/** Moves searches and bookings to the account. The first of two concurrent sign-ins wins. */
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

/** A key identifies one booking of an account, so a guest's key that the account has used as well is given up. */
async function moveBookings(tx: Tx, guestId: string, accountId: string): Promise<void> {
  await tx
    .updateTable('bookings')
    .set({
      account_id: accountId,
      idempotency_key: sql`case when idempotency_key in (select own.idempotency_key from bookings as own
        where own.account_id = ${accountId}) then idempotency_key || ' ' || booking_id else idempotency_key end`,
    })
    .where('account_id', '=', guestId)
    .execute()
  const own = tx.selectFrom('bookings').select('booking_id').where('account_id', '=', accountId)
  await tx
    .updateTable('events')
    .set({ account_id: accountId })
    .where('account_id', '=', guestId)
    .where('booking_id', 'in', own)
    .execute()
}
