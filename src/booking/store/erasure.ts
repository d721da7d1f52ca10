import { sql } from 'kysely'
import type { BookingPersons, BookingState } from '../../domain/booking/booking.ts'
import type { Receipt } from '../../domain/booking/receipt.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { openJson, sealJson } from '../../lib/crypto/seal.ts'
import type { PlainDate } from '../../lib/time/plain-date.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { EMPTY_ANSWER, readAnswer, type StoredAnswer, sealAnswer } from './answers.ts'
import { READING_SEAL } from './readings.ts'
import { NO_PERSONS, openPersons, sealPersons } from './rows.ts'

export type ErasureCandidate = {
  readonly bookingId: string
  readonly state: BookingState
  readonly checkOut: PlainDate
}

/** Removes the persons from the stored answer to a booking request. */
type WithoutPersons = (answer: StoredAnswer, erasedAt: number) => StoredAnswer

export type ErasureStore = ReturnType<typeof createErasureStore>

/** States that no job changes any more. */
const ENDED: BookingState[] = ['confirmed', 'rejected', 'cancelled']
const SCANNED_AT_ONCE = 200

/** Erases persons from bookings permanently. What was booked and its price stay. */
export function createErasureStore(database: Database, keyring: Keyring, withoutPersons: WithoutPersons) {
  return {
    /** Stays that ended before `day` and still name persons, the oldest first. */
    async due(day: PlainDate, limit: number): Promise<ErasureCandidate[]> {
      const rows = await database.read
        .selectFrom('bookings')
        .select(['booking_id', 'state', 'check_out'])
        .where('persons_erased_at', 'is', null)
        .where('check_out', '<', day)
        .where('state', 'in', ENDED)
        .orderBy('check_out')
        .limit(limit)
        .execute()
      return rows.map(toCandidate)
    },

    async byId(bookingId: string): Promise<ErasureCandidate | undefined> {
      const row = await database.read
        .selectFrom('bookings')
        .select(['booking_id', 'state', 'check_out'])
        .where('booking_id', '=', bookingId)
        .where('persons_erased_at', 'is', null)
        .executeTakeFirst()
      return row && toCandidate(row)
    },

    /** Persons are encrypted, so every booking is decrypted. */
    withEmail: (email: string): Promise<ErasureCandidate[]> => scan(database, keyring, email.trim().toLowerCase()),

    /** False if already erased. */
    erase: (bookingId: string, now: number): Promise<boolean> =>
      database.write((tx) => erase({ keyring, withoutPersons }, tx, bookingId, now)),
  }
}

type Row = Pick<Tables['bookings'], 'booking_id' | 'state' | 'check_out'>

const toCandidate = (row: Row): ErasureCandidate => ({
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
    found.push(...rows.filter((row) => namesEmail(openPersons(row, keyring), email)).map(toCandidate))
    const last = rows.at(-1)
    if (last === undefined) return found
    after = last.booking_id
  }
}

const namesEmail = ({ guests, contact, formerEmails = [] }: BookingPersons, email: string) =>
  [contact.email, ...guests.map((guest) => guest.email), ...formerEmails].some(
    (address) => address.trim().toLowerCase() === email,
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
      persons: sealPersons(NO_PERSONS, keyring),
      persons_erased_at: now,
      updated_at: now,
      ...(answer === undefined ? EMPTY_ANSWER : sealAnswer(keyring, withoutPersons(answer, now))),
    })
    .where('booking_id', '=', bookingId)
    .execute()
  await eraseReadings(tx, keyring, bookingId)
  // A reading would bring the names back. One in progress has lost its task, so it is not recorded.
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
  await tx.deleteFrom('idempotent_requests').where('subject', '=', bookingId).execute()
  await eraseCard(tx, bookingId)
  // A receiver's answer may repeat anything about the booking.
  await tx.updateTable('webhook_attempts').set({ answer: null }).where('booking_id', '=', bookingId).execute()
  return true
}

/** With a new revision, so that a job at work does not write the card back. */
async function eraseCard(tx: Tx, bookingId: string): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ brand: null, last4: null, failure: null, revision: sql<number>`revision + 1` })
    .where('booking_id', '=', bookingId)
    .execute()
}

/** The vendor's versions name the guests as well. */
async function eraseReadings(tx: Tx, keyring: Keyring, bookingId: string): Promise<void> {
  const rows = await tx
    .selectFrom('booking_readings')
    .select(['at', 'said'])
    .where('booking_id', '=', bookingId)
    .where('said', 'is not', null)
    .execute()
  for (const { at, said } of rows) {
    const receipt = said === null ? undefined : openJson<Receipt>(keyring, READING_SEAL, said)
    const { guests: _, ...rest } = receipt ?? {}
    await tx
      .updateTable('booking_readings')
      .set({ said: receipt === undefined ? null : sealJson(keyring, READING_SEAL, rest) })
      .where('booking_id', '=', bookingId)
      .where('at', '=', at)
      .execute()
  }
}
