import { sql } from 'kysely'
import { type Booking, READ_STATES, type RoomState, roomsAfter, timeOf } from '../../domain/booking/booking.ts'
import { type Comparison, compareDiscrepancies } from '../../domain/booking/discrepancy.ts'
import type { Receipt } from '../../domain/booking/receipt.ts'
import type { Money } from '../../domain/money/money.ts'
import { openJson, sealJson } from '../../lib/crypto/seal.ts'
import type { Tx } from '../../store/database.ts'
import type { BookingReadingRow, BookingRow } from '../../store/tables/bookings.ts'
import { type BookingParts, type MoveFacts, moveIn, NOTHING_COMPARED, recordComparison } from './moves.ts'
import { fromRow, moneyText, readingDueAt } from './rows.ts'
import { type Quota, takeTurns } from './vendor-turns.ts'

export const SAID = 'red1'
const STATES = [...READ_STATES]

/** A booking that this process is to read at its vendor, until the lease runs out. */
export type ReadingClaim = {
  readonly booking: Booking
  /** Together they prove that nobody else has taken it over or asked for another reading. */
  readonly leaseUntil: number
  readonly dueAt: number
  /** How often in a row the vendor could not be asked. */
  readonly failures: number
  /** Since when the vendor has not known it, in the booking's time. */
  readonly absentSince: number | undefined
}

/** What a reading has found. */
export type ReadingFacts = {
  readonly at: number
  readonly outcome: BookingReadingRow['outcome']
  /** The vendor's version, kept with the booking's. */
  readonly said?: Receipt
  readonly compared?: Comparison
  readonly rooms?: readonly RoomState[]
  readonly vendorTotal?: Money
  readonly absentSince?: number
  /** When to look again, where the schedule is not what counts. */
  readonly dueAt?: number
  /** Where it brings the booking, if not to stay. */
  readonly move?: Pick<MoveFacts, 'by' | 'vendorReference' | 'cancelFeeMinor' | 'answerOf'> & {
    readonly to: 'confirmed' | 'cancelled' | 'needs_review'
    readonly reason: string
  }
}

/** One look at a booking, as it is kept. */
export type BookingReading = {
  readonly at: number
  readonly outcome: ReadingFacts['outcome']
  readonly said: Receipt | undefined
}

/** Of each vendor. `busy`: how many of each the caller is reading already. */
type ReadingQuota = Quota & { readonly busy?: ReadonlyMap<string, number> }

/** Reading bookings again at their vendors: which are due, who does it, and what was found. */
export const bookingReadings = (parts: BookingParts) => ({ ...takingReadings(parts), ...promptedReadings(parts) })

function takingReadings(parts: BookingParts) {
  const { database } = parts
  return {
    /**
     * Takes bookings that are due, as many as each vendor's quota leaves. All processes share the quota, and of any number
     * of them one gets each booking; when it dies, another does once the lease has run out. Simulated ones have no quota.
     */
    async claimReadings(now: number, leaseMs: number, quota: ReadingQuota): Promise<ReadingClaim[]> {
      const due = await database.read
        .selectFrom('bookings')
        .select(['vendor_id', 'simulated'])
        .distinct()
        .where('reading_due_at', '<=', now)
        .where('state', 'in', STATES)
        .execute()
      const claims: ReadingClaim[] = []
      for (const { vendor_id, simulated } of due) {
        const wanted = { vendorId: vendor_id, simulated, now, leaseUntil: now + leaseMs }
        const most = quota.most - (quota.busy?.get(vendor_id) ?? 0)
        if (most > 0) claims.push(...(await database.write((tx) => claim(parts, tx, wanted, { ...quota, most }))))
      }
      return claims
    },

    /** Undefined when the booking has changed meanwhile or somebody else has taken the reading over: then nothing is recorded. */
    finishReading: (held: ReadingClaim, facts: ReadingFacts): Promise<Booking | undefined> =>
      database.write((tx) => finish(parts, tx, held, facts)),

    /** Releases a failed reading, to be tried again at `dueAt`, or at once if another one was requested meanwhile. */
    async postponeReading(held: ReadingClaim, dueAt: number | null): Promise<void> {
      await database.write((tx) =>
        tx
          .updateTable('bookings')
          .set((eb) => ({
            reading_due_at: eb
              .case()
              .when('reading_due_at', '=', held.dueAt)
              .then(dueAt)
              .else(eb.ref('reading_due_at'))
              .end(),
            reading_lease_until: null,
            reading_failures: held.failures + 1,
          }))
          .where('booking_id', '=', held.booking.bookingId)
          .where('reading_lease_until', '=', held.leaseUntil)
          .execute(),
      )
    },

    /** Plans the readings of bookings that an earlier version has confirmed. Returns how many. */
    planReadings: (now: number, most: number): Promise<number> => plan(parts, now, most),
  }
}

function promptedReadings({ database, keyring }: BookingParts) {
  return {
    /**
     * Makes bookings due for reading, because their vendor has reported a change. Returns how many there are; bookings whose persons
     * are erased are not read.
     */
    async promptReadings(vendorId: string, references: readonly string[], now: number): Promise<number> {
      if (references.length === 0) return 0
      const changed = await database.write((tx) =>
        tx
          .updateTable('bookings')
          .set({ reading_due_at: now })
          .where('vendor_id', '=', vendorId)
          .where('reference', 'in', [...references])
          .where('state', 'in', STATES)
          .where('persons_erased_at', 'is', null)
          .returning('booking_id')
          .execute(),
      )
      return changed.length
    },

    /** The confirmed ones among the bookings with these references of ours. */
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
        said: said === null ? undefined : openJson<Receipt>(keyring, SAID, said),
      }))
    },
  }
}

type Wanted = {
  readonly vendorId: string
  readonly simulated: number
  readonly now: number
  readonly leaseUntil: number
}

async function claim({ keyring }: BookingParts, tx: Tx, wanted: Wanted, quota: Quota): Promise<ReadingClaim[]> {
  const { vendorId, simulated, now, leaseUntil } = wanted
  const turns = simulated === 1 ? undefined : await takeTurns(tx, vendorId, now, quota)
  const rows = await tx
    .selectFrom('bookings')
    .selectAll()
    .where('reading_due_at', '<=', now)
    .where((eb) => eb.or([eb('reading_lease_until', 'is', null), eb('reading_lease_until', '<=', now)]))
    .where('state', 'in', STATES)
    .where('vendor_id', '=', vendorId)
    .where('simulated', '=', simulated)
    .orderBy('reading_due_at')
    .limit(turns?.free ?? quota.most)
    .forUpdate()
    .skipLocked()
    .execute()
  if (rows.length === 0) return []
  await turns?.use(rows.length)
  await tx
    .updateTable('bookings')
    .set({ reading_lease_until: leaseUntil })
    .where(
      'booking_id',
      'in',
      rows.map((row) => row.booking_id),
    )
    .execute()
  return rows.map((row) => ({
    booking: fromRow(row, keyring),
    leaseUntil,
    dueAt: row.reading_due_at ?? 0,
    failures: row.reading_failures ?? 0,
    absentSince: row.absent_since ?? undefined,
  }))
}

async function finish(
  parts: BookingParts,
  tx: Tx,
  held: ReadingClaim,
  facts: ReadingFacts,
): Promise<Booking | undefined> {
  const { bookingId, state } = held.booking
  const row = await tx
    .selectFrom('bookings')
    .selectAll()
    .where('booking_id', '=', bookingId)
    .where('state', '=', state)
    .where('reading_lease_until', '=', held.leaseUntil)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const before = fromRow(row, parts.keyring)
  await keepReading(parts, tx, before, facts)
  const after =
    facts.move === undefined ? await stay(parts, tx, row, before, facts) : await move(parts, tx, before, facts)
  await tx
    .updateTable('bookings')
    .set({
      readings: (row.readings ?? 0) + 1,
      // Somebody has asked for another reading meanwhile, of what may have changed after this one.
      ...(row.reading_due_at !== held.dueAt && { reading_due_at: row.reading_due_at }),
    })
    .where('booking_id', '=', bookingId)
    .execute()
  return after
}

async function keepReading({ keyring }: BookingParts, tx: Tx, booking: Booking, facts: ReadingFacts): Promise<void> {
  const { at, outcome, said } = facts
  await tx
    .insertInto('booking_readings')
    .values({
      booking_id: booking.bookingId,
      at: timeOf(at, booking),
      outcome,
      said: said === undefined ? null : sealJson(keyring, SAID, said),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function move(parts: BookingParts, tx: Tx, before: Booking, facts: ReadingFacts): Promise<Booking | undefined> {
  if (facts.move === undefined) return before
  const { at, compared, rooms, vendorTotal } = facts
  const { to, ...more } = facts.move
  const step = { bookingId: before.bookingId, from: before.state, to }
  const known = { at, dueAt: null, known: before, ...more }
  const moved = await moveIn(parts, tx, step, {
    ...known,
    ...(compared && { compared }),
    ...(rooms && { rooms }),
    ...(vendorTotal && { vendorTotal }),
  })
  return moved?.booking
}

async function stay(parts: BookingParts, tx: Tx, row: BookingRow, before: Booking, facts: ReadingFacts) {
  const { at, compared = NOTHING_COMPARED } = facts
  const { all } = compareDiscrepancies(before.discrepancies ?? [], compared, timeOf(at, before))
  const { rooms: _, ...kept } = before
  const rooms = roomsAfter(before, before.state, facts.rooms)
  const booking = { ...kept, updatedAt: at, ...(all.length > 0 && { discrepancies: all }), ...(rooms && { rooms }) }
  await tx
    .updateTable('bookings')
    .set({
      reading_due_at: facts.dueAt ?? readingDueAt(before, at),
      reading_lease_until: null,
      reading_failures: null,
      absent_since: facts.absentSince ?? null,
      rooms: rooms?.join(' ') ?? null,
      ...(facts.vendorTotal && row.vendor_total === null && { vendor_total: moneyText(facts.vendorTotal) }),
    })
    .where('booking_id', '=', before.bookingId)
    .execute()
  await recordComparison(parts, tx, { before, booking, last: row.events }, facts)
  return booking
}

async function plan({ database, keyring }: BookingParts, now: number, most: number): Promise<number> {
  const rows = await database.read
    .selectFrom('bookings')
    .selectAll()
    .where('state', '=', 'confirmed')
    .where('confirmed_at', 'is', null)
    .limit(most)
    .execute()
  for (const row of rows) {
    const booking = { ...fromRow(row, keyring), confirmedAt: row.updated_at }
    await database.write((tx) =>
      tx
        .updateTable('bookings')
        .set({ confirmed_at: booking.confirmedAt, reading_due_at: readingDueAt(booking, now) })
        .where('booking_id', '=', booking.bookingId)
        .where('confirmed_at', 'is', null)
        .where('state', '=', sql.lit('confirmed'))
        .execute(),
    )
  }
  return rows.length
}
