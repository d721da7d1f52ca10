import { setTimeout as sleep } from 'node:timers/promises'
import type { CallContext } from '../../lib/async/call-context.ts'
import { foldText } from '../../lib/text/fold-text.ts'
import type { Amendment, BookingLookup, BookOrder, Guest, Receipt } from '../contract.ts'
import type { Reply } from '../transport/call.ts'
import type { Caller } from '../transport/caller.ts'
import { unlessNotFound, VendorError } from '../vendor-error.ts'
import type { ExpediaRapidConfig } from './config.ts'
import { cancelFeeOf, type Itinerary, pickItinerary, readCreated, readItinerary, receiptOf } from './decode-booking.ts'
import { encodeBook, encodeCancel, encodeChange, encodeFind, encodeFollow, encodeRetrieve } from './encode.ts'
import { errorTypes, malformed, RAPID } from './failure.ts'
import { apiPath } from './wire.ts'

type Rapid = Caller<ExpediaRapidConfig>

/** After so long Rapid itself has given up. */
export const BOOK_CALL_MS = 120_000

/**
 * The only call that costs money. An itinerary number in the body means that the booking exists, whatever the status;
 * a 201 is the vendor's confirmation even when the details cannot be read afterwards.
 */
export async function book(rapid: Rapid, order: BookOrder, context: CallContext): Promise<Receipt> {
  const path = apiPath(order.ref.book, rapid.config.baseUrl)
  if (path === undefined) throw malformed('a booking without a checked price')
  const call = encodeBook(rapid.config, order, path)
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(BOOK_CALL_MS)])
  const reply = await rapid.exchange(call, { ...context, signal })
  const created = readCreated(reply.body, rapid.config.baseUrl)
  if (created.id === '') {
    const failure = rapid.failureOf(call, reply) ?? malformed('booked without a number', 'unknown')
    if (reply.status !== 409 && reply.status !== 410) throw failure
    return lookAfterRefusal(rapid, order, failure, context)
  }
  if (created.isChallenged) return { state: 'pending', vendorReference: created.id }
  const details = await detailsOf(rapid, created, order.contact.email, context)
  if (details !== undefined && details.rooms.length > 0) return receiptOf(details)
  return { state: reply.status === 201 ? 'confirmed' : 'pending', vendorReference: created.id }
}

/**
 * A refusal for the price or the room is not final: the booking may exist, and is looked up once it would be visible. Only
 * then is its absence the end of it.
 */
async function lookAfterRefusal(rapid: Rapid, order: BookOrder, refusal: VendorError, context: CallContext) {
  const { reference, contact, stay } = order
  const lookup: BookingLookup = { reference, email: contact.email, createdOn: stay.checkIn }
  const found = await sleep(rapid.config.lookAfterRefusalMs, undefined, { signal: context.signal })
    .then(() => findItinerary(rapid, lookup, context))
    .catch((error: unknown) => {
      throw error instanceof VendorError || context.signal.aborted ? refusal : error
    })
  if (found !== undefined) return receiptOf(found)
  const { fault, detail } = refusal
  throw new VendorError(RAPID, fault, 'none', { detail: `${detail}, and no booking was found afterwards` })
}

async function detailsOf(
  rapid: Rapid,
  { id, retrievePath }: ReturnType<typeof readCreated>,
  email: string,
  context: CallContext,
): Promise<Itinerary | undefined> {
  const call = retrievePath === undefined ? encodeRetrieve(rapid.config, id, email) : encodeFollow(retrievePath)
  try {
    const { body } = await rapid.ask(call, context)
    const details = readItinerary(body, rapid.config.baseUrl, rapid.clock.now())
    return details?.id === id ? details : undefined
  } catch (error) {
    if (error instanceof VendorError) return undefined
    throw error
  }
}

/** By our reference; by the vendor's own number too, once it is known. */
export async function findItinerary(
  rapid: Rapid,
  lookup: BookingLookup,
  context: CallContext,
): Promise<Itinerary | undefined> {
  const { reference, vendorReference, email } = lookup
  const pick = ({ body }: Reply, wanted: string) => pickItinerary(body, wanted, rapid.config.baseUrl, rapid.clock.now())
  const reply = await unlessNotFound(rapid.ask(encodeFind(rapid.config, lookup), context))
  const found = reply && pick(reply, reference)
  if (found !== undefined || vendorReference === undefined) return found
  const byNumber = await unlessNotFound(rapid.ask(encodeRetrieve(rapid.config, vendorReference, email), context))
  return byNumber && pick(byNumber, '')
}

export async function knownItinerary(rapid: Rapid, lookup: BookingLookup, context: CallContext): Promise<Itinerary> {
  const itinerary = await findItinerary(rapid, lookup, context)
  if (itinerary === undefined) throw new VendorError(RAPID, 'not_found', 'none', { detail: 'no such itinerary' })
  return itinerary
}

/** Room by room, as Rapid wants it; what is already cancelled counts as done. */
export async function cancel(rapid: Rapid, lookup: BookingLookup, context: CallContext): Promise<Receipt> {
  const itinerary = await knownItinerary(rapid, lookup, context)
  const fee = cancelFeeOf(itinerary)
  const open = itinerary.rooms.filter((room) => !room.isCancelled)
  const paths = itinerary.rooms.length === 0 ? [itinerary.cancelPath] : open.map((room) => room.cancelPath)
  let done = 0
  let accepted = 0
  for (const path of paths) {
    try {
      if ((await cancelOne(rapid, path, context)) === 'accepted') accepted += 1
      done += 1
    } catch (error) {
      throw done === 0 ? error : partlyDone(error, `${done} of ${paths.length} rooms cancelled`)
    }
  }
  if (accepted > 0) await assertThat(rapid, lookup, (now) => receiptOf(now).state === 'cancelled', context)
  return { state: 'cancelled', vendorReference: itinerary.id, ...(fee === undefined ? {} : { cancelFee: fee }) }
}

/** Room by room. Changing the same twice does no harm, so an answer that is lost is no more than that. */
export async function amend(
  rapid: Rapid,
  lookup: BookingLookup,
  { guests, specialRequests }: Amendment,
  context: CallContext,
): Promise<void> {
  const { rooms } = await knownItinerary(rapid, lookup, context)
  const changes = rooms.flatMap(({ changePath, isCancelled, guest }, place) =>
    isCancelled ? [] : [{ path: changePath, guest: guests[place] ?? guest }],
  )
  if (changes.length === 0 || changes.some(({ path }) => path === undefined))
    throw new VendorError(RAPID, 'refused', 'none', { detail: 'this booking has no way to change it' })
  let isAccepted = false
  for (const [done, { path = '', guest }] of changes.entries()) {
    const call = encodeChange(path, guest, specialRequests.trim())
    const { status } = await rapid.ask(call, context).catch((error: unknown) => {
      throw done === 0 ? error : partlyDone(error, `${done} of ${changes.length} rooms changed`)
    })
    if (status !== 204) isAccepted = true
  }
  const wanted = changes.map(({ guest }) => guest)
  if (isAccepted) await assertThat(rapid, lookup, ({ rooms: now }) => areNamed(now, wanted), context)
}

/** Whether the rooms that are not cancelled have these guests; Rapid may change letters to capitals. */
function areNamed(rooms: Itinerary['rooms'], guests: readonly Guest[]): boolean {
  const named = ({ givenName, familyName }: Guest) => foldText(`${givenName} ${familyName}`)
  const open = rooms.filter((room) => !room.isCancelled)
  return guests.every((guest, place) => {
    const room = open[place]
    return room !== undefined && named(room.guest) === named(guest)
  })
}

/** `accepted` is a 202: Rapid took the request, the outcome is not known. */
async function cancelOne(
  rapid: Rapid,
  path: string | undefined,
  context: CallContext,
): Promise<'cancelled' | 'accepted'> {
  if (path === undefined)
    throw new VendorError(RAPID, 'refused', 'none', { detail: 'this booking has no way to cancel' })
  const call = encodeCancel(path)
  const reply = await rapid.exchange(call, context)
  if (errorTypes(reply.body).includes('room_already_cancelled')) return 'cancelled'
  const failure = rapid.failureOf(call, reply)
  if (failure !== undefined) throw failure
  return reply.status === 204 ? 'cancelled' : 'accepted'
}

/** A 202 only says that the request is valid, so the booking is read to see whether it was carried out. */
async function assertThat(
  rapid: Rapid,
  lookup: BookingLookup,
  isDone: (itinerary: Itinerary) => boolean,
  context: CallContext,
): Promise<void> {
  const unsure = (cause?: unknown) =>
    new VendorError(RAPID, 'unavailable', 'unknown', { detail: 'accepted, outcome not known', cause })
  const now = await findItinerary(rapid, lookup, context).catch((error: unknown) => {
    throw error instanceof VendorError ? unsure(error) : error
  })
  if (now === undefined || !isDone(now)) throw unsure()
}

/** Only some rooms were cancelled or changed before an error: the booking is no longer as it was, whatever the error says. */
function partlyDone(error: unknown, done: string): unknown {
  if (!(error instanceof VendorError)) return error
  return new VendorError(RAPID, error.fault, 'unknown', { detail: `${done}, then ${error.fault}`, cause: error })
}
