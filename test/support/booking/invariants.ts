import { type Booking, type BookingEvent, canMove, SETTLED_STATES } from '../../../src/domain/booking.ts'
import type { History, Told } from './world.ts'

/** What may never be, by name. */
export type Violation = {
  readonly name:
    | 'double'
    | 'lost'
    | 'orphan'
    | 'phantom'
    | 'stuck'
    | 'replay_differs'
    | 'mixed_up'
    | 'untrue'
    | 'overbooked'
    | 'illegal_history'
    | 'bug'
  readonly words: string
}

type Row = { readonly booking: Booking; readonly intent: string; readonly offer: string }

/** Holds our books against the vendor's. Empty when they agree. */
export async function violationsOf(history: History): Promise<Violation[]> {
  const rows = await rowsOf(history)
  return [
    ...doubles(history, rows),
    ...rows.flatMap((row) => atOdds(history, row)),
    ...unsettled(history, rows),
    ...replays(history.told),
    ...untruths(history, rows),
    ...(await histories(history, rows)),
    ...history.bugs.map((error): Violation => ({ name: 'bug', words: String((error as Error)?.stack ?? error) })),
  ]
}

async function rowsOf({ database, store }: History): Promise<Row[]> {
  const keys = await database.read
    .selectFrom('bookings')
    .select(['booking_id', 'account_id', 'idempotency_key', 'offer_id'])
    .execute()
  const rows: Row[] = []
  for (const key of keys) {
    const booking = await store.any(key.booking_id)
    if (booking !== undefined)
      rows.push({ booking, intent: `${key.account_id} ${key.idempotency_key}`, offer: key.offer_id })
  }
  return rows
}

/** At most one vendor booking for one key, one offer, one reference; and none that we know nothing of. */
function doubles({ vendor }: History, rows: Row[]): Violation[] {
  const found: Violation[] = []
  const seen = new Set<string>()
  for (const entry of vendor.ledger.filter(({ kind }) => kind === 'booked')) {
    const row = rows.find(({ booking }) => booking.reference === entry.reference)
    if (row === undefined) {
      found.push({ name: 'orphan', words: `the vendor booked ${entry.reference}, which no row knows` })
      continue
    }
    for (const mark of [row.intent, row.offer, entry.reference]) {
      if (seen.has(mark)) found.push({ name: 'double', words: `${mark} was booked twice` })
      seen.add(mark)
    }
  }
  return found
}

function atOdds({ vendor }: History, { booking }: Row): Violation[] {
  const theirs = vendor.kept.filter(({ reference }) => reference === booking.reference)
  const active = theirs.filter(vendor.isActive).length
  const words = `${booking.bookingId} is ${booking.state} here; the vendor has ${active} of it`
  if (booking.state === 'rejected' && active > 0) return [{ name: 'lost', words }]
  if (booking.state === 'cancelled' && active > 0) return [{ name: 'overbooked', words }]
  if (booking.state === 'confirmed' && active === 0) return [{ name: 'phantom', words }]
  return []
}

function unsettled({ restless }: History, rows: Row[]): Violation[] {
  const open = rows.filter(({ booking }) => !SETTLED_STATES.includes(booking.state))
  const found = open.map(({ booking }): Violation => {
    return { name: 'stuck', words: `${booking.bookingId} is still ${booking.state}` }
  })
  return restless && found.length === 0 ? [{ name: 'stuck', words: 'the world does not come to rest' }] : found
}

/** One key has one answer, and only one body ever gets it. */
function replays(told: readonly Told[]): Violation[] {
  const found: Violation[] = []
  const firsts = new Map<string, Told>()
  for (const one of told) {
    if (one.outcome.kind !== 'answer') continue
    const key = `${one.accountId} ${one.key}`
    const first = firsts.get(key)
    if (first === undefined || first.outcome.kind !== 'answer') {
      firsts.set(key, one)
      continue
    }
    if (first.body !== one.body) found.push({ name: 'mixed_up', words: `${key} answered two different bodies` })
    else if (first.outcome.status !== one.outcome.status || first.outcome.body !== one.outcome.body) {
      const words = `${key}: ${first.outcome.status} ${first.outcome.body}\n  then ${one.outcome.status} ${one.outcome.body}`
      found.push({ name: 'replay_differs', words })
    }
  }
  return found
}

const AFTER: Record<number, readonly string[]> = {
  201: ['confirmed', 'cancelling', 'cancelled', 'needs_review'],
  409: ['rejected'],
}

/** What a client was told for good is so, and stays so. */
function untruths({ told, cancels }: History, rows: Row[]): Violation[] {
  const found: Violation[] = []
  const stateOf = (id: string) => rows.find(({ booking }) => booking.bookingId === id)?.booking.state ?? 'gone'
  for (const { outcome } of told) {
    if (outcome.kind !== 'answer') continue
    const state = stateOf(outcome.bookingId)
    if (state === 'gone' || AFTER[outcome.status]?.includes(state) === false)
      found.push({ name: 'untrue', words: `a client was told ${outcome.status}, and ${outcome.bookingId} is ${state}` })
  }
  for (const { bookingId, state } of cancels) {
    if (state === 'cancelled' && stateOf(bookingId) !== 'cancelled')
      found.push({ name: 'untrue', words: `a client was told that ${bookingId} is cancelled; it is not` })
  }
  return found
}

/** Every event follows from the one before, none is missing, and the last says where the booking stands. */
async function histories({ store }: History, rows: Row[]): Promise<Violation[]> {
  const found: Violation[] = []
  for (const { booking } of rows) {
    const events = await store.events(booking.bookingId)
    if (!isLegal(events) || events.at(-1)?.to !== booking.state) {
      const words = events.map(({ sequence, to }) => `${sequence} ${to}`).join(', ')
      found.push({ name: 'illegal_history', words: `${booking.bookingId} is ${booking.state} after ${words}` })
    }
  }
  return found
}

const isLegal = (events: readonly BookingEvent[]) =>
  events.every(({ sequence, from, to }, at) => {
    if (sequence !== at + 1) return false
    if (at === 0) return from === undefined && to === 'pending'
    return from === events[at - 1]?.to && from !== undefined && canMove(from, to)
  })
