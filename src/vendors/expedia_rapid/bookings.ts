import { setTimeout as sleep } from 'node:timers/promises'
import type { CallContext } from '../../lib/async/call-context.ts'
import { foldText } from '../../lib/text/fold-text.ts'
import type { Amendment, BookingLookup, BookOrder, Guest, Receipt } from '../contract.ts'
import type { Reply } from '../transport/call.ts'
import type { Caller } from '../transport/caller.ts'
import { unlessNotFound, VendorError } from '../vendor-error.ts'
import type { ExpediaRapidConfig } from './config.ts'
import {
  type Itinerary,
  pickItinerary,
  readCreated,
  readItinerary,
  sumCancelFees,
  toReceipt,
} from './decode-booking.ts'
import { encodeBook, encodeCancel, encodeChange, encodeFind, encodeFollow, encodeRetrieve } from './encode.ts'
import { errorTypes, malformed, RAPID } from './failure.ts'
import { apiPath } from './wire.ts'

type Rapid = Caller<ExpediaRapidConfig>

/** Rapid's own timeout. */
export const BOOK_CALL_MS = 120_000

/**
 * The only call that costs money. An itinerary number in the body proves that the booking exists, whatever the status;
 * a 201 is a confirmation even if the details cannot be read.
 */
export async function book(rapid: Rapid, order: BookOrder, context: CallContext): Promise<Receipt> {
  const path = apiPath(order.ref.book, rapid.config.baseUrl)
  if (path === undefined) throw malformed('the offer reference has no booking link')
  const call = encodeBook(rapid.config, order, path)
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(BOOK_CALL_MS)])
  const reply = await rapid.exchange(call, { ...context, signal })
  const created = readCreated(reply.body, rapid.config.baseUrl)
  if (created.id === '') {
    const failure = rapid.readFailure(call, reply) ?? malformed('the response has no itinerary number', 'unknown')
    if (reply.status !== 409 && reply.status !== 410) throw failure
    return findAfterRefusal(rapid, order, failure, context)
  }
  if (created.isChallenged) return { state: 'pending', vendorReference: created.id }
  const details = await fetchDetails(rapid, created, order.contact.email, context)
  if (details !== undefined && details.rooms.length > 0) return toReceipt(details)
  return { state: reply.status === 201 ? 'confirmed' : 'pending', vendorReference: created.id }
}

/**
 * A refusal because of price or availability is not final: the booking may exist. Looks it up once it would be visible;
 * only then is its absence proof.
 */
async function findAfterRefusal(rapid: Rapid, order: BookOrder, refusal: VendorError, context: CallContext) {
  const { reference, contact, stay } = order
  const lookup: BookingLookup = { reference, email: contact.email, createdOn: stay.checkIn }
  const found = await sleep(rapid.config.lookAfterRefusalMs, undefined, { signal: context.signal })
    .then(() => findItinerary(rapid, lookup, context))
    .catch((error: unknown) => {
      throw error instanceof VendorError || context.signal.aborted ? refusal : error
    })
  if (found !== undefined) return toReceipt(found)
  const { fault, detail } = refusal
  throw new VendorError(RAPID, fault, 'none', { detail: `${detail}, and no booking was found afterwards` })
}

async function fetchDetails(
  rapid: Rapid,
  { id, retrievePath }: ReturnType<typeof readCreated>,
  email: string,
  context: CallContext,
): Promise<Itinerary | undefined> {
  const call = retrievePath === undefined ? encodeRetrieve(rapid.config, id, email) : encodeFollow(retrievePath)
  try {
    const { body } = await rapid.request(call, context)
    const details = readItinerary(body, rapid.config.baseUrl, rapid.clock.now())
    return details?.id === id ? details : undefined
  } catch (error) {
    if (error instanceof VendorError) return undefined
    throw error
  }
}

/** Looks up by our reference, then by the vendor's number if it is known. */
export async function findItinerary(
  rapid: Rapid,
  lookup: BookingLookup,
  context: CallContext,
): Promise<Itinerary | undefined> {
  const { reference, vendorReference, email } = lookup
  const pick = ({ body }: Reply, wanted: string) => pickItinerary(body, wanted, rapid.config.baseUrl, rapid.clock.now())
  const reply = await unlessNotFound(rapid.request(encodeFind(rapid.config, lookup), context))
  const found = reply && pick(reply, reference)
  if (found !== undefined || vendorReference === undefined) return found
  const byNumber = await unlessNotFound(rapid.request(encodeRetrieve(rapid.config, vendorReference, email), context))
  return byNumber && pick(byNumber, '')
}

export async function requireItinerary(rapid: Rapid, lookup: BookingLookup, context: CallContext): Promise<Itinerary> {
  const itinerary = await findItinerary(rapid, lookup, context)
  if (itinerary === undefined) throw new VendorError(RAPID, 'not_found', 'none', { detail: 'no such itinerary' })
  return itinerary
}

/** Rapid cancels room by room. Rooms that are already cancelled are skipped. */
export async function cancel(rapid: Rapid, lookup: BookingLookup, context: CallContext): Promise<Receipt> {
  const itinerary = await requireItinerary(rapid, lookup, context)
  const fee = sumCancelFees(itinerary)
  const open = itinerary.rooms.filter((room) => !room.isCancelled)
  const paths = itinerary.rooms.length === 0 ? [itinerary.cancelPath] : open.map((room) => room.cancelPath)
  let done = 0
  let accepted = 0
  for (const path of paths) {
    try {
      if ((await cancelRoom(rapid, path, context)) === 'accepted') accepted += 1
      done += 1
    } catch (error) {
      throw done === 0 ? error : partlyDone(error, `${done} of ${paths.length} rooms cancelled`)
    }
  }
  if (accepted > 0) await verifyAccepted(rapid, lookup, (current) => toReceipt(current).state === 'cancelled', context)
  return { state: 'cancelled', vendorReference: itinerary.id, ...(fee === undefined ? {} : { cancelFee: fee }) }
}

/** Rapid changes room by room. Changes are idempotent, so a lost response is harmless. */
export async function amend(
  rapid: Rapid,
  lookup: BookingLookup,
  { guests, specialRequests }: Amendment,
  context: CallContext,
): Promise<void> {
  const { rooms } = await requireItinerary(rapid, lookup, context)
  const changes = rooms.flatMap(({ changePath, isCancelled, guest }, index) =>
    isCancelled ? [] : [{ path: changePath, guest: guests[index] ?? guest }],
  )
  if (changes.length === 0 || changes.some(({ path }) => path === undefined))
    throw new VendorError(RAPID, 'refused', 'none', { detail: 'the booking cannot be changed' })
  let isAccepted = false
  for (const [done, { path = '', guest }] of changes.entries()) {
    const call = encodeChange(path, guest, specialRequests.trim())
    const { status } = await rapid.request(call, context).catch((error: unknown) => {
      throw done === 0 ? error : partlyDone(error, `${done} of ${changes.length} rooms changed`)
    })
    if (status !== 204) isAccepted = true
  }
  const wanted = changes.map(({ guest }) => guest)
  if (isAccepted) await verifyAccepted(rapid, lookup, ({ rooms: current }) => haveGuests(current, wanted), context)
}

/** Compares the guests of the rooms that are not cancelled. Rapid may change letters to capitals. */
function haveGuests(rooms: Itinerary['rooms'], guests: readonly Guest[]): boolean {
  const fullName = ({ givenName, familyName }: Guest) => foldText(`${givenName} ${familyName}`)
  const open = rooms.filter((room) => !room.isCancelled)
  return guests.every((guest, index) => {
    const room = open[index]
    return room !== undefined && fullName(room.guest) === fullName(guest)
  })
}

/** `accepted` is a 202: Rapid took the request, the outcome is not known. */
async function cancelRoom(
  rapid: Rapid,
  path: string | undefined,
  context: CallContext,
): Promise<'cancelled' | 'accepted'> {
  if (path === undefined) throw new VendorError(RAPID, 'refused', 'none', { detail: 'the booking cannot be cancelled' })
  const call = encodeCancel(path)
  const reply = await rapid.exchange(call, context)
  if (errorTypes(reply.body).includes('room_already_cancelled')) return 'cancelled'
  const failure = rapid.readFailure(call, reply)
  if (failure !== undefined) throw failure
  return reply.status === 204 ? 'cancelled' : 'accepted'
}

/** A 202 only confirms that the request is valid. Reads the booking to verify that it was carried out. */
async function verifyAccepted(
  rapid: Rapid,
  lookup: BookingLookup,
  isDone: (itinerary: Itinerary) => boolean,
  context: CallContext,
): Promise<void> {
  const unknownOutcome = (cause?: unknown) =>
    new VendorError(RAPID, 'unavailable', 'unknown', { detail: 'accepted, outcome not known', cause })
  const itinerary = await findItinerary(rapid, lookup, context).catch((error: unknown) => {
    throw error instanceof VendorError ? unknownOutcome(error) : error
  })
  if (itinerary === undefined || !isDone(itinerary)) throw unknownOutcome()
}

/** Some rooms were already cancelled or changed before the error, so the effect is unknown. */
function partlyDone(error: unknown, progress: string): unknown {
  if (!(error instanceof VendorError)) return error
  return new VendorError(RAPID, error.fault, 'unknown', { detail: `${progress}, then ${error.fault}`, cause: error })
}
