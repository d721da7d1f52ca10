import { hash } from 'node:crypto'
import { currentOwner } from '../../accounts/store/guests.ts'
import type { By } from '../../domain/actor.ts'
import {
  type Booking,
  type BookingEvent,
  type BookingState,
  canMove,
  FIRST_STATE,
} from '../../domain/booking/booking.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { SECOND_MS } from '../../lib/time/durations.ts'
import type { Database, Tx } from '../../store/database.ts'
import { type ServerIdentity, serverIdentity } from '../../store/history.ts'
import { storeUnavailable } from '../../store/store-unavailable.ts'
import { replaceTask } from '../../store/tasks.ts'
import { bookingAmendments } from './amendments.ts'
import { readAnswer, type StoredAnswer, sealAnswer } from './answers.ts'
import { bookingNumbers } from './confirmation-numbers.ts'
import { bookingLeases } from './leases.ts'
import { applyMove, type BookingParts, type Moved, type MoveFacts, type OnMove, recordEvents } from './moves.ts'
import { bookingPayments } from './payment-news.ts'
import { addBooking, earlierBookings } from './prepared-queries.ts'
import { bookingQueries } from './queries.ts'
import { bookingReadings } from './readings.ts'
import { bookingReconciling } from './reconciling.ts'
import { bookingFromRow, type NewBookingKeys, toRow } from './rows.ts'
import { settleTask } from './schedule.ts'
import { bookingSending } from './sending.ts'
import { testClocks } from './test-clocks.ts'

export type BookingStore = ReturnType<typeof createBookingStore>

/** Result of an earlier request with the same key or offer. */
export type Earlier = {
  readonly booking: Booking
  readonly fingerprint: string
  /** The requested key, if the booking was made with it; of any other key only a hash is stored. */
  readonly idempotencyKey: string | undefined
  readonly answer: StoredAnswer | undefined
  /** True if a process is working on it. */
  readonly leased: boolean
}

/** Only a hash is stored: clients put names and tokens into their keys. */
const hashKey = (idempotencyKey: string) => hash('sha256', idempotencyKey)

export function createBookingStore(
  database: Database,
  keyring: Keyring,
  onMove: OnMove = async () => undefined,
  identity: ServerIdentity = serverIdentity(database),
) {
  const parts: BookingParts = { database, keyring, onMove }
  return {
    ...bookingQueries(database, keyring),
    ...bookingLeases(database, keyring),
    ...bookingReadings(parts),
    ...bookingAmendments(parts),
    ...bookingNumbers(parts),
    ...bookingPayments(parts),
    ...bookingSending(parts, identity),
    ...bookingReconciling(database),
    ...testClocks(database),

    /** Stores the booking and its first events. Unique keys let exactly one of several racing requests get true. */
    async create(booking: Booking, keys: NewBookingKeys, dueAt: number, leaseUntil: number, by: By): Promise<boolean> {
      const idempotencyKey = hashKey(keys.idempotencyKey)
      const history = firstEvents(booking, by)
      const row = toRow(booking, { ...keys, idempotencyKey }, keyring, history.length)
      return database.write(async (tx) => {
        const accountId = await currentOwner(tx, booking.accountId)
        const [added] = await addBooking(tx, { ...row, account_id: accountId })
        if (added === undefined) return false
        const since = booking.submittedAt ?? booking.createdAt
        await replaceTask(tx, settleTask(booking, { dueAt, leaseUntil, since }))
        await recordEvents(parts, tx, { ...booking, accountId }, ...history)
        return true
      })
    },

    /** Compare-and-set, with the event in the same transaction. Undefined if the booking has left `from`. */
    async move(bookingId: string, from: BookingState, to: BookingState, facts: MoveFacts): Promise<Moved | undefined> {
      if (!canMove(from, to)) throw new Error(`a booking cannot move from ${from} to ${to}`)
      return database.write((tx) => applyMove(parts, tx, { bookingId, from, to }, facts))
    },

    /** Stores the first answer. Returns the existing one if there is one. */
    keepAnswer: (bookingId: string, answer: StoredAnswer): Promise<StoredAnswer> =>
      database.write((tx) => keepAnswer(parts, tx, bookingId, answer)),

    /** The booking made with this key, or else from this offer, or else an open one of its lineage. */
    earlier: (
      accountId: string,
      idempotencyKey: string,
      offerId: string,
      now: number,
      lineage = offerId,
    ): Promise<Earlier | undefined> => readEarlier(parts, { accountId, idempotencyKey, offerId, lineage }, now),
  }
}

async function keepAnswer(
  { keyring }: BookingParts,
  tx: Tx,
  bookingId: string,
  answer: StoredAnswer,
): Promise<StoredAnswer> {
  await tx
    .updateTable('bookings')
    .set(sealAnswer(keyring, answer))
    .where('booking_id', '=', bookingId)
    .where((eb) => eb.or([eb('answer_status', 'is', null), eb('answer_status', '=', 202)]))
    .execute()
  const row = await tx
    .selectFrom('bookings')
    .select(['answer_status', 'answer_body'])
    .where('booking_id', '=', bookingId)
    // A failover has lost the booking since it was stored.
    .executeTakeFirstOrThrow(() => storeUnavailable(new Error('the booking is gone'), SECOND_MS))
  return readAnswer(row, keyring) ?? answer
}

type EarlierRequest = {
  readonly accountId: string
  readonly idempotencyKey: string
  readonly offerId: string
  readonly lineage: string
}

async function readEarlier({ database, keyring }: BookingParts, request: EarlierRequest, now: number) {
  const keyHash = hashKey(request.idempotencyKey)
  const rows = await earlierBookings(database.read, { ...request, idempotencyKey: keyHash })
  const row = rows.find((candidate) => candidate.idempotency_key === keyHash) ?? rows[0]
  if (row === undefined) return undefined
  return {
    booking: bookingFromRow(row, keyring),
    fingerprint: row.fingerprint,
    idempotencyKey: row.idempotency_key === keyHash ? request.idempotencyKey : undefined,
    answer: readAnswer(row, keyring),
    leased: (row.lease_until ?? 0) > now,
  }
}

function firstEvents({ state, createdAt, submittedAt = createdAt }: Booking, by: By): BookingEvent[] {
  const intent: BookingEvent = { sequence: 1, from: undefined, to: FIRST_STATE, at: createdAt, reason: undefined, by }
  if (state === FIRST_STATE) return [intent]
  return [intent, { sequence: 2, from: FIRST_STATE, to: state, at: submittedAt, reason: undefined, by }]
}
