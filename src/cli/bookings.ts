import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { inRounds, mayBeInProgress } from '../booking/ask-vendor.ts'
import { RESOLUTIONS, type ResolveRefusal, resolveReview } from '../booking/resolve-review.ts'
import { byOperator } from '../domain/actor.ts'
import { BOOKING_STATES, type Booking, ROOM_STATES, SETTLED_STATES } from '../domain/booking.ts'
import { describeDiscrepancy } from '../domain/describe-discrepancy.ts'
import { isOpen } from '../domain/discrepancy.ts'
import { bookingAnswer } from '../http/present/booking.ts'
import { presentHistory } from '../http/present/history.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { addDays, dateIn } from '../lib/plain-date.ts'
import type { StoredAnswer } from '../store/booking-answers.ts'
import type { BookingStore } from '../store/bookings.ts'
import { auditVerbs } from './audited.ts'
import type { Command } from './command.ts'
import { alignedTable, describeBooking, listLine, plain } from './format-booking.ts'
import { withApp } from './with-app.ts'

export type BookingsCommandDeps = {
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
  readonly clock: Clock
  /** Who gives the commands. */
  readonly operator: string
  out(line: string): void
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

const CHANGING = ['settle', 'read', 'resolve']
const UNSETTLED = BOOKING_STATES.filter((state) => !SETTLED_STATES.includes(state))
const LISTED = 50
const LISTED_MAX = 1_000

export const bookings: Command = {
  usage: USAGE,
  run: (args) =>
    withApp((app) =>
      auditVerbs(app.operator.audit, 'bookings', CHANGING, args, () =>
        bookingsCommand(args, {
          bookings: app.operator.bookings,
          settle: { due: app.settleBookings, one: app.operator.settleOne },
          read: app.readBookings,
          present: bookingAnswer,
          clock: systemClock,
          operator: userInfo().username,
          out: console.log,
        }),
      ),
    ),
}

const OPTIONS = {
  status: { type: 'string' },
  limit: { type: 'string' },
  persons: { type: 'boolean' },
  'vendor-reference': { type: 'string' },
  reason: { type: 'string' },
  rooms: { type: 'string' },
} as const

/** Returns the exit code: 0 done, 1 not possible, 2 wrong arguments. */
export async function bookingsCommand(args: string[], deps: BookingsCommandDeps): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  const [verb, id, to, ...more] = positionals
  if (more.length > 0) return say(deps, USAGE, 2)
  if (verb === 'list' && id === undefined) return list(deps, values.status, values.limit)
  if (verb === 'show' && id !== undefined && to === undefined) return show(deps, id, values.persons === true)
  if (verb === 'discrepancies' && id === undefined) return listDiffering(deps, values.limit)
  if (verb === 'read' && id !== undefined && to === undefined) return readNow(deps, id)
  if (verb === 'export' && id !== undefined && to === undefined) return exportHistory(deps, id)
  if (verb === 'settle' && to === undefined) return id === undefined ? settleDue(deps) : settleOne(deps, id)
  if (verb === 'resolve' && id !== undefined && to !== undefined) return resolve(deps, id, to, values)
  return say(deps, USAGE, 2)
}

async function list(deps: BookingsCommandDeps, status: string | undefined, limit: string | undefined): Promise<number> {
  const states = status === undefined ? BOOKING_STATES : BOOKING_STATES.filter((state) => state === status)
  if (states.length === 0)
    return say(deps, `There is no state ${plain(status ?? '')}. Known: ${BOOKING_STATES.join(', ')}.`, 2)
  const most = readLimit(limit)
  if (most === undefined) return say(deps, `--limit must be a number from 1 to ${LISTED_MAX}.`, 2)
  const found = await deps.bookings.recent(states, most)
  if (found.length === 0)
    return say(deps, status === undefined ? 'There is no booking yet.' : `No booking is ${status}.`, 0)
  for (const line of alignedTable(found.map((booking) => listLine(booking, deps.clock.now())))) deps.out(line)
  if (found.length === most) deps.out(`The newest ${most}; --limit shows more.`)
  return 0
}

async function show(deps: BookingsCommandDeps, id: string, persons: boolean): Promise<number> {
  const booking = await deps.bookings.any(id)
  if (booking === undefined) return unknown(deps, id)
  for (const line of describeBooking(booking, await deps.bookings.events(id), persons)) deps.out(line)
  return 0
}

async function listDiffering(deps: BookingsCommandDeps, limit: string | undefined): Promise<number> {
  const most = readLimit(limit)
  if (most === undefined) return say(deps, `--limit must be a number from 1 to ${LISTED_MAX}.`, 2)
  const found = await deps.bookings.differing(addDays(dateIn('UTC', deps.clock.now()), -1), most)
  if (found.length === 0) return say(deps, 'No vendor says anything else than was agreed.', 0)
  for (const booking of found) {
    const open = (booking.discrepancies ?? []).filter(isOpen)
    deps.out(`${booking.bookingId}  ${booking.state}  ${booking.vendorId}  check-in ${booking.stay.checkIn}`)
    for (const one of open) deps.out(`  ${plain(describeDiscrepancy(one))}`)
  }
  return 0
}

async function readNow(deps: BookingsCommandDeps, id: string): Promise<number> {
  const booking = await deps.bookings.any(id)
  if (booking === undefined) return unknown(deps, id)
  const { vendorId, reference } = booking
  if ((await deps.bookings.promptReadings(vendorId, [reference], deps.clock.now())) === 0)
    return say(deps, `${id} is ${booking.state}; only bookings that are confirmed or need a review are read.`, 1)
  await inRounds(deps.read)
  const after = (await deps.bookings.any(id)) ?? booking
  const open = (after.discrepancies ?? []).filter(isOpen)
  deps.out(`${id} is ${after.state}; ${open.length === 0 ? 'its vendor says what was agreed.' : 'its vendor differs:'}`)
  for (const one of open) deps.out(`  ${plain(describeDiscrepancy(one))}`)
  return 0
}

async function exportHistory(deps: BookingsCommandDeps, id: string): Promise<number> {
  const booking = await deps.bookings.any(id)
  if (booking === undefined) return unknown(deps, id)
  const [events, readings] = [await deps.bookings.events(id), await deps.bookings.readings(id)]
  return say(deps, JSON.stringify(presentHistory(booking, events, readings, deps.clock.now(), true), null, 2), 0)
}

const readLimit = (limit: string | undefined): number | undefined => {
  const most = limit === undefined ? LISTED : Number(limit)
  return Number.isInteger(most) && most >= 1 && most <= LISTED_MAX ? most : undefined
}

async function settleDue(deps: BookingsCommandDeps): Promise<number> {
  const before = await deps.bookings.recent(UNSETTLED, LISTED_MAX)
  const looked = await inRounds(deps.settle.due)
  let open = 0
  for (const { bookingId, state } of before) {
    const now = await deps.bookings.any(bookingId)
    if (now === undefined) continue
    if (now.state !== state) deps.out(`${bookingId}  ${state} → ${now.state}`)
    if (!SETTLED_STATES.includes(now.state)) open += 1
  }
  if (looked === 0 && open === 0) return say(deps, 'No booking is unsettled.', 0)
  const rest = open === 0 ? 'None is left unsettled.' : `${counted(open)} still unsettled; the service keeps asking.`
  return say(deps, `Asked ${looked === 1 ? 'once' : `${looked} times`}. ${rest}`, 0)
}

async function settleOne(deps: BookingsCommandDeps, id: string): Promise<number> {
  const booking = await deps.bookings.any(id)
  if (booking === undefined) return unknown(deps, id)
  if (SETTLED_STATES.includes(booking.state)) return say(deps, `${id} is ${booking.state}; nothing to settle.`, 0)
  const busy = mayBeInProgress(booking, deps.clock.now())
  if (busy) await inRounds(deps.settle.due)
  else await deps.settle.one(booking)
  const after = (await deps.bookings.any(id)) ?? booking
  const [last] = (await deps.bookings.events(id)).slice(-1)
  const why = last?.reason === undefined ? '' : ` (${plain(last.reason)})`
  if (after.state !== booking.state) return say(deps, `${id}  ${booking.state} → ${after.state}${why}`, 0)
  const cause = busy ? 'a process is working on it.' : 'the vendor does not know yet. The service keeps asking.'
  return say(deps, `${id} is still ${after.state}: ${cause}`, 1)
}

type ResolveValues = {
  readonly 'vendor-reference'?: string | undefined
  readonly reason?: string | undefined
  readonly rooms?: string | undefined
}

async function resolve(deps: BookingsCommandDeps, id: string, word: string, values: ResolveValues): Promise<number> {
  const to = RESOLUTIONS.find((state) => state === word)
  if (to === undefined) return say(deps, `A review can end as ${RESOLUTIONS.join(', ')}, not as ${plain(word)}.`, 2)
  const booking = await deps.bookings.any(id)
  if (booking === undefined) return unknown(deps, id)
  const resolved = await resolveReview(deps, booking, {
    to,
    by: byOperator(deps.operator),
    reason: plain(values.reason ?? ''),
    vendorReference: plain(values['vendor-reference'] ?? ''),
    rooms: values.rooms?.split(','),
  })
  if (typeof resolved !== 'string')
    return say(deps, `${id}  needs_review → ${to}. Its account’s webhooks are called.`, 0)
  return say(deps, REFUSALS[resolved](booking), resolved === 'reference_missing' || resolved === 'rooms_wrong' ? 2 : 1)
}

const REFUSALS: Readonly<Record<ResolveRefusal, (booking: Booking) => string>> = {
  not_in_review: ({ bookingId, state }) =>
    `${bookingId} is ${state}; only a booking that needs_review can be resolved.`,
  reference_missing: () => 'A confirmed booking needs the vendor’s own reference: --vendor-reference REF',
  rooms_wrong: ({ stay }) =>
    `--rooms must say ${ROOM_STATES.join(' or ')} for each of the ${stay.occupancies.length} rooms.`,
  overtaken: ({ bookingId }) => `${bookingId} was changed by another process just now; look at it again.`,
}

const unknown = (deps: BookingsCommandDeps, id: string) => say(deps, `There is no booking ${plain(id)}.`, 1)
const counted = (count: number) => (count === 1 ? '1 booking is' : `${count} bookings are`)

function say({ out }: BookingsCommandDeps, line: string, code: number): number {
  out(line)
  return code
}
