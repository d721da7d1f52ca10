import { bookingAnswer } from '../../booking/present/booking.ts'
import { presentHistory } from '../../booking/present/history.ts'
import { createAskVendor, inRounds, mayBeInProgress } from '../../booking/settle/ask-vendor.ts'
import type { StoredAnswer } from '../../booking/store/answers.ts'
import type { BookingStore } from '../../booking/store/bookings.ts'
import { byOperator } from '../../domain/actor.ts'
import {
  BOOKING_STATES,
  type Booking,
  type BookingState,
  isReadAgain,
  ROOM_STATES,
  SETTLED_STATES,
} from '../../domain/booking/booking.ts'
import { describeDiscrepancy } from '../../domain/booking/describe-discrepancy.ts'
import { isOpen } from '../../domain/booking/discrepancy.ts'
import { type Clock, systemClock } from '../../lib/time/clock.ts'
import { addDays, dateIn } from '../../lib/time/plain-date.ts'
import type { Attention } from '../../operator/attention/attention.ts'
import { RESOLUTIONS, type Resolution, type ResolveRefusal, resolveReview } from '../../operator/resolve-review.ts'
import { runOrder } from '../audited.ts'
import { type Command, plain, print, WrongArgument } from '../command.ts'
import { alignedTable, describeBooking, listLine } from '../format-booking.ts'
import { operatorName } from '../operator-name.ts'
import { type Order, readVerb } from '../read-verb.ts'
import { withApp } from '../with-app.ts'

type BookingsCommandDeps = {
  readonly bookings: Pick<
    BookingStore,
    'recent' | 'any' | 'events' | 'readings' | 'differing' | 'promptReadings' | 'move'
  >
  readonly settle: {
    /** Asks about the bookings that are due and not leased by a process; returns how many. */
    due(): Promise<number>
    /** Asks the vendor about this booking, due or not. */
    one(booking: Booking): Promise<void>
  }
  /** One round of reading bookings again that are due. */
  read(): Promise<number>
  /** The answer to a repeated request, if none was stored yet. */
  present(booking: Booking, reason?: string): StoredAnswer
  readonly attention: Pick<Attention, 'settle'>
  readonly clock: Clock
  /** Who gives the commands. */
  readonly operator: string
}

const USAGE = `serai bookings list [--status STATE] [--limit N]     newest first
serai bookings show ID [--persons]                   one booking with its history; --persons shows e-mail and phone
serai bookings settle [ID]                           asks the vendors now about bookings without a final state
serai bookings read ID                               reads a booking again at its vendor, now
serai bookings discrepancies [--limit N]             bookings of which the vendor says something else than was agreed
serai bookings export ID                             the whole history as JSON: events, who caused them, the vendor's versions
serai bookings resolve ID confirmed|rejected|cancelled [--vendor-reference REF] [--reason TEXT]
                       [--rooms STATE,STATE…]        ends a review; the customer sees the reason. --rooms says how each
                                                     room ends: confirmed or cancelled, in their order

States: ${BOOKING_STATES.join(', ')}`

const VERBS = {
  list: '--status --limit',
  show: 'ID --persons',
  settle: '[ID]',
  read: 'ID',
  discrepancies: '--limit',
  export: 'ID',
  resolve: 'ID STATE --vendor-reference --reason --rooms',
}
const CHANGING = ['settle', 'read', 'resolve']
const UNSETTLED = BOOKING_STATES.filter((state) => !SETTLED_STATES.includes(state))
const LISTED = 50
const LISTED_MAX = 1_000

export const bookings: Command = {
  usage: USAGE,
  async run(args) {
    const order = readBookings(args)
    return withApp((app) =>
      runOrder(app.operator.audit, 'bookings', CHANGING, order, {
        bookings: app.operator.bookings,
        settle: { due: app.settleBookings, one: app.operator.settleOne },
        read: app.readBookings,
        present: bookingAnswer,
        attention: app.operator.attention,
        clock: systemClock,
        operator: operatorName(),
      }),
    )
  },
}

const OPTIONS = {
  status: { type: 'string' },
  limit: { type: 'string' },
  persons: { type: 'boolean' },
  'vendor-reference': { type: 'string' },
  reason: { type: 'string' },
  rooms: { type: 'string' },
} as const

export function readBookings(args: string[]): Order<BookingsCommandDeps> {
  const { verb, words, values } = readVerb(args, VERBS, OPTIONS)
  const [id = '', ending = ''] = words
  const status = readStatus(values.status)
  const limit = readLimit(values.limit)
  const order = (work: Order<BookingsCommandDeps>['work']) => ({ verb, words, work })
  switch (verb) {
    case 'list':
      return order((deps) => list(deps, status, limit))
    case 'show':
      return order((deps) => show(deps, id, values.persons === true))
    case 'settle':
      return order((deps) => (words.length === 0 ? settleDue(deps) : settleOne(deps, id)))
    case 'read':
      return order((deps) => readNow(deps, id))
    case 'discrepancies':
      return order((deps) => listDiffering(deps, limit))
    case 'export':
      return order((deps) => exportHistory(deps, id))
    case 'resolve': {
      const to = readResolution(ending)
      return order((deps) => resolve(deps, id, to, values))
    }
  }
}

function readStatus(word: string | undefined): BookingState | undefined {
  const status = BOOKING_STATES.find((state) => state === word)
  if (word === undefined || status !== undefined) return status
  throw new WrongArgument(`There is no state ${plain(word)}. Known: ${BOOKING_STATES.join(', ')}.`)
}

function readLimit(word: string | undefined): number {
  const most = word === undefined ? LISTED : Number(word)
  if (Number.isInteger(most) && most >= 1 && most <= LISTED_MAX) return most
  throw new WrongArgument(`--limit must be a whole number from 1 to ${LISTED_MAX}.`)
}

function readResolution(word: string): Resolution {
  const to = RESOLUTIONS.find((state) => state === word)
  if (to !== undefined) return to
  throw new WrongArgument(`A review can end as ${RESOLUTIONS.join(', ')}, not as ${plain(word)}.`)
}

async function list(deps: BookingsCommandDeps, status: BookingState | undefined, most: number): Promise<number> {
  const found = await deps.bookings.recent(status === undefined ? BOOKING_STATES : [status], most)
  if (found.length === 0)
    return print(status === undefined ? 'There is no booking yet.' : `No booking is ${status}.`, 0)
  for (const line of alignedTable(found.map((booking) => listLine(booking, deps.clock.now())))) console.log(line)
  if (found.length === most) console.log(`The newest ${most}; --limit shows more.`)
  return 0
}

async function show(deps: BookingsCommandDeps, id: string, persons: boolean): Promise<number> {
  const booking = await deps.bookings.any(id)
  if (booking === undefined) return unknown(id)
  for (const line of describeBooking(booking, await deps.bookings.events(id), persons)) console.log(line)
  return 0
}

async function listDiffering(deps: BookingsCommandDeps, most: number): Promise<number> {
  const found = await deps.bookings.differing(addDays(dateIn('UTC', deps.clock.now()), -1), most)
  if (found.length === 0) return print('No vendor says anything else than was agreed.', 0)
  for (const booking of found) {
    const open = (booking.discrepancies ?? []).filter(isOpen)
    console.log(`${booking.bookingId}  ${booking.state}  ${booking.vendorId}  check-in ${booking.stay.checkIn}`)
    for (const one of open) console.log(`  ${plain(describeDiscrepancy(one))}`)
  }
  return 0
}

async function readNow(deps: BookingsCommandDeps, id: string): Promise<number> {
  const booking = await deps.bookings.any(id)
  if (booking === undefined) return unknown(id)
  if (!isReadAgain(booking)) return print(`${id} is not read: ${whyNotRead(booking)}`, 1)
  const { bookings, clock, settle, read } = deps
  const ask = createAskVendor({
    bookings,
    clock,
    settleBookings: settle.due,
    settleOne: settle.one,
    readBookings: read,
  })
  const { after = booking, isAsked = false } = (await ask(booking)) ?? {}
  if (!isAsked)
    return print(`${id} is ${after.state}; its vendor could not be asked just now. The service will ask.`, 1)
  const open = (after.discrepancies ?? []).filter(isOpen)
  const isUnknown = (await bookings.readings(id)).at(-1)?.outcome === 'absent'
  const agrees = isUnknown ? 'its vendor does not know it, and is asked again.' : 'its vendor says what was agreed.'
  console.log(`${id} is ${after.state}; ${open.length === 0 ? agrees : 'its vendor differs:'}`)
  for (const one of open) console.log(`  ${plain(describeDiscrepancy(one))}`)
  return 0
}

const whyNotRead = ({ state, personsErasedAt }: Booking) =>
  personsErasedAt === undefined
    ? `it is ${state}, and only bookings that are confirmed or need a review are.`
    : 'its persons are erased.'

async function exportHistory(deps: BookingsCommandDeps, id: string): Promise<number> {
  const booking = await deps.bookings.any(id)
  if (booking === undefined) return unknown(id)
  const [events, readings] = [await deps.bookings.events(id), await deps.bookings.readings(id)]
  return print(JSON.stringify(presentHistory(booking, events, readings, deps.clock.now(), true), null, 2), 0)
}

async function settleDue(deps: BookingsCommandDeps): Promise<number> {
  const before = await deps.bookings.recent(UNSETTLED, LISTED_MAX)
  const looked = await inRounds(deps.settle.due)
  let open = 0
  for (const { bookingId, state } of before) {
    const now = await deps.bookings.any(bookingId)
    if (now === undefined) continue
    if (now.state !== state) console.log(`${bookingId}  ${state} → ${now.state}`)
    if (!SETTLED_STATES.includes(now.state)) open += 1
  }
  if (looked === 0 && open === 0) return print('No booking is unsettled.', 0)
  const rest = open === 0 ? 'None is left unsettled.' : `${counted(open)} still unsettled; the service keeps asking.`
  return print(`Asked ${looked === 1 ? 'once' : `${looked} times`}. ${rest}`, 0)
}

async function settleOne(deps: BookingsCommandDeps, id: string): Promise<number> {
  const booking = await deps.bookings.any(id)
  if (booking === undefined) return unknown(id)
  if (SETTLED_STATES.includes(booking.state)) return print(`${id} is ${booking.state}; nothing to settle.`, 0)
  const busy = mayBeInProgress(booking, deps.clock.now())
  if (busy) await inRounds(deps.settle.due)
  else await deps.settle.one(booking)
  const after = (await deps.bookings.any(id)) ?? booking
  const [last] = (await deps.bookings.events(id)).slice(-1)
  const why = last?.reason === undefined ? '' : ` (${plain(last.reason)})`
  if (after.state !== booking.state) return print(`${id}  ${booking.state} → ${after.state}${why}`, 0)
  const cause = busy ? 'a process is working on it.' : 'the vendor does not know yet. The service keeps asking.'
  return print(`${id} is still ${after.state}: ${cause}`, 1)
}

type ResolveValues = {
  readonly 'vendor-reference'?: string | undefined
  readonly reason?: string | undefined
  readonly rooms?: string | undefined
}

async function resolve(deps: BookingsCommandDeps, id: string, to: Resolution, values: ResolveValues): Promise<number> {
  const booking = await deps.bookings.any(id)
  if (booking === undefined) return unknown(id)
  const resolved = await resolveReview(deps, booking, {
    to,
    by: byOperator(deps.operator),
    reason: plain(values.reason ?? ''),
    vendorReference: plain(values['vendor-reference'] ?? ''),
    rooms: values.rooms?.split(','),
  })
  if (typeof resolved !== 'string') return print(`${id}  needs_review → ${to}. Its account’s webhooks are called.`, 0)
  return print(REFUSALS[resolved](booking), resolved === 'reference_missing' || resolved === 'rooms_wrong' ? 2 : 1)
}

const REFUSALS: Readonly<Record<ResolveRefusal, (booking: Booking) => string>> = {
  not_in_review: ({ bookingId, state }) =>
    `${bookingId} is ${state}; only a booking that needs_review can be resolved.`,
  reference_missing: () => 'A confirmed booking needs the vendor’s own reference: --vendor-reference REF',
  rooms_wrong: ({ stay }) =>
    `--rooms must say ${ROOM_STATES.join(' or ')} for each of the ${stay.occupancies.length} rooms.`,
  overtaken: ({ bookingId }) => `${bookingId} was changed by another process just now; look at it again.`,
}

const unknown = (id: string) => print(`There is no booking ${plain(id)}.`, 1)
const counted = (count: number) => (count === 1 ? '1 booking is' : `${count} bookings are`)
