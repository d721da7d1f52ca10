import { type BookingEvent, canMove, SETTLED_STATES } from '../../src/domain/booking/booking.ts'
import { findBudgetViolations } from './budget-invariants.ts'
import type { History, Reply } from './history.ts'
import { findPaymentViolations } from './payments/payment-invariants.ts'
import { findReadingViolations } from './reading-invariants.ts'
import { findUnreportedDifferences, findWorseTermsSold } from './terms-invariants.ts'
import type { Row, Violation } from './violation.ts'

/** Compares our bookings with the vendor's. Returns an empty list if all invariants hold. */
export async function findViolations(history: History): Promise<Violation[]> {
  const rows = await readRows(history)
  const { lostAt = Number.NEGATIVE_INFINITY } = history
  // Earlier answers may be about bookings that were lost.
  const replies = history.replies.filter(({ askedAt }) => askedAt >= lostAt)
  return [
    ...findDuplicates(history, rows),
    ...rows.flatMap((row) => findDifferences(history, row)),
    // An adopted booking has the terms of its offer, because those of the price check are lost too.
    ...(history.lostAt === undefined ? findWorseTermsSold(history, rows) : []),
    // Vendors' changes do not concern the payment.
    ...(history.cards === undefined ? findUnreportedDifferences(history, rows) : []),
    ...(history.cards === undefined ? findReadingViolations(history, rows) : []),
    ...findUnsettled(history, rows),
    ...findChangedReplays(replies, rows),
    ...findUntrueReplies({ ...history, replies }, rows),
    ...(await findIllegalHistories(history, rows)),
    ...(await findBudgetViolations(history, rows)),
    ...(await findPaymentViolations(history, rows)),
    ...history.bugs.map((error): Violation => ({ name: 'bug', message: String((error as Error)?.stack ?? error) })),
  ]
}

async function readRows({ database, store }: History): Promise<Row[]> {
  const keys = await database.read
    .selectFrom('bookings')
    .select(['booking_id', 'account_id', 'idempotency_key', 'offer_id', 'fingerprint', 'reference'])
    .execute()
  const rows: Row[] = []
  for (const key of keys) {
    const booking = await store.any(key.booking_id)
    const { account_id, idempotency_key, offer_id: offer, fingerprint, reference } = key
    // As stored: a reference that was freed belongs to the next attempt.
    if (booking !== undefined)
      rows.push({ booking: { ...booking, reference }, intent: `${account_id} ${idempotency_key}`, offer, fingerprint })
  }
  return rows
}

/** At most one vendor booking per key, offer and reference, and none that is unknown to us. */
function findDuplicates({ vendor, lostAt }: History, rows: Row[]): Violation[] {
  const found: Violation[] = []
  const seen = new Set<string>()
  for (const entry of vendor.ledger.filter(({ kind }) => kind === 'booked')) {
    const row = rows.find(({ booking }) => booking.reference === entry.reference)
    const isHeld = vendor.kept.some((booking) => booking.reference === entry.reference && vendor.isActive(booking))
    // A booking that the vendor has declined may be lost.
    if (row === undefined && !isHeld && lostAt !== undefined) continue
    if (row === undefined) {
      found.push({ name: 'orphan', message: `the vendor booked ${entry.reference}, which no row has` })
      continue
    }
    for (const mark of [row.intent, row.offer, entry.reference]) {
      if (seen.has(mark)) found.push({ name: 'double', message: `${mark} was booked twice` })
      seen.add(mark)
    }
  }
  return found
}

function findDifferences({ vendor }: History, { booking }: Row): Violation[] {
  const theirs = vendor.kept.filter(({ reference }) => reference === booking.reference)
  const active = theirs.filter(vendor.isActive).length
  const message = `${booking.bookingId} is ${booking.state} here; the vendor has ${active} of it`
  if (booking.state === 'rejected' && active > 0) return [{ name: 'lost', message }]
  if (booking.state === 'cancelled' && active > 0) return [{ name: 'overbooked', message }]
  if (booking.state === 'confirmed' && active === 0) return [{ name: 'phantom', message }]
  return []
}

function findUnsettled({ isUnsettled }: History, rows: Row[]): Violation[] {
  const open = rows.filter(({ booking }) => !SETTLED_STATES.includes(booking.state))
  const found = open.map(({ booking }): Violation => {
    return { name: 'stuck', message: `${booking.bookingId} is still ${booking.state}` }
  })
  return isUnsettled && found.length === 0 ? [{ name: 'stuck', message: 'the run did not end' }] : found
}

/** One key has one outcome with a byte-identical answer, and only one body ever gets an answer. */
function findChangedReplays(replies: readonly Reply[], rows: Row[]): Violation[] {
  const found: Violation[] = []
  const isFreed = (id: string) =>
    rows.some(({ booking }) => booking.bookingId === id && booking.reference.includes(' '))
  const firsts = new Map<string, { readonly body: string; outcome?: Reply['outcome'] & { kind: 'answer' } }>()
  for (const { accountId, key: sent, body, outcome } of replies) {
    // A 503 is not stored: the same request may book later.
    if (outcome.kind !== 'answer' || outcome.status === 503) continue
    // A provisional answer that could not be stored, for a booking that was never sent.
    if (outcome.status === 202 && isFreed(outcome.bookingId)) continue
    const key = `${accountId} ${sent}`
    const first = firsts.get(key) ?? { body }
    firsts.set(key, first)
    if (first.body !== body) found.push({ name: 'mixed_up', message: `${key} answered two different bodies` })
    // While the outcome is open, the answer is the current state.
    else if (outcome.status === 202) continue
    else if (first.outcome === undefined) first.outcome = outcome
    else if (first.outcome.status !== outcome.status || first.outcome.body !== outcome.body) {
      const message = `${key}: ${first.outcome.status} ${first.outcome.body}\n  then ${outcome.status} ${outcome.body}`
      found.push({ name: 'replay_differs', message })
    }
  }
  return found
}

const STATES_AFTER: Record<number, readonly string[]> = {
  201: ['confirmed', 'cancelling', 'cancelled', 'needs_review'],
  409: ['rejected'],
  410: ['rejected'],
  502: ['rejected'],
  503: ['rejected'],
  504: ['rejected'],
}

/** A final answer must be true and stay true. */
function findUntrueReplies({ replies, cancels, movedAt }: History, rows: Row[]): Violation[] {
  const found: Violation[] = []
  const findState = (id: string) => rows.find(({ booking }) => booking.bookingId === id)?.booking.state ?? 'gone'
  for (const { outcome } of replies) {
    if (outcome.kind !== 'answer') continue
    const state = findState(outcome.bookingId)
    if (state === 'gone' || STATES_AFTER[outcome.status]?.includes(state) === false)
      found.push({
        name: 'untrue',
        message: `a client got ${outcome.status}, but ${outcome.bookingId} is ${state}`,
      })
  }
  // A request after the outcome is known must get the outcome.
  for (const { outcome, askedAt } of replies) {
    if (outcome.kind !== 'answer' || outcome.status !== 202) continue
    const state = findState(outcome.bookingId)
    const isKnown = (movedAt.get(outcome.bookingId) ?? askedAt) < askedAt && state !== 'needs_review'
    if (isKnown) found.push({ name: 'untrue', message: `${outcome.bookingId} was ${state}, but a client got 202` })
  }
  for (const { bookingId, state } of cancels) {
    if (state === 'cancelled' && findState(bookingId) !== 'cancelled')
      found.push({ name: 'untrue', message: `a client was informed that ${bookingId} is cancelled, but it is not` })
  }
  return found
}

/** Each event follows from the previous one, none is missing, and the last one is the booking's state. */
async function findIllegalHistories({ store }: History, rows: Row[]): Promise<Violation[]> {
  const found: Violation[] = []
  for (const { booking } of rows) {
    const events = await store.events(booking.bookingId)
    if (!isLegal(events) || events.at(-1)?.to !== booking.state) {
      const message = events.map(({ sequence, to }) => `${sequence} ${to}`).join(', ')
      found.push({ name: 'illegal_history', message: `${booking.bookingId} is ${booking.state} after ${message}` })
    }
  }
  return found
}

const isLegal = (events: readonly BookingEvent[]) =>
  events.every(({ sequence, kind, from, to }, index) => {
    if (sequence !== index + 1) return false
    if (kind !== undefined) return from === to && from === events[index - 1]?.to
    if (index === 0) return from === undefined && to === 'pending'
    return from === events[index - 1]?.to && from !== undefined && canMove(from, to)
  })
