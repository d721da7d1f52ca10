import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Booking, type BookingEvent, type BookingState, canMove } from '../domain/booking.ts'
import type { Keyring } from '../lib/keyring.ts'
import { openJson, sealJson } from '../lib/seal.ts'
import { type BookingFigures, bookingFigures } from './booking-figures.ts'
import { fromRow, type NewBookingKeys, toRow } from './booking-rows.ts'
import type { Database, Tx } from './database.ts'
import type { BookingEventRow, BookingRow } from './tables.ts'

export type BookingStore = ReturnType<typeof createBookingStore>

/** The bytes of a first answer. */
export type StoredAnswer = { readonly status: number; readonly body: string }

/** What an earlier request with the same key or offer left behind. */
export type Earlier = {
  readonly booking: Booking
  readonly fingerprint: string
  /** The key that was asked for, if it is this booking's; another one nobody can tell. */
  readonly idempotencyKey: string | undefined
  readonly answer: StoredAnswer | undefined
  /** Somebody is believed to be working on it. */
  readonly leased: boolean
}

/** What a move records beside the new state. */
export type MoveFacts = {
  readonly at: number
  readonly reason?: string
  readonly vendorReference?: string
  readonly cancelFeeMinor?: number
  readonly submittedAt?: number
  /** When it is due again; null when nothing is. */
  readonly dueAt: number | null
  readonly leaseUntil?: number
  /** The first answer, if this move decides it and none was given before. */
  readonly answerOf?: (booking: Booking, reason: string | undefined) => StoredAnswer
}

/** A booking after its move, and the first answer to its request where one has been decided. */
export type Moved = { readonly booking: Booking; readonly answer: StoredAnswer | undefined }

/** Told of every change of state inside its transaction; webhooks are put in line there. */
export type OnMove = (tx: Tx, booking: Booking, event: BookingEvent) => Promise<void>

const ANSWER = 'ans1'
/** Anything else was never given out, and a NUL in it would make PostgreSQL stumble. */
const BOOKING_ID = /^[\w-]{1,64}$/

/** Only a hash is kept: clients put anything into their keys, names and tokens included. */
const keptKey = (idempotencyKey: string) => createHash('sha256').update(idempotencyKey).digest('hex')

const LISTED = {
  booking_id: 'booking_id',
  status: 'state',
  vendor_id: 'vendor_id',
  client_reference: 'client_reference',
  property_name: 'property_name',
  check_in: 'check_in',
  check_out: 'check_out',
  created_at: 'created_at',
  currency: 'currency',
}

export function createBookingStore(database: Database, keyring: Keyring, onMove: OnMove = async () => undefined) {
  const sealAnswer = (answer: StoredAnswer) => ({
    answer_status: answer.status,
    answer_body: sealJson(keyring, ANSWER, answer.body),
  })

  async function record(tx: Tx, booking: Booking, event: BookingEvent): Promise<void> {
    await tx
      .insertInto('booking_events')
      .values({
        booking_id: booking.bookingId,
        sequence: event.sequence,
        from_state: event.from ?? null,
        to_state: event.to,
        at: event.at,
        reason: event.reason ?? null,
      })
      .execute()
    await onMove(tx, booking, event)
  }

  return {
    /** All of one account's, for whoever pages through them. */
    listing: (accountId: string) => ({
      dialect: database.dialect,
      query: database.read.selectFrom('bookings').selectAll().where('account_id', '=', accountId),
      columns: LISTED,
    }),
    fromRow: (row: BookingRow) => fromRow(row, keyring),

    /**
     * Writes the intent. False when the key or the offer already has a booking: of any number of racing requests one
     * gets true, whatever process it is in, because the database says so.
     */
    async create(booking: Booking, keys: NewBookingKeys, dueAt: number, leaseUntil: number): Promise<boolean> {
      return database.write(async (tx) => {
        const idempotencyKey = keptKey(keys.idempotencyKey)
        const row = toRow(booking, { ...keys, idempotencyKey }, keyring, dueAt, leaseUntil)
        const added = await tx
          .insertInto('bookings')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returning('booking_id')
          .executeTakeFirst()
        if (added === undefined) return false
        await record(tx, booking, {
          sequence: 1,
          from: undefined,
          to: booking.state,
          at: booking.createdAt,
          reason: undefined,
        })
        return true
      })
    },

    /** Compare-and-set with the event in the same transaction. Undefined: somebody else moved it first. */
    async move(bookingId: string, from: BookingState, to: BookingState, facts: MoveFacts): Promise<Moved | undefined> {
      if (!canMove(from, to)) throw new Error(`a booking cannot move from ${from} to ${to}`)
      return database.write(async (tx) => {
        const row = await tx
          .updateTable('bookings')
          .set({
            state: to,
            updated_at: facts.at,
            due_at: facts.dueAt,
            lease_until: facts.leaseUntil ?? 0,
            attempts: 0,
            events: sql<number>`events + 1`,
            ...(facts.vendorReference === undefined ? {} : { vendor_reference: facts.vendorReference }),
            ...(facts.cancelFeeMinor === undefined ? {} : { cancel_fee_minor: facts.cancelFeeMinor }),
            ...(facts.submittedAt === undefined ? {} : { submitted_at: facts.submittedAt }),
          })
          .where('booking_id', '=', bookingId)
          .where('state', '=', from)
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return undefined
        const booking = fromRow(row, keyring)
        await record(tx, booking, { sequence: row.events, from, to, at: facts.at, reason: facts.reason })
        const first = readAnswer(row, keyring)
        if (facts.answerOf === undefined || first !== undefined) return { booking, answer: first }
        const answer = facts.answerOf(booking, facts.reason)
        await tx.updateTable('bookings').set(sealAnswer(answer)).where('booking_id', '=', bookingId).execute()
        return { booking, answer }
      })
    },

    /** Keeps the first answer; when one is there already, that one is answered and nothing changes. */
    async keepAnswer(bookingId: string, answer: StoredAnswer): Promise<StoredAnswer> {
      return database.write(async (tx) => {
        await tx
          .updateTable('bookings')
          .set(sealAnswer(answer))
          .where('booking_id', '=', bookingId)
          .where('answer_status', 'is', null)
          .execute()
        const row = await tx
          .selectFrom('bookings')
          .select(['answer_status', 'answer_body'])
          .where('booking_id', '=', bookingId)
          .executeTakeFirstOrThrow()
        return readAnswer(row, keyring) ?? answer
      })
    },

    /** The booking made with this key, or of this offer. The key counts first. */
    async earlier(
      accountId: string,
      idempotencyKey: string,
      offerId: string,
      now: number,
    ): Promise<Earlier | undefined> {
      // Two looks, each at a unique index; asked as one `or`, the database reads all of the account's bookings.
      const mine = database.read.selectFrom('bookings').selectAll().where('account_id', '=', accountId)
      const kept = keptKey(idempotencyKey)
      const row =
        (await mine.where('idempotency_key', '=', kept).executeTakeFirst()) ??
        (await mine.where('offer_id', '=', offerId).executeTakeFirst())
      return (
        row && {
          booking: fromRow(row, keyring),
          fingerprint: row.fingerprint,
          idempotencyKey: row.idempotency_key === kept ? idempotencyKey : undefined,
          answer: readAnswer(row, keyring),
          leased: row.lease_until > now,
        }
      )
    },

    async get(accountId: string, bookingId: string): Promise<Booking | undefined> {
      if (!BOOKING_ID.test(bookingId)) return undefined
      const row = await database.read
        .selectFrom('bookings')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('booking_id', '=', bookingId)
        .executeTakeFirst()
      return row && fromRow(row, keyring)
    },

    /** For the operator, who owns all of them. */
    async any(bookingId: string): Promise<Booking | undefined> {
      const row = await database.read
        .selectFrom('bookings')
        .selectAll()
        .where('booking_id', '=', bookingId)
        .executeTakeFirst()
      return row && fromRow(row, keyring)
    },

    async recent(states: readonly BookingState[], most: number): Promise<Booking[]> {
      const rows = await database.read
        .selectFrom('bookings')
        .selectAll()
        .where('state', 'in', [...states])
        .orderBy('created_at', 'desc')
        .limit(most)
        .execute()
      return rows.map((row) => fromRow(row, keyring))
    },

    async events(bookingId: string): Promise<BookingEvent[]> {
      const rows = await database.read
        .selectFrom('booking_events')
        .selectAll()
        .where('booking_id', '=', bookingId)
        .orderBy('sequence')
        .execute()
      return rows.map(eventOf)
    },

    /**
     * Takes up to `most` due bookings for `leaseMs`. Of any number of processes one gets each; when that one dies,
     * the lease runs out and another does.
     */
    async claimDue(now: number, leaseMs: number, most: number): Promise<Booking[]> {
      return database.write(async (tx) => {
        let due = tx
          .selectFrom('bookings')
          .select('booking_id')
          .where('due_at', '<=', now)
          .where('lease_until', '<=', now)
          .orderBy('due_at')
          .limit(most)
        if (database.dialect === 'postgres') due = due.forUpdate().skipLocked()
        const ids = (await due.execute()).map((row) => row.booking_id)
        if (ids.length === 0) return []
        const rows = await tx
          .updateTable('bookings')
          .set({ lease_until: now + leaseMs, attempts: sql<number>`attempts + 1` })
          .where('booking_id', 'in', ids)
          .returningAll()
          .execute()
        return rows.map((row) => fromRow(row, keyring))
      })
    },

    /** Gives a claimed booking back, to be looked at again at `dueAt`. */
    async postpone(bookingId: string, dueAt: number): Promise<void> {
      await database.write(async (tx) => {
        await tx
          .updateTable('bookings')
          .set({ due_at: dueAt, lease_until: 0 })
          .where('booking_id', '=', bookingId)
          .where('due_at', 'is not', null)
          .execute()
      })
    },

    /** Says that the process at work on it is still alive. */
    async renewLease(bookingId: string, state: BookingState, leaseUntil: number): Promise<void> {
      await database.write(async (tx) => {
        await tx
          .updateTable('bookings')
          .set({ lease_until: leaseUntil })
          .where('booking_id', '=', bookingId)
          .where('state', '=', state)
          .execute()
      })
    },

    /** Counts by state, and since when the oldest doubt and the most overdue work last. */
    figures: (now: number): Promise<BookingFigures> => bookingFigures(database.read, now),
  }
}

function readAnswer(
  row: { answer_status: number | null; answer_body: string | null },
  keyring: Keyring,
): StoredAnswer | undefined {
  if (row.answer_status === null || row.answer_body === null) return undefined
  const body = openJson(keyring, ANSWER, row.answer_body)
  return typeof body === 'string' ? { status: row.answer_status, body } : undefined
}

const eventOf = (row: BookingEventRow): BookingEvent => ({
  sequence: row.sequence,
  from: (row.from_state ?? undefined) as BookingState | undefined,
  to: row.to_state as BookingState,
  at: row.at,
  reason: row.reason ?? undefined,
})
