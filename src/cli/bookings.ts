import { parseArgs } from 'node:util'
import { BOOKING_STATES, type Booking, type BookingState, SETTLED_STATES, TRANSITIONS } from '../domain/booking.ts'
import type { Clock } from '../lib/clock.ts'
import type { BookingStore, StoredAnswer } from '../store/bookings.ts'
import { alignedTable, describeBooking, listLine, plain } from './booking-words.ts'

export type BookingsCommandDeps = {
  readonly bookings: Pick<BookingStore, 'recent' | 'any' | 'events' | 'move'>
  readonly settle: {
    /** Looks at the bookings that are due and not being worked on; answers how many those were. */
    due(): Promise<number>
    /** Asks the vendor about this one, due or not. */
    one(booking: Booking): Promise<void>
  }
  /** The answer a repeated request gets, should none have been given yet. */
  present(booking: Booking, reason?: string): StoredAnswer
  readonly clock: Clock
  out(line: string): void
}

const USAGE = `serai bookings list [--status STATE] [--limit N]     newest first
serai bookings show ID [--persons]                   one booking with its history; --persons shows e-mail and phone
serai bookings settle [ID]                           asks the vendors about unsettled bookings now
serai bookings resolve ID confirmed|rejected|cancelled [--vendor-reference REF] [--reason TEXT]
                                                     ends a review; the customer sees the reason

States: ${BOOKING_STATES.join(', ')}`

const UNSETTLED = BOOKING_STATES.filter((state) => !SETTLED_STATES.includes(state))
const LISTED = 50
const LISTED_MAX = 1_000
const ROUNDS_MAX = 20
const REASON_MAX = 200
/** No call to a vendor lasts longer. */
const CALL_MAX_MS = 120_000

/** Answers the exit code: 0 done, 1 not possible, 2 not understood. */
export async function bookingsCommand(args: string[], deps: BookingsCommandDeps): Promise<number> {
  const read = readArguments(args)
  if (read === undefined) return say(deps, USAGE, 2)
  const { values, positionals } = read
  const [verb, id, to, ...more] = positionals
  if (more.length > 0) return say(deps, USAGE, 2)
  if (verb === 'list' && id === undefined) return list(deps, values.status, values.limit)
  if (verb === 'show' && id !== undefined && to === undefined) return show(deps, id, values.persons === true)
  if (verb === 'settle' && to === undefined) return id === undefined ? settleDue(deps) : settleOne(deps, id)
  if (verb === 'resolve' && id !== undefined && to !== undefined) return resolve(deps, id, to, values)
  return say(deps, USAGE, 2)
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        status: { type: 'string' },
        limit: { type: 'string' },
        persons: { type: 'boolean' },
        'vendor-reference': { type: 'string' },
        reason: { type: 'string' },
      },
    })
  } catch {
    return undefined
  }
}

async function list(deps: BookingsCommandDeps, status: string | undefined, limit: string | undefined): Promise<number> {
  const states = status === undefined ? BOOKING_STATES : BOOKING_STATES.filter((state) => state === status)
  if (states.length === 0)
    return say(deps, `There is no state ${plain(status ?? '')}. Known: ${BOOKING_STATES.join(', ')}.`, 2)
  const most = limit === undefined ? LISTED : Number(limit)
  if (!Number.isInteger(most) || most < 1 || most > LISTED_MAX)
    return say(deps, `--limit must be a number from 1 to ${LISTED_MAX}.`, 2)
  const found = await deps.bookings.recent(states, most)
  if (found.length === 0) return say(deps, status === undefined ? 'There is no booking yet.' : `None is ${status}.`, 0)
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

async function settleDue(deps: BookingsCommandDeps): Promise<number> {
  const before = await deps.bookings.recent(UNSETTLED, LISTED_MAX)
  const looked = await runRounds(deps)
  let open = 0
  for (const { bookingId, state } of before) {
    const now = await deps.bookings.any(bookingId)
    if (now === undefined) continue
    if (now.state !== state) deps.out(`${bookingId}  ${state} → ${now.state}`)
    if (!SETTLED_STATES.includes(now.state)) open += 1
  }
  if (looked === 0 && open === 0) return say(deps, 'Nothing is unsettled.', 0)
  const rest = open === 0 ? 'Nothing is left unsettled.' : `${counted(open)} still unsettled; the service keeps asking.`
  return say(deps, `Looked ${looked === 1 ? 'once' : `${looked} times`}. ${rest}`, 0)
}

/** Each round takes a few; one that stays in doubt is put off, so the rounds end by themselves. */
async function runRounds(deps: BookingsCommandDeps): Promise<number> {
  let looked = 0
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const count = await deps.settle.due()
    if (count === 0) break
    looked += count
  }
  return looked
}

async function settleOne(deps: BookingsCommandDeps, id: string): Promise<number> {
  const booking = await deps.bookings.any(id)
  if (booking === undefined) return unknown(deps, id)
  if (SETTLED_STATES.includes(booking.state)) return say(deps, `${id} is ${booking.state}; nothing to settle.`, 0)
  const busy = mayBeAtWork(booking, deps.clock.now())
  if (busy) await runRounds(deps)
  else await deps.settle.one(booking)
  const after = (await deps.bookings.any(id)) ?? booking
  const [last] = (await deps.bookings.events(id)).slice(-1)
  const why = last?.reason === undefined ? '' : ` (${plain(last.reason)})`
  if (after.state !== booking.state) return say(deps, `${id}  ${booking.state} → ${after.state}${why}`, 0)
  const words = busy ? 'a process is at work on it.' : 'the vendor could not tell yet. The service keeps asking.'
  return say(deps, `${id} is still ${after.state}: ${words}`, 1)
}

/** Then it is left to the rounds, which know whether that process has gone silent. */
function mayBeAtWork({ state, updatedAt }: Booking, now: number): boolean {
  return state === 'pending' || state === 'submitting' || (state === 'cancelling' && now - updatedAt < CALL_MAX_MS)
}

type ResolveValues = { readonly 'vendor-reference'?: string | undefined; readonly reason?: string | undefined }

async function resolve(deps: BookingsCommandDeps, id: string, word: string, values: ResolveValues): Promise<number> {
  const endings: readonly BookingState[] = TRANSITIONS.needs_review
  const to = endings.find((state) => state === word)
  if (to === undefined) return say(deps, `A review ends as ${endings.join(', ')}; not as ${plain(word)}.`, 2)
  const booking = await deps.bookings.any(id)
  if (booking === undefined) return unknown(deps, id)
  if (booking.state !== 'needs_review')
    return say(deps, `${id} is ${booking.state}; only a booking that needs_review can be resolved.`, 1)
  const vendorReference = plain(values['vendor-reference'] ?? '')
  if (to === 'confirmed' && vendorReference === '' && booking.vendorReference === undefined)
    return say(deps, 'A confirmed booking needs the vendor’s own reference: --vendor-reference REF', 2)
  const moved = await deps.bookings.move(id, 'needs_review', to, {
    at: deps.clock.now(),
    reason: `operator: ${plain(values.reason ?? '').slice(0, REASON_MAX) || 'resolved by hand'}`,
    dueAt: null,
    answerOf: deps.present,
    ...(vendorReference === '' ? {} : { vendorReference }),
  })
  if (moved === undefined) return say(deps, `${id} was changed by somebody else just now; look at it again.`, 1)
  return say(deps, `${id}  needs_review → ${to}. Its account’s webhooks are told.`, 0)
}

const unknown = (deps: BookingsCommandDeps, id: string) => say(deps, `There is no booking ${plain(id)}.`, 1)
const counted = (count: number) => (count === 1 ? '1 booking is' : `${count} bookings are`)

function say({ out }: BookingsCommandDeps, line: string, code: number): number {
  out(line)
  return code
}
