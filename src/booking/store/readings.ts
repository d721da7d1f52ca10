import {
  type Booking,
  bookingTime,
  READ_STATES,
  type RoomState,
  roomStatesAfter,
} from '../../domain/booking/booking.ts'
import { type Comparison, compareDiscrepancies } from '../../domain/booking/discrepancy.ts'
import type { Receipt } from '../../domain/booking/receipt.ts'
import type { Money } from '../../domain/money/money.ts'
import { openJson, sealJson } from '../../lib/crypto/seal.ts'
import type { Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import {
  claimTasks,
  dueKeys,
  endLease,
  finishTask,
  lockTask,
  postponeTask,
  putTask,
  type Task,
  type TaskClaim,
} from '../../store/tasks.ts'
import {
  applyMove,
  type BookingParts,
  discrepancyEvents,
  EMPTY_COMPARISON,
  type MoveFacts,
  type PresentAnswer,
  recordEvents,
} from './moves.ts'
import { bookingFromRow, changingColumns, readBookings, readingDueAt } from './rows.ts'
import { isTestKey, readingTask } from './schedule.ts'
import { type Quota, takeTurns } from './vendor-turns.ts'

export const READING_SEAL = 'red1'
const STATES = [...READ_STATES]

/** A booking that this process reads at its vendor until the lease expires. */
export type ReadingClaim = {
  readonly booking: Booking
  readonly task: Task
  /** Consecutive failures to ask the vendor. */
  readonly failures: number
  /** First time at which the vendor did not know it, in the booking's time. */
  readonly absentSince: number | undefined
}

export type ReadingFacts = {
  readonly at: number
  readonly outcome: Tables['booking_readings']['outcome']
  /** The vendor's version of the booking. */
  readonly said?: Receipt
  readonly compared?: Comparison
  readonly rooms?: readonly RoomState[]
  readonly vendorTotal?: Money
  readonly absentSince?: number
  /** Time of the next reading, if not by the schedule. */
  readonly dueAt?: number
  /** Transition of the booking, if the reading causes one. */
  readonly move?: Pick<MoveFacts, 'by' | 'vendorReference' | 'cancelFeeMinor'> & {
    readonly presentAnswer?: PresentAnswer
    readonly to: 'confirmed' | 'cancelled' | 'needs_review'
    readonly reason: string
  }
}

export type BookingReading = {
  readonly at: number
  readonly outcome: ReadingFacts['outcome']
  readonly said: Receipt | undefined
}

/** Per vendor. `busy` lists the keys of readings in progress. */
type ReadingQuota = Quota & { readonly busy?: readonly string[] }

export const bookingReadings = (parts: BookingParts) => ({ ...takingReadings(parts), ...promptedReadings(parts) })

function takingReadings(parts: BookingParts) {
  const { database } = parts
  return {
    /** Claims due readings within each vendor's quota, which all processes share. Simulated bookings have none. */
    async claimReadings(now: number, leaseMs: number, { busy = [], ...quota }: ReadingQuota): Promise<ReadingClaim[]> {
      const claims: ReadingClaim[] = []
      for (const key of await dueKeys(database.read, 'read', now)) {
        const most = quota.most - busy.filter((other) => other === key).length
        const claim = { kind: 'read', now, leaseMs, keys: [key] } as const
        if (most > 0) claims.push(...(await database.write((tx) => claimKey(parts, tx, claim, { ...quota, most }))))
      }
      return claims
    },

    /** Records nothing and returns undefined if the booking has changed or another process has taken over. */
    finishReading: (held: ReadingClaim, facts: ReadingFacts): Promise<Booking | undefined> =>
      database.write((tx) => recordReading(parts, tx, held, facts)),

    /** Releases a failed reading until `dueAt`, or at once if another was requested meanwhile. */
    postponeReading: ({ task }: ReadingClaim, dueAt: number | null): Promise<boolean> =>
      database.write((tx) => (dueAt === null ? finishTask(tx, task) : postponeTask(tx, task, dueAt, { failed: true }))),

    /** Delays readings while guests are changed at the vendor, and repeats one in progress. `amend` ends the delay. */
    holdReading: (bookingId: string, until: number): Promise<void> =>
      database.write((tx) => endLease(tx, { kind: 'read', subject: bookingId }, until)),
  }
}

function promptedReadings({ database, keyring }: BookingParts) {
  return {
    /** Makes bookings due after their vendor reported a change; returns how many. Skips erased ones. */
    async promptReadings(vendorId: string, references: readonly string[], now: number): Promise<number> {
      if (references.length === 0) return 0
      return database.write(async (tx) => {
        const rows = await tx
          .selectFrom('bookings')
          .selectAll()
          .where('vendor_id', '=', vendorId)
          .where('reference', 'in', [...references])
          .where('state', 'in', STATES)
          .where('persons_erased_at', 'is', null)
          .orderBy('booking_id')
          .forUpdate()
          .execute()
        for (const row of rows) await putTask(tx, readingTask(bookingFromRow(row, keyring), now))
        return rows.length
      })
    },

    /** Those of our references that belong to confirmed bookings. */
    async confirmedAmong(vendorId: string, references: readonly string[]): Promise<string[]> {
      if (references.length === 0) return []
      const rows = await database.read
        .selectFrom('bookings')
        .select('reference')
        .where('vendor_id', '=', vendorId)
        .where('reference', 'in', [...references])
        .where('state', '=', 'confirmed')
        .execute()
      return rows.map(({ reference }) => reference)
    },

    async readings(bookingId: string): Promise<BookingReading[]> {
      const rows = await database.read
        .selectFrom('booking_readings')
        .selectAll()
        .where('booking_id', '=', bookingId)
        .orderBy('at')
        .execute()
      return rows.map(({ at, outcome, said }) => ({
        at,
        outcome,
        said: said === null ? undefined : openJson<Receipt>(keyring, READING_SEAL, said),
      }))
    },
  }
}

async function claimKey(
  { keyring }: BookingParts,
  tx: Tx,
  claim: TaskClaim & { readonly keys: readonly [string] },
  quota: Quota,
): Promise<ReadingClaim[]> {
  const [key] = claim.keys
  const turns = isTestKey(key) ? undefined : await takeTurns(tx, key, claim.now, quota)
  const most = turns?.free ?? quota.most
  const claimed = most <= 0 ? [] : await readBookings(tx, keyring, await claimTasks(tx, { ...claim, most }))
  if (claimed.length > 0) await turns?.use(claimed.length)
  return claimed.map(({ task, booking }) => ({
    task,
    booking,
    failures: task.failures,
    absentSince: task.payload === null ? undefined : Number(task.payload),
  }))
}

async function recordReading(
  parts: BookingParts,
  tx: Tx,
  { booking, task }: ReadingClaim,
  facts: ReadingFacts,
): Promise<Booking | undefined> {
  const { bookingId, state } = booking
  const row = await tx
    .selectFrom('bookings')
    .selectAll()
    .where('booking_id', '=', bookingId)
    .where('state', '=', state)
    .forUpdate()
    .executeTakeFirst()
  const held = row && (await lockTask(tx, task))
  if (row === undefined || held === undefined) return undefined
  const before = bookingFromRow(row, parts.keyring)
  await keepReading(parts, tx, before, facts)
  if (facts.move === undefined) return keepState(parts, tx, task, before, facts)
  const after = await changeState(parts, tx, before, facts)
  // Another reading was requested during this one.
  if (held.againAt !== undefined && after !== undefined && READ_STATES.includes(after.state))
    await putTask(tx, readingTask(after, held.againAt))
  return after
}

async function keepReading({ keyring }: BookingParts, tx: Tx, booking: Booking, facts: ReadingFacts): Promise<void> {
  const { at, outcome, said } = facts
  await tx
    .insertInto('booking_readings')
    .values({
      booking_id: booking.bookingId,
      at: bookingTime(at, booking),
      outcome,
      said: said === undefined ? null : sealJson(keyring, READING_SEAL, said),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function changeState(
  parts: BookingParts,
  tx: Tx,
  before: Booking,
  facts: ReadingFacts,
): Promise<Booking | undefined> {
  if (facts.move === undefined) return before
  const { at, compared, rooms, vendorTotal } = facts
  const { to, ...more } = facts.move
  const step = { bookingId: before.bookingId, from: before.state, to }
  const known = { at, dueAt: null, known: before, ...more }
  const moved = await applyMove(parts, tx, step, {
    ...known,
    ...(compared && { compared }),
    ...(rooms && { rooms }),
    ...(vendorTotal && { vendorTotal }),
  })
  return moved?.booking
}

async function keepState(parts: BookingParts, tx: Tx, task: Task, before: Booking, facts: ReadingFacts) {
  const { at, compared = EMPTY_COMPARISON } = facts
  const { all, fresh } = compareDiscrepancies(before.discrepancies ?? [], compared, bookingTime(at, before))
  const { rooms: _, ...kept } = before
  const rooms = roomStatesAfter(before, before.state, facts.rooms)
  const vendorTotal = before.vendorTotal ?? facts.vendorTotal
  const booking: Booking = {
    ...kept,
    ...(JSON.stringify(all) !== JSON.stringify(before.discrepancies ?? []) && { updatedAt: at, discrepancies: all }),
    ...(rooms && { rooms }),
    ...(vendorTotal && { vendorTotal }),
  }
  const { events } = await tx
    .updateTable('bookings')
    .set((eb) => ({ ...changingColumns(booking), events: eb('events', '+', fresh.length) }))
    .where('booking_id', '=', before.bookingId)
    .returning('events')
    .executeTakeFirstOrThrow()
  const next = facts.dueAt ?? readingDueAt(before, at)
  const payload = facts.absentSince === undefined ? null : String(facts.absentSince)
  await (next === null ? finishTask(tx, task) : postponeTask(tx, task, next, { payload }))
  await recordEvents(parts, tx, booking, ...discrepancyEvents(booking, fresh, events - fresh.length, at))
  return booking
}
