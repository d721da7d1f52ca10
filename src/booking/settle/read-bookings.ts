import { bySystem, byVendor } from '../../domain/actor.ts'
import { type Booking, bookingTime } from '../../domain/booking/booking.ts'
import {
  type Comparison,
  compareDiscrepancies,
  firstSeriousDiscrepancy,
  isOpenDiscrepancy,
} from '../../domain/booking/discrepancy.ts'
import { readingRetryMs } from '../../domain/booking/reading-schedule.ts'
import { createWorker, type Worker } from '../../lib/async/worker.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import { dateIn } from '../../lib/time/plain-date.ts'
import type { Receipt, Vendor } from '../../vendors/contract.ts'
import { compareReceipt } from '../compare-receipt.ts'
import type { ReadingClaim, ReadingFacts } from '../store/readings.ts'
import { activeRooms, billedTotal } from '../submit-booking.ts'
import { isSameProperty } from './same-property.ts'
import { LOOKUP_TIMEOUT_MS, type Lookup, lookUpBooking, type SettleDeps } from './settle-bookings.ts'
import { storeConfirmationNumbers } from './store-confirmation-numbers.ts'

type ReadDeps = SettleDeps & {
  /** Limit per vendor, shared by all processes. */
  readonly readingsPerMinute: number
}

const LEASE_MS = LOOKUP_TIMEOUT_MS + 30_000
const AT_ONCE_PER_VENDOR = 8
const SECOND_LOOKUP_MS = 10 * MINUTE_MS

/** Reads due bookings again at their vendors and records differences. */
export function createReadWorker(deps: ReadDeps): Worker {
  const quota = { perMinute: deps.readingsPerMinute, most: AT_ONCE_PER_VENDOR }
  return createWorker<ReadingClaim>({
    name: 'read',
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
  const lookup = await lookUpBooking(deps, booking, 'read')
  const facts = await readingFacts(deps, claim, lookup)
  if (facts === undefined) await deps.bookings.postponeReading(claim, retryAt(deps, claim))
  else {
    const after = await deps.bookings.finishReading(claim, facts)
    if (after?.state === 'confirmed' && facts.said !== undefined)
      await storeConfirmationNumbers(deps, booking, facts.said)
  }
}

/** Undefined if the vendor did not report the state of the booking. */
async function readingFacts(deps: ReadDeps, claim: ReadingClaim, lookup: Lookup): Promise<ReadingFacts | undefined> {
  const { booking } = claim
  const { vendor, receipt } = lookup
  if (vendor === undefined || receipt === undefined || receipt.state === 'pending') return undefined
  const at = deps.clock.now()
  if (receipt.state === 'absent') return factsIfAbsent(claim, vendor, lookup.askedAt, at)
  const wasCancelling = booking.state === 'needs_review' && (await cameFromCancelling(deps, booking))
  if (receipt.state === 'cancelled' || receipt.state === 'rejected')
    return factsIfGone(booking, receipt, at, wasCancelling)
  const isSame = await isSameProperty(deps.worlds.select(undefined, booking), booking, receipt)
  const compared = compareReceipt(booking, receipt, bookingTime(at, booking), isSame)
  const facts = {
    at,
    outcome: compared.differs.length === 0 ? 'same' : 'differs',
    said: receipt,
    compared,
    ...activeRooms(receipt),
    ...billedTotal(booking, receipt),
  } as const
  const move = wasCancelling ? undefined : moveFor(deps, booking, receipt, compared, at)
  return { ...facts, ...(move && { move }) }
}

/** A new serious discrepancy sends a confirmed booking to review. Agreement confirms one in review. */
function moveFor(
  { present }: ReadDeps,
  booking: Booking,
  receipt: Receipt,
  compared: Comparison,
  at: number,
): ReadingFacts['move'] {
  const by = byVendor(booking.vendorId)
  if (booking.state === 'confirmed') {
    const { fresh } = compareDiscrepancies(booking.discrepancies ?? [], compared, bookingTime(at, booking))
    const serious = firstSeriousDiscrepancy(fresh)
    return serious && { to: 'needs_review', by, reason: serious.code }
  }
  if (firstSeriousDiscrepancy(compared.differs) !== undefined) return undefined
  const { vendorReference } = receipt
  return { to: 'confirmed', by, reason: 'found', vendorReference, presentAnswer: present }
}

/** The vendor cancelled or rejected the booking. A cancellation that the customer requested is not a discrepancy. */
function factsIfGone(booking: Booking, receipt: Receipt, at: number, wasCancelling: boolean): ReadingFacts {
  const fee = receipt.cancelFee?.currency === booking.price.total.currency ? receipt.cancelFee.minor : undefined
  const reported = { at, said: receipt, ...(receipt.roomStates && { rooms: receipt.roomStates }) }
  const known = {
    ...(fee === undefined ? {} : { cancelFeeMinor: fee }),
    ...(receipt.confirmation && { confirmation: receipt.confirmation }),
  }
  if (wasCancelling) {
    const move = { to: 'cancelled', by: bySystem('reading'), reason: 'found_cancelled', ...known } as const
    return { ...reported, outcome: 'same', move }
  }
  const since = bookingTime(at, booking)
  return {
    ...reported,
    outcome: 'differs',
    compared: {
      differs: [{ code: 'cancelled_by_vendor', since, booked: 'confirmed', vendorSays: 'cancelled' }],
      agrees: ['not_found'],
    },
    move: { to: 'cancelled', by: byVendor(booking.vendorId), reason: 'cancelled_by_vendor', ...known },
  }
}

/** A single absence may be a glitch; a second one after the vendor's horizon is not. */
function factsIfAbsent(
  { booking, absentSince }: ReadingClaim,
  vendor: Vendor,
  askedAt: number,
  at: number,
): ReadingFacts {
  const facts = { at, outcome: 'absent' } as const
  // An operator has confirmed the booking despite this discrepancy.
  const isKnown = booking.discrepancies?.some((entry) => entry.code === 'not_found' && isOpenDiscrepancy(entry))
  if (booking.state === 'confirmed' && isKnown) return facts
  const { bookTimeoutMs, visibilityLagMs } = vendor.capabilities
  const horizonMs = bookTimeoutMs + visibilityLagMs
  const since = absentSince ?? bookingTime(askedAt, booking)
  const again = { ...facts, absentSince: since, dueAt: at + Math.max(horizonMs, SECOND_LOOKUP_MS) }
  if (absentSince === undefined) return again
  // Already in review, and possibly never created at the vendor.
  if (booking.state !== 'confirmed') return facts
  if (bookingTime(askedAt, booking) < absentSince + horizonMs) return again
  return {
    ...facts,
    compared: { differs: [{ code: 'not_found', since, booked: 'confirmed', vendorSays: 'not_found' }], agrees: [] },
    move: { to: 'needs_review', by: byVendor(booking.vendorId), reason: 'not_found' },
  }
}

/** After a cancellation with unknown outcome, a booking that still exists must not become confirmed by itself. */
async function cameFromCancelling({ bookings }: ReadDeps, { bookingId }: Booking): Promise<boolean> {
  const moves = (await bookings.events(bookingId)).filter(({ kind }) => kind === undefined)
  return moves.at(-1)?.from === 'cancelling'
}

/** Null after check-out: the booking is not read again. */
function retryAt({ clock }: ReadDeps, { booking, failures }: ReadingClaim): number | null {
  const { property, stay } = booking
  const now = clock.now()
  if (dateIn(property.timezone, bookingTime(now, booking)) > stay.checkOut) return null
  return now + readingRetryMs(failures)
}
