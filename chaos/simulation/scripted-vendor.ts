import type { CallContext } from '../../src/lib/async/call-context.ts'
import type { Capabilities } from '../../src/vendors/capabilities.ts'
import type { BookingLookup, BookOrder, Receipt, Vendor } from '../../src/vendors/contract.ts'
import { VendorError, type VendorFault } from '../../src/vendors/vendor-error.ts'
import { anOffer, euro } from '../../test/support/booking/an-offer.ts'
import type { Choices } from './choices.ts'
import { applyChange, type Change, type ChangingBooking, type ReportedStay } from './scripted-changes.ts'
import { createPriceCheck, readTermsName, TERMS, TERMS_NAMES, type TermsName } from './scripted-terms.ts'
import type { VirtualTime } from './virtual-time.ts'

/** The vendor's behaviour without faults, and its guarantees. */
export type Traits = {
  /** Rejects a repeated reference. */
  readonly deduplicates: boolean
  readonly absenceIsFinal: boolean
  readonly bookTimeoutMs: number
  readonly visibilityLagMs: number
  readonly rooms: number
  /** Time after the start in which lookups fail. */
  readonly silentForMs: number
  /** Fee of a cancellation; 100 by default. */
  readonly cancelFeeMinor?: number
}

/** The vendor's actions in order; entries are never removed. */
export type LedgerEntry = {
  readonly kind: 'booked' | 'declined' | 'cancelled'
  readonly reference: string
  readonly vendorReference: string
  readonly at: number
  /** Terms under which it was sold. */
  readonly terms: TermsName
}

type Stay = ReportedStay & { readonly terms: TermsName }

type Kept = Stay &
  ChangingBooking & {
    readonly reference: string
    readonly vendorReference: string
    readonly visibleAt: number
    /** Time of the decision, if the vendor has to ask the property first. */
    readonly decidedAt: number
    readonly accepted: boolean
    readonly cancelledAt: number | undefined
    readonly cancelVisibleAt: number
  }

const BOOK_FAULTS = [
  'none',
  'lost_before',
  'lost_after',
  'late_effect',
  'error_before',
  'error_after',
  'garbled_before',
  'garbled_after',
  'refused',
  'throttled',
  'delivered_twice',
  'on_request',
  'on_request_declined',
  'adapter_bug',
  'price_refused',
  'other_hotel',
  'other_dates',
  'billed_more',
] as const
const DIFFERENCES = {
  other_hotel: { property: { vendorPropertyId: '78' } },
  other_dates: { dates: { checkIn: '2027-03-02', checkOut: '2027-03-04' } },
  billed_more: { total: euro(25_990) },
} as const
const CANCEL_FAULTS = [
  'none',
  'lost_before',
  'lost_after',
  'late_effect',
  'error_after',
  'garbled_before',
  'refused',
  'not_yet',
] as const
const FIND_FAULTS = ['none', 'error', 'hangs', 'garbled'] as const
/** Most checks find no change, so that most schedules reach a booking. */
const PRICE_FAULTS = [
  'none',
  ...Array.from({ length: 22 }, () => 'none' as const),
  'error',
  'sold_out',
  'expired',
  ...TERMS_NAMES.slice(1),
] as const
const DELAYS_MS = [5, 0, 900, 2_500, 3_990, 4_200, 9_000] as const

const CAPABILITIES: Omit<Capabilities, 'absenceIsFinal' | 'bookTimeoutMs' | 'visibilityLagMs'> = {
  roomsMax: 8,
  nightsMax: 28,
  leadDaysMax: 500,
  propertiesPerCallMax: 100,
  offerTtlMs: 60_000,
}

const createStay = (terms: TermsName): Stay => ({
  terms,
  property: { vendorPropertyId: anOffer().vendorPropertyId },
  dates: { checkIn: anOffer().stay.checkIn, checkOut: anOffer().stay.checkOut },
  total: TERMS[terms].price.total,
  rooms: 1,
})

export type ScriptedVendor = ReturnType<typeof createScriptedVendor>

/**
 * A vendor inside the process whose memory survives our crashes. `choices` selects the faults on the way to it and
 * back; it keeps the guarantees in `Traits` to the millisecond.
 */
export function createScriptedVendor(
  time: VirtualTime,
  choices: Choices,
  traits: Traits,
  onRecord: (entry: LedgerEntry) => void = () => undefined,
) {
  const cancelFee = euro(traits.cancelFeeMinor ?? 100)
  const ledger: LedgerEntry[] = []
  let kept: readonly Kept[] = []
  /** True if an existing booking may occasionally be reported as absent. */
  let canForget = false
  const forgotten = new Set<string>()
  const calls: { readonly kind: string; readonly reference: string }[] = []
  const vendorSide = { alive: true }
  const openedAt = time.now()

  const record = (kind: LedgerEntry['kind'], { reference, vendorReference, terms }: Kept) => {
    const entry = { kind, reference, vendorReference, terms, at: time.now() }
    ledger.push(entry)
    onRecord(entry)
  }
  const report = ({ property, dates, total, rooms }: Stay) => ({ property, dates, total, rooms })
  const isActive = (booking: Kept) =>
    !booking.isCancelledByVendor &&
    !booking.isVanished &&
    booking.cancelledAt === undefined &&
    (booking.accepted || time.now() < booking.decidedAt)
  const fail = (fault: VendorFault, effect: 'none' | 'unknown') => new VendorError('scripted', fault, effect)

  /** One call: it may or may not reach the vendor, the vendor acts, and the answer may or may not return. */
  function exchange<T>(
    context: CallContext,
    trip: { readonly reachMs: number; readonly backMs: number; act?(): T; answer?(acted: T | undefined): T },
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const caller = time.currentOwner()
    const { signal } = context
    if (signal.aborted) return Promise.reject(fail('timeout', 'none'))
    signal.addEventListener('abort', () => reject(fail('timeout', 'unknown')), { once: true })
    // The vendor acts even if the calling process is dead by then.
    time.after(
      trip.reachMs,
      () => {
        let acted: T | undefined
        let refusal: unknown
        try {
          acted = trip.act?.()
        } catch (error) {
          refusal = error
        }
        if (trip.answer === undefined && refusal === undefined) return
        time.after(
          trip.backMs,
          () => {
            try {
              if (refusal !== undefined) throw refusal
              if (trip.answer !== undefined) resolve(trip.answer(acted))
            } catch (error) {
              reject(error as Error)
            }
          },
          caller,
        )
      },
      vendorSide,
    )
    return promise
  }

  function accept({ reference, ref }: BookOrder, waits: 'no' | 'accepts' | 'declines', overrides = {}): Receipt {
    const again = kept.some((booking) => booking.reference === reference)
    if (again && traits.deduplicates) throw fail('duplicate', 'unknown')
    if (kept.filter(isActive).length >= traits.rooms) throw fail('sold_out', 'none')
    const lag = traits.visibilityLagMs
    const stay = { ...createStay(readTermsName(ref)), ...overrides }
    const booking: Kept = {
      ...stay,
      versions: [report(stay)],
      isVanished: false,
      wasVanished: false,
      isCancelledByVendor: false,
      reference,
      vendorReference: `V${kept.length + 1}`,
      visibleAt: time.now() + choices.pick([0, lag, lag / 2, lag]),
      decidedAt: waits === 'no' ? time.now() : time.now() + lag,
      accepted: waits !== 'declines',
      cancelledAt: undefined,
      cancelVisibleAt: 0,
    }
    kept = [...kept, booking]
    record('booked', booking)
    if (!booking.accepted) time.schedule(booking.decidedAt, () => record('declined', booking), vendorSide)
    return {
      state: waits === 'no' ? 'confirmed' : 'pending',
      vendorReference: booking.vendorReference,
      ...report(booking),
    }
  }

  const replace = (booking: Kept, replacement: Kept) => {
    kept = kept.map((entry) => (entry === booking ? replacement : entry))
  }

  function markCancelled(reference: string): Receipt {
    const booking = kept.find((entry) => entry.reference === reference && isActive(entry))
    if (booking === undefined) throw fail('not_found', 'none')
    const lag = choices.pick([0, traits.visibilityLagMs, traits.visibilityLagMs / 2])
    replace(booking, { ...booking, cancelledAt: time.now(), cancelVisibleAt: time.now() + lag })
    record('cancelled', booking)
    return { state: 'cancelled', vendorReference: booking.vendorReference, cancelFee }
  }

  function findVisible(reference: string): Receipt | undefined {
    const now = time.now()
    const booking = kept.find((entry) => entry.reference === reference && entry.visibleAt <= now)
    if (booking === undefined) return undefined
    const { vendorReference } = booking
    if (booking.isVanished) return undefined
    if (booking.isCancelledByVendor) return { state: 'cancelled', vendorReference, cancelFee: euro(0) }
    if (booking.cancelledAt !== undefined && booking.cancelVisibleAt <= now) {
      return { state: 'cancelled', vendorReference, cancelFee }
    }
    if (now < booking.decidedAt) return { state: 'pending', vendorReference }
    return { state: booking.accepted ? 'confirmed' : 'rejected', vendorReference, ...report(booking) }
  }

  const createThrower = (error: unknown) => () => {
    throw error
  }
  const requireResult = <T>(acted: T | undefined): T => {
    if (acted === undefined) throw new Error('the vendor did not act')
    return acted
  }

  async function book(order: BookOrder, context: CallContext): Promise<Receipt> {
    const { reference } = order
    await context.beforeSend?.()
    calls.push({ kind: 'book', reference })
    const fault = choices.pick(BOOK_FAULTS)
    const trip = { reachMs: choices.pick(DELAYS_MS), backMs: choices.pick(DELAYS_MS) }
    const act = () => accept(order, 'no')
    switch (fault) {
      case 'none':
        return exchange(context, { ...trip, act, answer: requireResult })
      case 'lost_before':
        return exchange(context, trip)
      case 'lost_after':
        return exchange(context, { ...trip, act })
      case 'late_effect':
        return exchange(context, { ...trip, reachMs: traits.bookTimeoutMs, act })
      case 'error_before':
        return exchange<Receipt>(context, { ...trip, answer: createThrower(fail('unavailable', 'unknown')) })
      case 'error_after':
        return exchange<Receipt>(context, { ...trip, act, answer: createThrower(fail('unavailable', 'unknown')) })
      case 'garbled_before':
        return exchange<Receipt>(context, { ...trip, answer: createThrower(fail('malformed', 'unknown')) })
      case 'garbled_after':
        return exchange<Receipt>(context, { ...trip, act, answer: createThrower(fail('malformed', 'unknown')) })
      case 'refused':
        return exchange<Receipt>(context, { ...trip, answer: createThrower(fail('refused', 'none')) })
      case 'throttled':
        return exchange<Receipt>(context, { ...trip, answer: createThrower(fail('throttled', 'none')) })
      case 'delivered_twice':
        if (traits.deduplicates) exchange(context, { ...trip, act }).catch(() => undefined)
        return exchange(context, { reachMs: trip.reachMs, backMs: trip.backMs, act, answer: requireResult })
      case 'on_request':
        return exchange(context, { ...trip, act: () => accept(order, 'accepts'), answer: requireResult })
      case 'on_request_declined':
        return exchange(context, { ...trip, act: () => accept(order, 'declines'), answer: requireResult })
      case 'adapter_bug':
        return exchange<Receipt>(context, { ...trip, act, answer: createThrower(new TypeError('injected')) })
      case 'price_refused':
        return exchange<Receipt>(context, { ...trip, answer: createThrower(fail('price_changed', 'none')) })
      case 'other_hotel':
      case 'other_dates':
      case 'billed_more':
        return exchange(context, { ...trip, act: () => accept(order, 'no', DIFFERENCES[fault]), answer: requireResult })
    }
  }

  async function find({ reference }: BookingLookup, context: CallContext): Promise<Receipt | undefined> {
    calls.push({ kind: 'find', reference })
    const isUnreachable = time.now() < openedAt + traits.silentForMs
    const fault = isUnreachable ? 'error' : choices.pick(FIND_FAULTS)
    const trip = { reachMs: choices.pick(DELAYS_MS), backMs: choices.pick(DELAYS_MS) }
    if (fault === 'hangs') return exchange(context, trip)
    const failure = fault === 'error' ? 'unavailable' : 'malformed'
    if (fault !== 'none') return exchange(context, { ...trip, answer: createThrower(fail(failure, 'unknown')) })
    // Only once: a second absence would be final, even if a crash lost the vendor's report in between.
    const isForgotten = canForget && !forgotten.has(reference) && choices.pick([false, false, true])
    if (isForgotten) forgotten.add(reference)
    return exchange(context, {
      ...trip,
      act: () => (isForgotten ? undefined : findVisible(reference)),
      answer: (acted) => acted,
    })
  }

  async function cancel({ reference }: BookingLookup, context: CallContext): Promise<Receipt> {
    calls.push({ kind: 'cancel', reference })
    const fault = choices.pick(CANCEL_FAULTS)
    const trip = { reachMs: choices.pick(DELAYS_MS), backMs: choices.pick(DELAYS_MS) }
    const act = () => markCancelled(reference)
    switch (fault) {
      case 'none':
        return exchange(context, { ...trip, act, answer: requireResult })
      case 'lost_before':
        return exchange(context, trip)
      case 'lost_after':
        return exchange(context, { ...trip, act })
      case 'late_effect':
        return exchange(context, { ...trip, reachMs: traits.bookTimeoutMs, act })
      case 'error_after':
        return exchange<Receipt>(context, { ...trip, act, answer: createThrower(fail('unavailable', 'unknown')) })
      case 'garbled_before':
        return exchange<Receipt>(context, { ...trip, answer: createThrower(fail('malformed', 'unknown')) })
      case 'refused':
        return exchange<Receipt>(context, { ...trip, answer: createThrower(fail('refused', 'none')) })
      case 'not_yet':
        return exchange<Receipt>(context, {
          ...trip,
          act: () => ({ ...markCancelled(reference), state: 'pending' as const }),
          answer: requireResult,
        })
    }
  }

  const vendor: Vendor = {
    id: 'scripted',
    capabilities: {
      ...CAPABILITIES,
      absenceIsFinal: traits.absenceIsFinal,
      bookTimeoutMs: traits.bookTimeoutMs,
      visibilityLagMs: traits.visibilityLagMs,
    },
    async *content() {},
    availability: async () => ({ offers: [], dropped: 0 }),
    rooms: async () => [],
    async priceCheck(ref, context) {
      calls.push({ kind: 'priceCheck', reference: '' })
      const fault = choices.pick(PRICE_FAULTS)
      if (fault === 'error') throw fail('unavailable', 'none')
      if (fault === 'expired') throw fail('expired', 'none')
      await time.sleep(choices.pick(DELAYS_MS))
      if (context.signal.aborted) throw fail('timeout', 'none')
      if (fault === 'sold_out') return { status: 'sold_out' }
      return createPriceCheck(fault === 'none' ? readTermsName(ref) : fault, ref, time.now() + 600_000)
    },
    book,
    find,
    previewCancel: async () => choices.pick([{ fee: cancelFee }, undefined]),
    cancel,
    probe: async () => [],
  }

  return {
    vendor,
    ledger,
    calls,
    isActive,
    get kept() {
      return kept
    },
    /** Changes the vendor's n-th booking, if it exists and was not cancelled by us. */
    change(nth: number, kind: Change): string | undefined {
      if (kind === 'vanishes' && !canForget) return undefined
      const booking = kept.filter(({ cancelledAt, accepted }) => cancelledAt === undefined && accepted)[nth]
      if (booking !== undefined) replace(booking, applyChange(booking, kind))
      return booking?.reference
    },
    /** Only repeated readings may miss a booking: lookups that settle a doubt must be true. */
    mayForget(isAllowed: boolean) {
      canForget = isAllowed
    },
  }
}
