import type { CallContext } from '../../src/lib/async/call-context.ts'
import type { Capabilities } from '../../src/vendors/capabilities.ts'
import type { BookingLookup, BookOrder, Receipt, Vendor } from '../../src/vendors/contract.ts'
import { VendorError, type VendorFault } from '../../src/vendors/vendor-error.ts'
import { anOffer, euro } from '../../test/support/booking/an-offer.ts'
import type { Choices } from './choices.ts'
import { type Change, type Changing, changed, type Told } from './scripted-changes.ts'
import { checkedTerms, TERMS, TERMS_NAMES, type TermsName, termsNameOf } from './scripted-terms.ts'
import type { VirtualTime } from './virtual-time.ts'

/** How this vendor behaves without faults, and what it promises. */
export type Traits = {
  /** Whether a repeated reference is refused. */
  readonly deduplicates: boolean
  readonly absenceIsFinal: boolean
  readonly bookTimeoutMs: number
  readonly visibilityLagMs: number
  readonly rooms: number
  /** How long after the start it cannot be asked about bookings. */
  readonly silentForMs: number
}

/** What the vendor really did, in order; entries are never removed. */
export type LedgerEntry = {
  readonly kind: 'booked' | 'declined' | 'cancelled'
  readonly reference: string
  readonly vendorReference: string
  readonly at: number
  /** The terms under which it was sold. */
  readonly terms: TermsName
}

type Stay = Told & { readonly terms: TermsName }

type Kept = Stay &
  Changing & {
    readonly reference: string
    readonly vendorReference: string
    readonly visibleAt: number
    /** If the vendor has to ask the property first: when it will know the result. */
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
const OTHER = {
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
/** Most checks find nothing, so that most schedules get as far as a booking. */
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

const stayOf = (terms: TermsName): Stay => ({
  terms,
  property: { vendorPropertyId: anOffer().vendorPropertyId },
  dates: { checkIn: anOffer().stay.checkIn, checkOut: anOffer().stay.checkOut },
  total: TERMS[terms].price.total,
  rooms: 1,
})

export type ScriptedVendor = ReturnType<typeof createScriptedVendor>

/**
 * A vendor inside the process whose memory survives our crashes. `choices` decides what goes wrong on the way to it and
 * back; it keeps what it promises in `Traits`, to the millisecond.
 */
export function createScriptedVendor(time: VirtualTime, choices: Choices, traits: Traits) {
  const ledger: LedgerEntry[] = []
  let kept: readonly Kept[] = []
  /** Whether a booking that is there may be said to be absent, now and then. */
  let forgets = false
  const forgotten = new Set<string>()
  const calls: { readonly what: string; readonly reference: string }[] = []
  const vendorSide = { alive: true }
  const openedAt = time.now()

  const note = (kind: LedgerEntry['kind'], { reference, vendorReference, terms }: Kept) =>
    ledger.push({ kind, reference, vendorReference, terms, at: time.now() })
  const told = ({ property, dates, total, rooms }: Stay) => ({ property, dates, total, rooms })
  const isActive = (one: Kept) =>
    !one.isCancelledByVendor &&
    !one.isVanished &&
    one.cancelledAt === undefined &&
    (one.accepted || time.now() < one.decidedAt)
  const fail = (fault: VendorFault, effect: 'none' | 'unknown') => new VendorError('scripted', fault, effect)

  /** One call: it reaches the vendor or not, the vendor acts, the answer comes back or not. */
  function exchange<T>(
    context: CallContext,
    trip: { readonly reachMs: number; readonly backMs: number; act?(): T; answer?(acted: T | undefined): T },
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const caller = time.ownerNow()
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

  function accept({ reference, ref }: BookOrder, waits: 'no' | 'accepts' | 'declines', other = {}): Receipt {
    const again = kept.some((one) => one.reference === reference)
    if (again && traits.deduplicates) throw fail('duplicate', 'unknown')
    if (kept.filter(isActive).length >= traits.rooms) throw fail('sold_out', 'none')
    const lag = traits.visibilityLagMs
    const stay = { ...stayOf(termsNameOf(ref)), ...other }
    const one: Kept = {
      ...stay,
      versions: [told(stay)],
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
    kept = [...kept, one]
    note('booked', one)
    if (!one.accepted) time.at(one.decidedAt, () => note('declined', one), vendorSide)
    return { state: waits === 'no' ? 'confirmed' : 'pending', vendorReference: one.vendorReference, ...told(one) }
  }

  const replace = (one: Kept, by: Kept) => {
    kept = kept.map((other) => (other === one ? by : other))
  }

  function markCancelled(reference: string): Receipt {
    const one = kept.find((other) => other.reference === reference && isActive(other))
    if (one === undefined) throw fail('not_found', 'none')
    const lag = choices.pick([0, traits.visibilityLagMs, traits.visibilityLagMs / 2])
    replace(one, { ...one, cancelledAt: time.now(), cancelVisibleAt: time.now() + lag })
    note('cancelled', one)
    return { state: 'cancelled', vendorReference: one.vendorReference, cancelFee: euro(100) }
  }

  function shown(reference: string): Receipt | undefined {
    const now = time.now()
    const one = kept.find((other) => other.reference === reference && other.visibleAt <= now)
    if (one === undefined) return undefined
    const { vendorReference } = one
    if (one.isVanished) return undefined
    if (one.isCancelledByVendor) return { state: 'cancelled', vendorReference, cancelFee: euro(0) }
    if (one.cancelledAt !== undefined && one.cancelVisibleAt <= now) {
      return { state: 'cancelled', vendorReference, cancelFee: euro(100) }
    }
    if (now < one.decidedAt) return { state: 'pending', vendorReference }
    return { state: one.accepted ? 'confirmed' : 'rejected', vendorReference, ...told(one) }
  }

  const throwing = (error: unknown) => () => {
    throw error
  }
  const given = <T>(acted: T | undefined): T => {
    if (acted === undefined) throw new Error('the vendor did not act')
    return acted
  }

  async function book(order: BookOrder, context: CallContext): Promise<Receipt> {
    const { reference } = order
    calls.push({ what: 'book', reference })
    const fault = choices.pick(BOOK_FAULTS)
    const trip = { reachMs: choices.pick(DELAYS_MS), backMs: choices.pick(DELAYS_MS) }
    const act = () => accept(order, 'no')
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
      case 'throttled':
        return exchange<Receipt>(context, { ...trip, answer: throwing(fail('throttled', 'none')) })
      case 'delivered_twice':
        if (traits.deduplicates) exchange(context, { ...trip, act }).catch(() => undefined)
        return exchange(context, { reachMs: trip.reachMs, backMs: trip.backMs, act, answer: given })
      case 'on_request':
        return exchange(context, { ...trip, act: () => accept(order, 'accepts'), answer: given })
      case 'on_request_declined':
        return exchange(context, { ...trip, act: () => accept(order, 'declines'), answer: given })
      case 'adapter_bug':
        return exchange<Receipt>(context, { ...trip, act, answer: throwing(new TypeError('injected')) })
      case 'price_refused':
        return exchange<Receipt>(context, { ...trip, answer: throwing(fail('price_changed', 'none')) })
      case 'other_hotel':
      case 'other_dates':
      case 'billed_more':
        return exchange(context, { ...trip, act: () => accept(order, 'no', OTHER[fault]), answer: given })
    }
  }

  async function find({ reference }: BookingLookup, context: CallContext): Promise<Receipt | undefined> {
    calls.push({ what: 'find', reference })
    const isSilent = time.now() < openedAt + traits.silentForMs
    const fault = isSilent ? 'error' : choices.pick(FIND_FAULTS)
    const trip = { reachMs: choices.pick(DELAYS_MS), backMs: choices.pick(DELAYS_MS) }
    if (fault === 'hangs') return exchange(context, trip)
    const failure = fault === 'error' ? 'unavailable' : 'malformed'
    if (fault !== 'none') return exchange(context, { ...trip, answer: throwing(fail(failure, 'unknown')) })
    // Once only: twice would be as good as gone, also if our crash has lost what the vendor said between.
    const isForgotten = forgets && !forgotten.has(reference) && choices.pick([false, false, true])
    if (isForgotten) forgotten.add(reference)
    return exchange(context, {
      ...trip,
      act: () => (isForgotten ? undefined : shown(reference)),
      answer: (acted) => acted,
    })
  }

  async function cancel({ reference }: BookingLookup, context: CallContext): Promise<Receipt> {
    calls.push({ what: 'cancel', reference })
    const fault = choices.pick(CANCEL_FAULTS)
    const trip = { reachMs: choices.pick(DELAYS_MS), backMs: choices.pick(DELAYS_MS) }
    const act = () => markCancelled(reference)
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
          act: () => ({ ...markCancelled(reference), state: 'pending' as const }),
          answer: given,
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
      calls.push({ what: 'priceCheck', reference: '' })
      const fault = choices.pick(PRICE_FAULTS)
      if (fault === 'error') throw fail('unavailable', 'none')
      if (fault === 'expired') throw fail('expired', 'none')
      await time.sleep(choices.pick(DELAYS_MS))
      if (context.signal.aborted) throw fail('timeout', 'none')
      if (fault === 'sold_out') return { status: 'sold_out' }
      return checkedTerms(fault === 'none' ? termsNameOf(ref) : fault, ref, time.now() + 600_000)
    },
    book,
    find,
    previewCancel: async () => choices.pick([{ fee: euro(100) }, undefined]),
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
    /** The vendor changes its n-th booking, if it has so many and has not cancelled it for us. */
    change(nth: number, what: Change): string | undefined {
      if (what === 'vanishes' && !forgets) return undefined
      const one = kept.filter(({ cancelledAt, accepted }) => cancelledAt === undefined && accepted)[nth]
      if (one !== undefined) replace(one, changed(one, what))
      return one?.reference
    },
    /** Only bookings that are read again are ever forgotten: what settles a doubt must be true. */
    mayForget(isAllowed: boolean) {
      forgets = isAllowed
    },
  }
}
