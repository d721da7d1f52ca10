import { bySystem, byVendor } from '../../domain/actor.ts'
import { type Booking, timeOf } from '../../domain/booking/booking.ts'
import { type Comparison, compareDiscrepancies, graveOne, isOpen } from '../../domain/booking/discrepancy.ts'
import { readingRetryMs } from '../../domain/booking/reading-schedule.ts'
import { createWorker, type Worker } from '../../lib/async/worker.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import { dateIn } from '../../lib/time/plain-date.ts'
import type { Receipt, Vendor } from '../../vendors/contract.ts'
import { compareReceipt } from '../compare-receipt.ts'
import type { ReadingClaim, ReadingFacts } from '../store/readings.ts'
import { billedOf, roomsOf } from '../submit-booking.ts'
import { noteNumbersOf } from './note-reading.ts'
import { isSameProperty } from './same-property.ts'
import { LOOK_TIMEOUT_MS, type Look, look, type SettleDeps } from './settle-bookings.ts'

type ReadDeps = SettleDeps & {
  /** How often each vendor may be asked, by all processes together. */
  readonly readingsPerMinute: number
}

const LEASE_MS = LOOK_TIMEOUT_MS + 30_000
const AT_ONCE_PER_VENDOR = 8
const SECOND_LOOK_MS = 10 * MINUTE_MS

/** Reads the bookings that are due again at their vendors and records what differs. */
export function createReadWorker(deps: ReadDeps): Worker {
  const quota = { perMinute: deps.readingsPerMinute, most: AT_ONCE_PER_VENDOR }
  return createWorker<ReadingClaim>({
    claim(running) {
      const busy = running.map(({ task }) => task.key)
      return deps.bookings.claimReadings(deps.clock.now(), LEASE_MS, { ...quota, busy })
    },
    work: (claim) => readContained(deps, claim),
    onBug: (error, { booking }) => deps.onBug(error, booking),
  })
}

async function readContained(deps: ReadDeps, claim: ReadingClaim): Promise<undefined> {
  try {
    await readOne(deps, claim)
  } catch (error) {
    deps.onBug(error, claim.booking)
    await deps.bookings.postponeReading(claim, retryAt(deps, claim))
  }
}

async function readOne(deps: ReadDeps, claim: ReadingClaim): Promise<void> {
  const { booking } = claim
  const seen = await look(deps, booking, 'read')
  const facts = await found(deps, claim, seen)
  if (facts === undefined) await deps.bookings.postponeReading(claim, retryAt(deps, claim))
  else {
    const after = await deps.bookings.finishReading(claim, facts)
    if (after?.state === 'confirmed' && facts.said !== undefined) await noteNumbersOf(deps, booking, facts.said)
  }
}

/** The outcome of one reading; undefined where the vendor did not tell the state of the booking. */
async function found(deps: ReadDeps, claim: ReadingClaim, seen: Look): Promise<ReadingFacts | undefined> {
  const { booking } = claim
  const { vendor, receipt } = seen
  if (vendor === undefined || receipt === undefined || receipt.state === 'pending') return undefined
  const at = deps.clock.now()
  if (receipt.state === 'absent') return absent(claim, vendor, seen.askedAt, at)
  const wasCancelling = booking.state === 'needs_review' && (await isFromCancelling(deps, booking))
  if (receipt.state === 'cancelled' || receipt.state === 'rejected') return gone(booking, receipt, at, wasCancelling)
  const isSame = await isSameProperty(deps.worlds.of(undefined, booking), booking, receipt)
  const compared = compareReceipt(booking, receipt, timeOf(at, booking), isSame)
  const facts = {
    at,
    outcome: compared.differs.length === 0 ? 'same' : 'differs',
    said: receipt,
    compared,
    ...roomsOf(receipt),
    ...billedOf(booking, receipt),
  } as const
  const move = wasCancelling ? undefined : moveFor(deps, booking, receipt, compared, at)
  return { ...facts, ...(move && { move }) }
}

/** A confirmed booking with a new grave difference needs a person; one that needed one stands once the vendor agrees. */
function moveFor(
  { present }: ReadDeps,
  booking: Booking,
  receipt: Receipt,
  compared: Comparison,
  at: number,
): ReadingFacts['move'] {
  const by = byVendor(booking.vendorId)
  if (booking.state === 'confirmed') {
    const { fresh } = compareDiscrepancies(booking.discrepancies ?? [], compared, timeOf(at, booking))
    const grave = graveOne(fresh)
    return grave && { to: 'needs_review', by, reason: grave.code }
  }
  if (graveOne(compared.differs) !== undefined) return undefined
  const { vendorReference } = receipt
  return { to: 'confirmed', by, reason: 'found', vendorReference, answerOf: present }
}

/** The vendor has it no more, in one way or another. A cancellation that the customer had asked for is no discrepancy. */
function gone(booking: Booking, receipt: Receipt, at: number, wasCancelling: boolean): ReadingFacts {
  const fee = receipt.cancelFee?.currency === booking.price.total.currency ? receipt.cancelFee.minor : undefined
  const said = { at, said: receipt, ...(receipt.roomStates && { rooms: receipt.roomStates }) }
  const known = fee === undefined ? {} : { cancelFeeMinor: fee }
  if (wasCancelling) {
    const move = { to: 'cancelled', by: bySystem('reading'), reason: 'found_cancelled', ...known } as const
    return { ...said, outcome: 'same', move }
  }
  const since = timeOf(at, booking)
  return {
    ...said,
    outcome: 'differs',
    compared: {
      differs: [{ code: 'cancelled_by_vendor', since, booked: 'confirmed', vendorSays: 'cancelled' }],
      agrees: ['not_found'],
    },
    move: { to: 'cancelled', by: byVendor(booking.vendorId), reason: 'cancelled_by_vendor', ...known },
  }
}

/** One absence may be a fault of the moment; two of them, with the vendor's horizon between, are not. */
function absent({ booking, absentSince }: ReadingClaim, vendor: Vendor, askedAt: number, at: number): ReadingFacts {
  const facts = { at, outcome: 'absent' } as const
  // An operator has confirmed it all the same, and nothing has changed since.
  const isKnown = booking.discrepancies?.some((one) => one.code === 'not_found' && isOpen(one))
  if (booking.state === 'confirmed' && isKnown) return facts
  const { bookTimeoutMs, visibilityLagMs } = vendor.capabilities
  const horizonMs = bookTimeoutMs + visibilityLagMs
  const since = absentSince ?? timeOf(askedAt, booking)
  const again = { ...facts, absentSince: since, dueAt: at + Math.max(horizonMs, SECOND_LOOK_MS) }
  if (absentSince === undefined) return again
  // It needs a person already, and has perhaps never been at the vendor.
  if (booking.state !== 'confirmed') return facts
  if (timeOf(askedAt, booking) < absentSince + horizonMs) return again
  return {
    ...facts,
    compared: { differs: [{ code: 'not_found', since, booked: 'confirmed', vendorSays: 'not_found' }], agrees: [] },
    move: { to: 'needs_review', by: byVendor(booking.vendorId), reason: 'not_found' },
  }
}

/** The customer asked for a cancellation whose outcome is unknown, so a booking that still exists must not become confirmed by itself. */
async function isFromCancelling({ bookings }: ReadDeps, { bookingId }: Booking): Promise<boolean> {
  const moves = (await bookings.events(bookingId)).filter(({ kind }) => kind === undefined)
  return moves.at(-1)?.from === 'cancelling'
}

/** Not at all once the guest has left. */
function retryAt({ clock }: ReadDeps, { booking, failures }: ReadingClaim): number | null {
  const { property, stay } = booking
  const now = clock.now()
  if (dateIn(property.timezone, timeOf(now, booking)) > stay.checkOut) return null
  return now + readingRetryMs(failures)
}
