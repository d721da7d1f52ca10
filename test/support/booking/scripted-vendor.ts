import type { CallContext } from '../../../src/lib/call-context.ts'
import type { BookingLookup, BookOrder, Capabilities, Receipt, Vendor } from '../../../src/vendors/contract.ts'
import { VendorError, type VendorFault } from '../../../src/vendors/vendor-error.ts'
import { aPrice, euro } from './an-offer.ts'
import type { Tape } from './tape.ts'
import type { VirtualTime } from './virtual-time.ts'

/** How this vendor behaves when nothing goes wrong, and what it promises about the rest. */
export type Traits = {
  /** Whether a repeated reference is refused. */
  readonly deduplicates: boolean
  readonly absenceIsFinal: boolean
  readonly bookTimeoutMs: number
  readonly visibilityLagMs: number
  readonly rooms: number
  /** From its start on, it cannot be asked about bookings for so long. */
  readonly silentForMs: number
}

/** What the vendor really did, in the order in which it did it. Nothing is ever taken out. */
export type LedgerEntry = {
  readonly kind: 'booked' | 'declined' | 'cancelled'
  readonly reference: string
  readonly vendorReference: string
  readonly at: number
}

type Kept = {
  readonly reference: string
  readonly vendorReference: string
  readonly visibleAt: number
  /** Where the vendor has to ask the house first: when it will know, and what. */
  readonly decidedAt: number
  readonly accepted: boolean
  cancelledAt: number | undefined
  cancelVisibleAt: number
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
  'delivered_twice',
  'on_request',
  'on_request_declined',
  'adapter_bug',
] as const
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
const PRICE_FAULTS = ['none', 'none', 'none', 'none', 'none', 'none', 'error', 'sold_out', 'dearer', 'expired'] as const
const DELAYS_MS = [5, 0, 900, 2_500, 3_990, 4_200, 9_000] as const

const CALM: Omit<Capabilities, 'absenceIsFinal' | 'bookIsIdempotent' | 'bookTimeoutMs' | 'visibilityLagMs'> = {
  roomsMax: 8,
  nightsMax: 28,
  leadDaysMax: 500,
  propertiesPerCallMax: 100,
  currencies: 'any',
  offerTtlMs: 60_000,
}

export type ScriptedVendor = ReturnType<typeof createScriptedVendor>

/**
 * A vendor inside the process, with a memory of its own that no crash of ours touches. What goes wrong on the way to it
 * and back is on the tape; what it promises in `Traits` it keeps, to the last millisecond.
 */
export function createScriptedVendor(time: VirtualTime, tape: Tape, traits: Traits) {
  const ledger: LedgerEntry[] = []
  const kept: Kept[] = []
  const calls: { readonly what: string; readonly reference: string }[] = []
  const nobody = { alive: true }
  const openedAt = time.now()

  const note = (kind: LedgerEntry['kind'], one: Pick<Kept, 'reference' | 'vendorReference'>) =>
    ledger.push({ kind, reference: one.reference, vendorReference: one.vendorReference, at: time.now() })
  const isActive = (one: Kept) => one.cancelledAt === undefined && (one.accepted || time.now() < one.decidedAt)
  const fail = (fault: VendorFault, effect: 'none' | 'unknown') => new VendorError('scripted', fault, effect)

  /** One call: it reaches the vendor (or not), the vendor acts, the answer comes back (or not). */
  function exchange<T>(
    context: CallContext,
    trip: { readonly reachMs: number; readonly backMs: number; act?(): T; answer?(acted: T | undefined): T },
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const caller = time.ownerNow()
    const { signal } = context
    if (signal.aborted) return Promise.reject(fail('timeout', 'none'))
    signal.addEventListener('abort', () => reject(fail('timeout', 'unknown')), { once: true })
    // The vendor's part belongs to nobody of ours: it happens even if the caller is dead by then.
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
      nobody,
    )
    return promise
  }

  function accept(reference: string, waits: 'no' | 'accepts' | 'declines'): Receipt {
    const again = kept.some((one) => one.reference === reference)
    if (again && traits.deduplicates) throw fail('duplicate', 'unknown')
    if (kept.filter(isActive).length >= traits.rooms) throw fail('sold_out', 'none')
    const lag = traits.visibilityLagMs
    const one: Kept = {
      reference,
      vendorReference: `V${kept.length + 1}`,
      visibleAt: time.now() + tape.pick([0, lag, lag / 2, lag]),
      decidedAt: waits === 'no' ? time.now() : time.now() + lag,
      accepted: waits !== 'declines',
      cancelledAt: undefined,
      cancelVisibleAt: 0,
    }
    kept.push(one)
    note('booked', one)
    if (!one.accepted) time.at(one.decidedAt, () => note('declined', one), nobody)
    return { state: waits === 'no' ? 'confirmed' : 'pending', vendorReference: one.vendorReference }
  }

  function strike(reference: string): Receipt {
    const one = kept.find((other) => other.reference === reference && isActive(other))
    if (one === undefined) throw fail('not_found', 'none')
    one.cancelledAt = time.now()
    one.cancelVisibleAt = time.now() + tape.pick([0, traits.visibilityLagMs, traits.visibilityLagMs / 2])
    note('cancelled', one)
    return { state: 'cancelled', vendorReference: one.vendorReference, cancelFee: euro(100) }
  }

  function shown(reference: string): Receipt | undefined {
    const now = time.now()
    const one = kept.find((other) => other.reference === reference && other.visibleAt <= now)
    if (one === undefined) return undefined
    const { vendorReference } = one
    if (one.cancelledAt !== undefined && one.cancelVisibleAt <= now) {
      return { state: 'cancelled', vendorReference, cancelFee: euro(100) }
    }
    if (now < one.decidedAt) return { state: 'pending', vendorReference }
    return { state: one.accepted ? 'confirmed' : 'rejected', vendorReference }
  }

  const throwing = (error: unknown) => () => {
    throw error
  }
  const given = <T>(acted: T | undefined): T => {
    if (acted === undefined) throw new Error('the vendor did not act')
    return acted
  }

  async function book({ reference }: BookOrder, context: CallContext): Promise<Receipt> {
    calls.push({ what: 'book', reference })
    const fault = tape.pick(BOOK_FAULTS)
    const trip = { reachMs: tape.pick(DELAYS_MS), backMs: tape.pick(DELAYS_MS) }
    const act = () => accept(reference, 'no')
    switch (fault) {
      case 'none':
        return exchange(context, { ...trip, act, answer: given })
      case 'lost_before':
        return exchange(context, trip)
      case 'lost_after':
        return exchange(context, { ...trip, act })
      case 'late_effect':
        return exchange(context, { ...trip, reachMs: traits.bookTimeoutMs, act })
      case 'error_before':
        return exchange<Receipt>(context, { ...trip, answer: throwing(fail('unavailable', 'unknown')) })
      case 'error_after':
        return exchange<Receipt>(context, { ...trip, act, answer: throwing(fail('unavailable', 'unknown')) })
      case 'garbled_before':
        return exchange<Receipt>(context, { ...trip, answer: throwing(fail('malformed', 'unknown')) })
      case 'garbled_after':
        return exchange<Receipt>(context, { ...trip, act, answer: throwing(fail('malformed', 'unknown')) })
      case 'refused':
        return exchange<Receipt>(context, { ...trip, answer: throwing(fail('refused', 'none')) })
      case 'delivered_twice':
        if (traits.deduplicates) exchange(context, { ...trip, act }).catch(() => undefined)
        return exchange(context, { reachMs: trip.reachMs, backMs: trip.backMs, act, answer: given })
      case 'on_request':
        return exchange(context, { ...trip, act: () => accept(reference, 'accepts'), answer: given })
      case 'on_request_declined':
        return exchange(context, { ...trip, act: () => accept(reference, 'declines'), answer: given })
      case 'adapter_bug':
        return exchange<Receipt>(context, { ...trip, act, answer: throwing(new TypeError('injected')) })
    }
  }

  async function find({ reference }: BookingLookup, context: CallContext): Promise<Receipt | undefined> {
    calls.push({ what: 'find', reference })
    const isSilent = time.now() < openedAt + traits.silentForMs
    const fault = isSilent ? 'error' : tape.pick(FIND_FAULTS)
    const trip = { reachMs: tape.pick(DELAYS_MS), backMs: tape.pick(DELAYS_MS) }
    if (fault === 'hangs') return exchange(context, trip)
    const failure = fault === 'error' ? 'unavailable' : 'malformed'
    if (fault !== 'none') return exchange(context, { ...trip, answer: throwing(fail(failure, 'unknown')) })
    return exchange(context, { ...trip, act: () => shown(reference), answer: (acted) => acted })
  }

  async function cancel({ reference }: BookingLookup, context: CallContext): Promise<Receipt> {
    calls.push({ what: 'cancel', reference })
    const fault = tape.pick(CANCEL_FAULTS)
    const trip = { reachMs: tape.pick(DELAYS_MS), backMs: tape.pick(DELAYS_MS) }
    const act = () => strike(reference)
    switch (fault) {
      case 'none':
        return exchange(context, { ...trip, act, answer: given })
      case 'lost_before':
        return exchange(context, trip)
      case 'lost_after':
        return exchange(context, { ...trip, act })
      case 'late_effect':
        return exchange(context, { ...trip, reachMs: traits.bookTimeoutMs, act })
      case 'error_after':
        return exchange<Receipt>(context, { ...trip, act, answer: throwing(fail('unavailable', 'unknown')) })
      case 'garbled_before':
        return exchange<Receipt>(context, { ...trip, answer: throwing(fail('malformed', 'unknown')) })
      case 'refused':
        return exchange<Receipt>(context, { ...trip, answer: throwing(fail('refused', 'none')) })
      case 'not_yet':
        return exchange<Receipt>(context, {
          ...trip,
          act: () => ({ ...strike(reference), state: 'pending' as const }),
          answer: given,
        })
    }
  }

  const vendor: Vendor = {
    id: 'scripted',
    capabilities: {
      ...CALM,
      bookIsIdempotent: traits.deduplicates,
      absenceIsFinal: traits.absenceIsFinal,
      bookTimeoutMs: traits.bookTimeoutMs,
      visibilityLagMs: traits.visibilityLagMs,
    },
    async *content() {},
    availability: async () => ({ offers: [], dropped: 0 }),
    rooms: async () => [],
    async priceCheck(ref, context) {
      calls.push({ what: 'priceCheck', reference: '' })
      const fault = tape.pick(PRICE_FAULTS)
      if (fault === 'error') throw fail('unavailable', 'none')
      if (fault === 'expired') throw fail('expired', 'none')
      await time.sleep(tape.pick(DELAYS_MS))
      if (context.signal.aborted) throw fail('timeout', 'none')
      if (fault === 'sold_out') return { status: 'sold_out' }
      const price = aPrice(fault === 'dearer' ? 99_900 : 24_990)
      return { status: 'available', price, cancel: undefined, ref, expiresAt: time.now() + 600_000 }
    },
    book,
    find,
    previewCancel: async () => tape.pick([{ fee: euro(100) }, undefined]),
    cancel,
    probe: async () => [],
  }

  return { vendor, ledger, calls, kept: kept as readonly Readonly<Kept>[], isActive }
}
