import { hash } from 'node:crypto'
import { type Booking, type BookingEvent, type BookingState, canMove, FIRST_STATE } from '../domain/booking.ts'
import type { Keyring } from '../lib/keyring.ts'
import { openJson, openText, sealText } from '../lib/seal.ts'
import { bookingLeases } from './booking-leases.ts'
import { bookingReads } from './booking-reads.ts'
import { fromRow, type NewBookingKeys, toRow } from './booking-rows.ts'
import { bookingStatements } from './booking-statements.ts'
import type { Database, Tx } from './database.ts'
import type { BookingRow } from './tables.ts'

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
  /** When it is due again; null when nothing is. */
  readonly dueAt: number | null
  readonly leaseUntil?: number
  /** The first answer, if this move decides it and none was given before. */
  readonly answerOf?: (booking: Booking, reason: string | undefined) => StoredAnswer
  /** The booking as it stands in `from`, where nobody else can have brought it there: it need not be read again. */
  readonly known?: Booking
}

/** A booking after its move, and the first answer to its request where one has been decided. */
export type Moved = { readonly booking: Booking; readonly answer: StoredAnswer | undefined }

/** Told of every change of state inside its transaction; webhooks are put in line there. */
export type OnMove = (tx: Tx, booking: Booking, event: BookingEvent) => Promise<void>

const ANSWER = 'ans2'
/** How answers were kept at first: as a JSON string. */
const ANSWER_BEFORE = 'ans1'

/** Only a hash is kept: clients put anything into their keys, names and tokens included. */
const keptKey = (idempotencyKey: string) => hash('sha256', idempotencyKey)

export function createBookingStore(database: Database, keyring: Keyring, onMove: OnMove = async () => undefined) {
  const statements = bookingStatements()
  const sealAnswer = (answer: StoredAnswer) => ({
    answer_status: answer.status,
    answer_body: sealText(keyring, ANSWER, answer.body),
  })

  async function record(tx: Tx, booking: Booking, event: BookingEvent): Promise<void> {
    await statements.addEvent(tx, {
      booking_id: booking.bookingId,
      sequence: event.sequence,
      from_state: event.from ?? null,
      to_state: event.to,
      at: event.at,
      reason: event.reason ?? null,
    })
    await onMove(tx, booking, event)
  }

  /** Nobody else can move it until the transaction ends. */
  async function readToMove(tx: Tx, bookingId: string, state: BookingState): Promise<Booking | undefined> {
    const query = tx.selectFrom('bookings').selectAll().where('booking_id', '=', bookingId).where('state', '=', state)
    const row = await (database.dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
    return row && fromRow(row, keyring)
  }

  return {
    ...bookingReads(database, keyring),
    ...bookingLeases(database, keyring),

    /**
     * Writes the intent, and with it that it is being submitted, where it is. False when the key or the offer already has a
     * booking: of any number of racing requests one gets true, whatever process it is in, because the database says so.
     */
    async create(booking: Booking, keys: NewBookingKeys, dueAt: number, leaseUntil: number): Promise<boolean> {
      const idempotencyKey = keptKey(keys.idempotencyKey)
      const history = beginningOf(booking)
      const row = toRow(booking, { ...keys, idempotencyKey }, keyring, { dueAt, leaseUntil, events: history.length })
      return database.write(async (tx) => {
        const [added] = await statements.add(tx, row)
        if (added === undefined) return false
        for (const event of history) await record(tx, booking, event)
        return true
      })
    },

    /** Compare-and-set with the event in the same transaction. Undefined: somebody else moved it first. */
    async move(bookingId: string, from: BookingState, to: BookingState, facts: MoveFacts): Promise<Moved | undefined> {
      if (!canMove(from, to)) throw new Error(`a booking cannot move from ${from} to ${to}`)
      return database.write(async (tx) => {
        const before = facts.known ?? (await readToMove(tx, bookingId, from))
        if (before === undefined) return undefined
        const booking = movedBooking(before, to, facts)
        const answer = facts.answerOf?.(booking, facts.reason)
        const sealed = answer && sealAnswer(answer)
        const [row] = await statements.move(tx, {
          bookingId,
          from,
          to,
          at: facts.at,
          dueAt: facts.dueAt,
          leaseUntil: facts.leaseUntil ?? 0,
          vendorReference: facts.vendorReference ?? null,
          cancelFeeMinor: facts.cancelFeeMinor ?? null,
          answerStatus: sealed?.answer_status ?? null,
          answerBody: sealed?.answer_body ?? null,
        })
        if (row === undefined) return undefined
        await record(tx, booking, { sequence: row.events, from, to, at: facts.at, reason: facts.reason })
        const isFirst = sealed !== undefined && row.answer_body === sealed.answer_body
        return { booking, answer: isFirst ? answer : readAnswer(row, keyring) }
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
      const kept = keptKey(idempotencyKey)
      const rows = await statements.earlier(database.read, { accountId, idempotencyKey: kept, offerId })
      const row = rows.find((one) => one.idempotency_key === kept) ?? rows[0]
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
  }
}

function beginningOf({ state, createdAt, submittedAt = createdAt }: Booking): BookingEvent[] {
  const intent: BookingEvent = { sequence: 1, from: undefined, to: FIRST_STATE, at: createdAt, reason: undefined }
  if (state === FIRST_STATE) return [intent]
  return [intent, { sequence: 2, from: FIRST_STATE, to: state, at: submittedAt, reason: undefined }]
}

/** As the row will read once it has moved. */
function movedBooking(before: Booking, to: BookingState, facts: MoveFacts): Booking {
  const { currency } = before.price.total
  const { cancelFeeMinor } = facts
  return {
    ...before,
    state: to,
    updatedAt: facts.at,
    attempts: 0,
    vendorReference: facts.vendorReference ?? before.vendorReference,
    cancelFee: cancelFeeMinor === undefined ? before.cancelFee : { minor: cancelFeeMinor, currency },
  }
}

function readAnswer(
  row: Pick<BookingRow, 'answer_status' | 'answer_body'>,
  keyring: Keyring,
): StoredAnswer | undefined {
  if (row.answer_status === null || row.answer_body === null) return undefined
  const body = openText(keyring, ANSWER, row.answer_body) ?? openJson(keyring, ANSWER_BEFORE, row.answer_body)
  return typeof body === 'string' ? { status: row.answer_status, body } : undefined
}
