import type { By } from '../../domain/actor.ts'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { startDeadline } from '../../lib/time/deadline.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { dateIn, type PlainDate } from '../../lib/time/plain-date.ts'
import type { Worlds } from '../../search/world.ts'
import type { HistoryReader } from '../../store/history.ts'
import type { BookingLookup, Vendor } from '../../vendors/contract.ts'
import { VendorError } from '../../vendors/vendor-error.ts'
import { vendorFailure } from '../refusals.ts'
import type { BookingStore } from '../store/bookings.ts'
import { adoptedKeys } from '../store/reconciling.ts'
import { statusFromVendor } from '../submit-booking.ts'
import { adoptBooking, type Surroundings } from './adopt-booking.ts'
import { type Compared, type Difference, findDifferences, type PROPOSALS } from './find-differences.ts'

type Deps = Omit<Surroundings, 'properties'> & {
  readonly bookings: BookingStore
  readonly worlds: Worlds
  readonly history: HistoryReader
  readonly clock: Clock
  readonly accountExists: (accountId: string) => Promise<boolean>
}

export type ReconciledVendor = {
  readonly vendorId: string
  readonly status: Compared['status'] | 'failed'
  /** Bookings of ours at the vendor. */
  readonly listed: number
}

export type Reconciliation = {
  readonly from: PlainDate
  readonly isBehind: boolean
  /** Latest day from which a reconciliation is complete; undefined if no commits were lost. */
  readonly neededFrom: PlainDate | undefined
  /** Until then clients may repeat what only a vendor without a list has; undefined if every vendor has one. */
  readonly repeatsEndAt: number | undefined
  readonly vendors: readonly ReconciledVendor[]
  readonly differences: readonly Difference[]
}

export type CarryOut = {
  readonly from: PlainDate
  readonly vendorId: string
  readonly reference: string
  readonly action: (typeof PROPOSALS)[number]
  /** Owner of an adopted booking. */
  readonly accountId: string | undefined
  readonly by: By
}

export type Reconcile = ReturnType<typeof createReconcile>

const CALL_TIMEOUT_MS = 60_000
/** A booking that only a vendor without a list has is found when its client repeats the request. */
const REPEATED_WITHIN_MS = DAY_MS

/** Compares the bookings of this database with the vendors' lists, after commits may have been lost. */
export function createReconcile(deps: Deps) {
  const { history, worlds, clock } = deps
  const today = () => dateIn('UTC', clock.now())

  async function compare(
    vendor: Vendor,
    from: PlainDate,
    only?: string,
  ): Promise<ReconciledVendor & { differences: readonly Difference[] }> {
    const { id: vendorId } = vendor
    try {
      return { vendorId, ...(await findDifferences(deps.bookings, vendor, { from, to: today() }, only)) }
    } catch (error) {
      if (!(error instanceof VendorError)) throw error
      return { vendorId, status: 'failed', listed: 0, differences: [] }
    }
  }

  return {
    /**
     * Ends the state of being behind if nothing is left to adopt, to cancel or for a client to repeat, or if the
     * operator says so.
     */
    async report(from: PlainDate, isEnd = false): Promise<Reconciliation> {
      const seen = await history.read()
      const compared = await Promise.all(worlds.real.vendors.map((vendor) => compare(vendor, from)))
      const differences = compared.flatMap((vendor) => vendor.differences)
      const lostFrom = seen.changedAt === undefined ? undefined : (seen.dataUntil ?? seen.changedAt)
      const neededFrom = lostFrom === undefined ? undefined : dateIn('UTC', lostFrom)
      const repeatsEndAt =
        compared.some(({ status }) => status === 'no_list') && seen.changedAt !== undefined
          ? seen.changedAt + REPEATED_WITHIN_MS
          : undefined
      const isComplete =
        (repeatsEndAt === undefined || repeatsEndAt <= clock.now()) &&
        compared.every(({ status }) => status !== 'failed') &&
        differences.every(({ proposal }) => proposal === 'review') &&
        (neededFrom === undefined || from <= neededFrom)
      const hasEnded = seen.isBehind && (isEnd || isComplete) && (await history.markReconciled(seen))
      const vendors = compared.map(({ differences: _, ...vendor }) => vendor)
      const isBehind = seen.isBehind && !hasEnded
      return { from, isBehind, neededFrom, repeatsEndAt: isBehind ? repeatsEndAt : undefined, vendors, differences }
    },

    /** Carries out a proposal after comparing again, because the vendor may have changed the booking. */
    async carryOut(order: CarryOut): Promise<Difference> {
      const vendor = worlds.real.vendors.find(({ id }) => id === order.vendorId)
      const compared = vendor && (await compare(vendor, order.from, order.reference))
      const difference = compared?.differences.find(
        ({ reference, proposal }) => reference === order.reference && isAllowed(proposal, order.action),
      )
      if (vendor === undefined || difference === undefined)
        throw new AppError('not_possible', 'The vendor and the database do not differ in this way. Reconcile again.')
      await work[order.action](deps, vendor, difference, order)
      return difference
    },
  }
}

/** A booking that is unknown here may also be cancelled. */
const isAllowed = (proposal: Difference['proposal'], action: Difference['proposal']) =>
  proposal === action || (proposal === 'adopt' && action === 'cancel')

const work = { adopt, cancel, review }

async function review({ bookings, clock }: Deps, { id }: Vendor, { reference }: Difference): Promise<void> {
  await bookings.promptReadings(id, [reference], clock.now())
}

async function cancel(_: Deps, vendor: Vendor, difference: Difference, order: CarryOut): Promise<void> {
  await calling(order, (context) => vendor.cancel(lookupFor(difference, order), context), 'Nothing was cancelled')
}

async function adopt(deps: Deps, vendor: Vendor, difference: Difference, order: CarryOut): Promise<void> {
  const { listed } = difference
  const { accountId = '', by } = order
  if (listed === undefined || !(await deps.accountExists(accountId)))
    throw new AppError('not_possible', 'An account with this account_id is required: it will own the booking.')
  const find = (context: Parameters<Vendor['find']>[1]) => vendor.find(lookupFor(difference, order), context)
  const receipt = await calling(order, find, 'Nothing was adopted')
  const now = deps.clock.now()
  const found = receipt && { accountId, vendorId: vendor.id, listed, receipt, now }
  const booking = found && (await adoptBooking({ ...deps, properties: deps.worlds.real.properties }, found))
  if (receipt === undefined || booking === undefined)
    throw new AppError('not_possible', 'The vendor reports neither stay nor total of this booking. Cancel it instead.')
  const keys = { ...adoptedKeys(booking.reference), sendingAt: now }
  const isNew = await deps.bookings.create(booking, keys, now, now, by)
  if (!isNew) throw new AppError('not_possible', 'The booking was adopted meanwhile.')
  const { to, ...reported } = statusFromVendor(booking, receipt, now)
  const facts = { ...reported, at: now, by, reason: 'adopted', dueAt: to === 'in_doubt' ? now : null }
  await deps.bookings.move(booking.bookingId, 'submitting', to, facts)
}

/** The e-mail address is lost; no vendor with a list needs it. */
const lookupFor = ({ reference, listed }: Difference, { from }: CarryOut): BookingLookup => ({
  ...{ reference, email: '', createdOn: from },
  ...(listed?.vendorReference && { vendorReference: listed.vendorReference }),
})

async function calling<T>(
  { by, reference }: CarryOut,
  call: (context: { requestId: string; signal: AbortSignal }) => Promise<T>,
  undone: string,
): Promise<T> {
  using deadline = startDeadline(CALL_TIMEOUT_MS)
  try {
    return await call({ requestId: by.requestId ?? `reconcile-${reference}`, signal: deadline.signal })
  } catch (error) {
    throw error instanceof VendorError ? vendorFailure(error, undone) : error
  }
}
