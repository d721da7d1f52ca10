import type { BookingPersons, BookingState } from '../../domain/booking/booking.ts'
import type { Receipt } from '../../domain/booking/receipt.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { openJson, sealJson } from '../../lib/crypto/seal.ts'
import type { PlainDate } from '../../lib/time/plain-date.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { NO_ANSWER, readAnswer, type StoredAnswer, sealAnswer } from './answers.ts'
import { SAID } from './readings.ts'
import { NOBODY, personsOf, sealPersons } from './rows.ts'

/** What decides whether the persons of a booking may be erased. */
export type ErasureCandidate = {
  readonly bookingId: string
  readonly state: BookingState
  readonly checkOut: PlainDate
}

/** The first answer to a booking request as it may be repeated once its persons are erased. */
type WithoutPersons = (answer: StoredAnswer, erasedAt: number) => StoredAnswer

export type ErasureStore = ReturnType<typeof createErasureStore>

/** Nothing more happens to these by themselves. */
const ENDED: BookingState[] = ['confirmed', 'rejected', 'cancelled']
const SCANNED_AT_ONCE = 200

/** Taking persons out of bookings, for good. What was booked and what it cost stays. */
export function createErasureStore(database: Database, keyring: Keyring, withoutPersons: WithoutPersons) {
  return {
    /** Stays that ended before `day` and still name persons, the longest ago first. */
    async due(day: PlainDate, most: number): Promise<ErasureCandidate[]> {
      const rows = await database.read
        .selectFrom('bookings')
        .select(['booking_id', 'state', 'check_out'])
        .where('persons_erased_at', 'is', null)
        .where('check_out', '<', day)
        .where('state', 'in', ENDED)
        .orderBy('check_out')
        .limit(most)
        .execute()
      return rows.map(candidateOf)
    },

    async byId(bookingId: string): Promise<ErasureCandidate | undefined> {
      const row = await database.read
        .selectFrom('bookings')
        .select(['booking_id', 'state', 'check_out'])
        .where('booking_id', '=', bookingId)
        .where('persons_erased_at', 'is', null)
        .executeTakeFirst()
      return row && candidateOf(row)
    },

    /** Persons are encrypted, so every booking is looked at; that takes its time. */
    withEmail: (email: string): Promise<ErasureCandidate[]> => scan(database, keyring, email.trim().toLowerCase()),

    /** False when they were erased before. */
    erase: (bookingId: string, now: number): Promise<boolean> =>
      database.write((tx) => erase({ keyring, withoutPersons }, tx, bookingId, now)),
  }
}

type Row = Pick<Tables['bookings'], 'booking_id' | 'state' | 'check_out'>

const candidateOf = (row: Row): ErasureCandidate => ({
  bookingId: row.booking_id,
  state: row.state,
  checkOut: row.check_out,
})

async function scan(database: Database, keyring: Keyring, email: string): Promise<ErasureCandidate[]> {
  const found: ErasureCandidate[] = []
  for (let after = ''; ; ) {
    const rows = await database.read
      .selectFrom('bookings')
      .select(['booking_id', 'state', 'check_out', 'persons'])
      .where('booking_id', '>', after)
      .where('persons_erased_at', 'is', null)
      .orderBy('booking_id')
      .limit(SCANNED_AT_ONCE)
      .execute()
    found.push(...rows.filter((row) => names(personsOf(row, keyring), email)).map(candidateOf))
    const last = rows.at(-1)
    if (last === undefined) return found
    after = last.booking_id
  }
}

const names = ({ guests, contact, formerEmails = [] }: BookingPersons, email: string) =>
  [contact.email, ...guests.map((guest) => guest.email), ...formerEmails].some(
    (one) => one.trim().toLowerCase() === email,
  )

type Parts = { readonly keyring: Keyring; readonly withoutPersons: WithoutPersons }

async function erase({ keyring, withoutPersons }: Parts, tx: Tx, bookingId: string, now: number): Promise<boolean> {
  const row = await tx
    .selectFrom('bookings')
    .select(['answer_status', 'answer_body'])
    .where('booking_id', '=', bookingId)
    .where('persons_erased_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return false
  const answer = readAnswer(row, keyring)
  await tx
    .updateTable('bookings')
    .set({
      persons: sealPersons(NOBODY, keyring),
      persons_erased_at: now,
      updated_at: now,
      ...(answer === undefined ? NO_ANSWER : sealAnswer(keyring, withoutPersons(answer, now))),
    })
    .where('booking_id', '=', bookingId)
    .execute()
  await eraseReadings(tx, keyring, bookingId)
  // A reading would bring the names back. One that is under way has lost its task, so it is not recorded.
  await tx
    .deleteFrom('tasks')
    .where('kind', 'in', ['read', 'mail'])
    .where('subject', 'in', [bookingId, `operator ${bookingId}`])
    .execute()
  await tx
    .updateTable('mails')
    .set(({ fn, val }) => ({ content: null, outcome: fn.coalesce('outcome', val('erased')) }))
    .where('booking_id', '=', bookingId)
    .execute()
  await tx
    .updateTable('vendor_calls')
    .set({ request: null, response: null })
    .where('booking_id', '=', bookingId)
    .execute()
  // What receivers answered may repeat anything that they know of the booking.
  await tx.updateTable('webhook_attempts').set({ answer: null }).where('booking_id', '=', bookingId).execute()
  return true
}

/** The vendor's versions of the booking name the guests as well. */
async function eraseReadings(tx: Tx, keyring: Keyring, bookingId: string): Promise<void> {
  const rows = await tx
    .selectFrom('booking_readings')
    .select(['at', 'said'])
    .where('booking_id', '=', bookingId)
    .where('said', 'is not', null)
    .execute()
  for (const { at, said } of rows) {
    const receipt = said === null ? undefined : openJson<Receipt>(keyring, SAID, said)
    const { guests: _, ...rest } = receipt ?? {}
    await tx
      .updateTable('booking_readings')
      .set({ said: receipt === undefined ? null : sealJson(keyring, SAID, rest) })
      .where('booking_id', '=', bookingId)
      .where('at', '=', at)
      .execute()
  }
}
