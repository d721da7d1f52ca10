import type { BookingOwner } from '../domain/access.ts'
import type { Actor } from '../domain/actor.ts'
import { type Booking, type BookingGuest, type BookingPersons, timeOf } from '../domain/booking/booking.ts'
import { AppError, invalidRequest } from '../domain/errors.ts'
import type { SimulatedOutcome } from '../domain/simulation.ts'
import type { RequestContext } from '../lib/async/call-context.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import { startDeadline } from '../lib/time/deadline.ts'
import { dateIn } from '../lib/time/plain-date.ts'
import type { World, Worlds } from '../search/world.ts'
import type { Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import { isRefusal, vendorFailed } from './refusals.ts'
import { callContextOf, lookupOf, vendorOf } from './settle/settle-bookings.ts'
import { noSuchBooking, sampleBooking, visibleTo } from './show-bookings.ts'
import type { BookingStore } from './store/bookings.ts'

export type AmendOrder = BookingOwner & {
  readonly bookingId: string
  /** One lead guest a room; undefined leaves them as they are. */
  readonly guests: readonly BookingGuest[] | undefined
  readonly specialRequests: string | undefined
  readonly actor: Actor
  readonly simulation?: SimulatedOutcome | undefined
}
export type AmendBooking = (order: AmendOrder, context: RequestContext) => Promise<Booking>

type Deps = { readonly bookings: BookingStore; readonly worlds: Worlds; readonly clock: Clock; readonly ids: Ids }

const AMEND_TIMEOUT_MS = 30_000
/** A reading made after the vendor has the change and before we have stored it would report a difference. */
const HOLD_READING_MS = AMEND_TIMEOUT_MS + 15_000

/**
 * Changes who arrives and what they wish for, first at the vendor and then here. Sending the same again does no harm, so a
 * lost answer needs no more than that; should nobody do it, the next reading finds the difference.
 */
export function createAmendBooking(deps: Deps): AmendBooking {
  return (order, context) => amendOne(deps, order, context)
}

async function amendOne(deps: Deps, order: AmendOrder, context: RequestContext, isRepeated = false): Promise<Booking> {
  const { accountId, bookingId, simulation } = order
  const stored = await visibleTo(deps.bookings, order, bookingId)
  const world = deps.worlds.of(simulation, stored)
  if (stored === undefined && !world.simulated) throw noSuchBooking()
  if (stored !== undefined && world.simulated && !stored.simulated)
    throw notAmendable('This booking is real: leave x-simulate-return out to change it.')
  const booking = stored ?? (world.simulated ? await sampleBooking(deps, world, accountId, bookingId) : undefined)
  if (booking === undefined) throw noSuchBooking()
  const amended = amendedBooking(booking, order)
  const vendor = amendable(deps, world, booking)
  if (stored !== undefined) await deps.bookings.holdReading(bookingId, deps.clock.now() + HOLD_READING_MS)
  await atVendor(vendor, amended, context)
  if (stored === undefined) return amended
  const change = { before: booking.persons, after: amended.persons }
  const by = { actor: order.actor, requestId: context.requestId }
  const after = await deps.bookings.amend(bookingId, change, { at: deps.clock.now(), by })
  if (after !== undefined) return after
  // Ours may have undone the change that came between at the vendor: both are sent together.
  if (!isRepeated) return amendOne(deps, order, context, true)
  throw notAmendable('The booking has just been changed by others; read it and send your change again.')
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

/**
 * If the contact is the lead guest who is replaced, the new lead guest becomes the contact. Without an e-mail address or phone
 * number of the new one the old contact stays, so that somebody can be reached.
 */
function withGuests(persons: BookingPersons, guests: readonly BookingGuest[]) {
  const { contact, bookedEmail = contact.email, formerEmails = [] } = persons
  const [before] = persons.guests
  const [lead] = guests
  const isGuests = contact.email === before?.email || formerEmails.includes(contact.email)
  const email = (isGuests && lead?.email) || contact.email
  const phone = (contact.phone === before?.phone && lead?.phone) || contact.phone
  return { guests, contact: { email, phone }, ...(email !== contact.email && { bookedEmail }) }
}

function amendable({ clock }: Deps, world: World, booking: Booking): Vendor {
  if (booking.state !== 'confirmed') throw notAmendable(`A booking that is ${booking.state} cannot be changed.`)
  if (dateIn(booking.property.timezone, timeOf(clock.now(), booking)) > booking.stay.checkIn)
    throw notAmendable('The stay has begun.')
  const vendor = vendorOf(world, booking)
  if (vendor?.amend === undefined)
    throw notAmendable('Its vendor cannot change bookings; cancel it and book again, or ask the property.')
  return vendor
}

async function atVendor(vendor: Vendor, booking: Booking, context: RequestContext): Promise<void> {
  using deadline = startDeadline(AMEND_TIMEOUT_MS)
  const { guests, specialRequests } = booking.persons
  const calling = { ...callContextOf(booking, context), signal: deadline.signal }
  try {
    await vendor.amend?.(lookupOf(booking), { guests, specialRequests, stay: booking.stay }, calling)
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    if (isRefusal(error)) throw notAmendable('The vendor refused to change this booking; it stands as before.', error)
    if (error.effect === 'none') throw vendorFailed(error, 'Nothing was changed')
    throw new AppError('change_unconfirmed', 'The vendor has not confirmed the change. Send the same change again.', {
      cause: error,
    })
  }
}

const notAmendable = (words: string, cause?: unknown) => new AppError('not_amendable', words, { cause })
