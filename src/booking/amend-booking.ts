import type { BookingOwner } from '../domain/access.ts'
import type { Actor } from '../domain/actor.ts'
import { type Booking, type BookingGuest, type BookingPersons, bookingTime } from '../domain/booking/booking.ts'
import type { PricedParts } from '../domain/booking/reprice-booking.ts'
import { AppError, invalidRequest } from '../domain/errors.ts'
import { sameMoney } from '../domain/money/money.ts'
import type { Simulation } from '../domain/simulation.ts'
import type { RequestContext } from '../lib/async/call-context.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import { startDeadline } from '../lib/time/deadline.ts'
import { dateIn } from '../lib/time/plain-date.ts'
import type { World, Worlds } from '../search/world.ts'
import type { Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import { createPriceConsent, type PriceConsent } from './price-consent.ts'
import { adviseByState, isRefusal, vendorFailure } from './refusals.ts'
import { bookingLookup, contextForBooking, findVendor } from './settle/settle-bookings.ts'
import { readVisibleBooking, sampleBooking } from './show-bookings.ts'
import type { BookingStore } from './store/bookings.ts'

export type AmendOrder = BookingOwner & {
  readonly bookingId: string
  /** One lead guest per room; undefined leaves them unchanged. */
  readonly guests: readonly BookingGuest[] | undefined
  readonly specialRequests: string | undefined
  /** Accepted total of the changed booking in major units; without it, every other total is refused. */
  readonly acceptPriceUpTo?: number | undefined
  readonly actor: Actor
  readonly simulation?: Simulation | undefined
  /** Throws unless the booking is the version that the client has read. */
  readonly precondition?: ((booking: Booking) => void) | undefined
}
export type AmendBooking = (order: AmendOrder, context: RequestContext) => Promise<Booking>

type Deps = { readonly bookings: BookingStore; readonly worlds: Worlds; readonly clock: Clock; readonly ids: Ids }

const AMEND_TIMEOUT_MS = 30_000
/** A reading between the vendor's change and ours would report a discrepancy. */
const HOLD_READING_MS = AMEND_TIMEOUT_MS + 15_000

/** Changes the vendor's copy first. Repeating is harmless, and the next reading detects a change that was lost. */
export function createAmendBooking(deps: Deps): AmendBooking {
  return (order, context) => amendOne(deps, order, context)
}

async function amendOne(deps: Deps, order: AmendOrder, context: RequestContext, earlier?: Attempt): Promise<Booking> {
  const { accountId, bookingId, simulation } = order
  const stored = await readVisibleBooking(deps.bookings, order, bookingId)
  const world = deps.worlds.select(simulation, stored)
  if (stored !== undefined && world.simulated && !stored.simulated)
    throw notAmendable('This is a real booking. Omit x-simulate-return to change it.')
  const booking = stored ?? (await sampleBooking(deps, world, accountId, bookingId))
  order.precondition?.(booking)
  const amended = amendedBooking(booking, order)
  const vendor = requireAmendable(deps, world, booking)
  if (stored !== undefined) await deps.bookings.holdReading(bookingId, deps.clock.now() + HOLD_READING_MS)
  const consent = createPriceConsent(booking, order)
  await sendAmendment(vendor, amended, consent, context)
  // The vendor charges a repeated change only once.
  const priced = consent.accepted() ?? (earlier && samePrice(earlier.booking, booking) ? earlier.priced : undefined)
  if (stored === undefined) return { ...amended, ...priced }
  const change = { before: booking.persons, after: amended.persons, priced }
  const by = { actor: order.actor, requestId: context.requestId }
  const facts = { at: deps.clock.now(), by, precondition: order.precondition }
  const after = await deps.bookings.amend(bookingId, change, facts).catch(async (error: unknown) => {
    if (error instanceof AppError && error.code === 'precondition_failed')
      await restoreAtVendor(deps, vendor, order, context)
    throw error
  })
  if (after !== undefined) return after
  // Ours may have overwritten a concurrent change at the vendor. Send both together.
  if (earlier === undefined) return amendOne(deps, order, context, { booking, priced })
  throw notAmendable('The booking was changed concurrently. Read it and send your change again.')
}

/** A change that the vendor made, but that lost against another one here. */
type Attempt = { readonly booking: Booking; readonly priced: PricedParts | undefined }

const samePrice = (a: Booking, b: Booking) => sameMoney(a.price.total, b.price.total)

/** Sends the stored persons again after the vendor took a change that lost against another one here. */
async function restoreAtVendor(deps: Deps, vendor: Vendor, order: AmendOrder, context: RequestContext): Promise<void> {
  const stored = await readVisibleBooking(deps.bookings, order, order.bookingId)
  if (stored?.state !== 'confirmed') return
  const consent: PriceConsent = { acceptsPrice: () => true, refused: () => undefined, accepted: () => undefined }
  await sendAmendment(vendor, stored, consent, context).catch((cause: unknown) => {
    const reason = 'Another change was stored first, and the vendor may still have yours. Read the booking again.'
    throw new AppError('change_unconfirmed', reason, { cause })
  })
}

function amendedBooking(booking: Booking, { guests, specialRequests }: AmendOrder): Booking {
  const { persons, stay } = booking
  const rooms = stay.occupancies.length
  if (guests !== undefined && guests.length !== rooms) {
    const message = `guests must name one lead guest for each of the ${rooms} rooms.`
    throw invalidRequest([{ field: 'guests', code: 'wrong_length', message }])
  }
  return {
    ...booking,
    persons: {
      ...persons,
      ...(guests !== undefined && withGuests(persons, guests)),
      specialRequests: specialRequests ?? persons.specialRequests,
    },
  }
}

/** A new lead guest replaces the old one as contact, except for an address or number that is missing. */
function withGuests(persons: BookingPersons, guests: readonly BookingGuest[]) {
  const { contact, bookedEmail = contact.email, formerEmails = [] } = persons
  const [before] = persons.guests
  const [lead] = guests
  const isGuestEmail = contact.email === before?.email || formerEmails.includes(contact.email)
  const email = (isGuestEmail && lead?.email) || contact.email
  const phone = (contact.phone === before?.phone && lead?.phone) || contact.phone
  return { guests, contact: { email, phone }, ...(email !== contact.email && { bookedEmail }) }
}

function requireAmendable({ clock }: Deps, world: World, booking: Booking): Vendor {
  const { state } = booking
  if (state !== 'confirmed') throw notAmendable(`A booking that is ${state} cannot be changed.${adviseByState(state)}`)
  if (dateIn(booking.property.timezone, bookingTime(clock.now(), booking)) > booking.stay.checkIn)
    throw notAmendable('The stay has begun.')
  const vendor = findVendor(world, booking)
  if (vendor?.amend === undefined)
    throw notAmendable('The vendor does not support changes. Cancel the booking and book again, or ask the property.')
  return vendor
}

async function sendAmendment(
  vendor: Vendor,
  booking: Booking,
  consent: PriceConsent,
  context: RequestContext,
): Promise<void> {
  using deadline = startDeadline(AMEND_TIMEOUT_MS)
  const { guests, specialRequests } = booking.persons
  const calling = { ...contextForBooking(booking, context), signal: deadline.signal }
  try {
    const { acceptsPrice } = consent
    await vendor.amend?.(bookingLookup(booking), { guests, specialRequests, stay: booking.stay, acceptsPrice }, calling)
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    if (error.fault === 'price_changed')
      throw (
        consent.refused() ?? notAmendable('The vendor would charge an unknown price. The booking is unchanged.', error)
      )
    if (isRefusal(error)) throw notAmendable('The vendor refused to change this booking. It is unchanged.', error)
    if (error.effect === 'none') throw vendorFailure(error, 'Nothing was changed')
    throw new AppError('change_unconfirmed', 'The vendor has not confirmed the change. Send the same change again.', {
      cause: error,
    })
  }
}

const notAmendable = (reason: string, cause?: unknown) => new AppError('not_amendable', reason, { cause })
