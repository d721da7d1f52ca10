import { type BookStay, createBookStay } from '../../../src/booking/book-stay.ts'
import { type CancelBooking, createCancelBooking } from '../../../src/booking/cancel-booking.ts'
import { createSettleBookings } from '../../../src/booking/settle-bookings.ts'
import { AppError } from '../../../src/domain/app-error.ts'
import { bookingAnswer } from '../../../src/http/present-booking.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import type { Ids } from '../../../src/lib/ids.ts'
import { type BookingStore, createBookingStore } from '../../../src/store/bookings.ts'
import type { Database } from '../../../src/store/database.ts'
import { aProperty, offerKeys, START, storeKeys } from './an-offer.ts'
import { createGate, type Gate, Injected, throughGate } from './gate.ts'
import type { PlantedBug } from './planted-bugs.ts'
import { bodyOf, type Scenario, type Step } from './scenario.ts'
import { createScriptedVendor, type ScriptedVendor } from './scripted-vendor.ts'
import { createTape } from './tape.ts'
import { createVirtualTime, type Owner, type VirtualTime } from './virtual-time.ts'

/** What a client was told, or that it was told nothing. */
export type Told = {
  readonly accountId: string
  /** The key it sent, or the offer which is the key without one. */
  readonly key: string
  readonly body: string
  readonly at: number
  readonly outcome:
    | { readonly kind: 'answer'; readonly status: number; readonly body: string; readonly bookingId: string }
    | { readonly kind: 'refusal'; readonly code: string }
    | { readonly kind: 'failure'; readonly error: unknown }
}

export type CancelTold = { readonly bookingId: string; readonly state: string }

/** Everything there is to judge once the dust has settled. */
export type History = {
  readonly database: Database
  readonly store: BookingStore
  readonly vendor: ScriptedVendor
  readonly told: readonly Told[]
  readonly cancels: readonly CancelTold[]
  /** Errors of ours that no fault explains. */
  readonly bugs: readonly unknown[]
  readonly restless: boolean
  /** Every change of state, as `from → to`. */
  readonly moves: readonly string[]
  readonly log: readonly string[]
}

type Process = {
  owner: Owner
  readonly clock: Clock
  bookStay: BookStay
  settle(): Promise<number>
  cancelBooking: CancelBooking
}

const ROUNDS_MAX = 400

/** Plays a scenario with the real use cases over a real database, until nothing moves any more. */
export async function play(database: Database, scenario: Scenario, planted?: PlantedBug): Promise<History> {
  const time = createVirtualTime(START)
  return time.during(() => playIn(time, database, scenario, planted))
}

async function playIn(time: VirtualTime, database: Database, scenario: Scenario, planted?: PlantedBug) {
  await database.write(async (tx) => {
    await tx.deleteFrom('booking_events').execute()
    await tx.deleteFrom('bookings').execute()
  })
  const storeTape = createTape(scenario.store, scenario.storeFocus)
  const scripted = createScriptedVendor(time, createTape(scenario.vendor, scenario.vendorFocus), scenario.traits)
  const store = createBookingStore(database, storeKeys, async (_, __, { from, to }) => {
    moves.push(`${from ?? 'nothing'} → ${to}`)
  })
  const log: string[] = []
  const moves: string[] = []
  const bugs: unknown[] = []
  const told: Told[] = []
  const cancels: CancelTold[] = []
  const say = (words: string) => log.push(`${((time.now() - START) / 1000).toFixed(3)} ${words}`)
  const ids = countedIds()

  const boot = (at: number): Process => {
    const owner: Owner = { alive: true }
    const clock: Clock = { now: () => time.now() + (scenario.skewMs[at] ?? 0) }
    const gate = createGate(time, storeTape, owner, `p${at}`, say)
    return { owner, clock, ...assemble({ database, store, scripted, gate, clock, ids, bugs, scenario, planted }) }
  }
  const processes = [boot(0), boot(1)]
  const alive = (at: number): Process => {
    const old = processes[at]
    if (old?.owner.alive === true) return old
    say(`p${at} starts again`)
    const fresh = boot(at)
    processes[at] = fresh
    return fresh
  }

  function start(step: Step): void {
    const process = alive(step.process)
    if (step.do === 'crash') {
      process.owner.alive = false
      say(`p${step.process} is killed`)
    } else if (step.do === 'settle') {
      time.as(process.owner, () => process.settle().catch((error) => keepBug(bugs, error)))
    } else if (step.do === 'cancel') {
      time.as(process.owner, () => void cancelNth(step.nth, process))
    } else {
      time.as(process.owner, () => void ask(step, process))
    }
  }

  async function ask(step: Step & { do: 'book' }, process: Process): Promise<void> {
    const { account, body, key } = bodyOf(step)
    const tell = (outcome: Told['outcome']) => {
      say(`p${step.process} book ${key} body ${step.body} → ${JSON.stringify(outcome).slice(0, 90)}`)
      told.push({ accountId: account.id, key, body: JSON.stringify(body), at: time.now(), outcome })
    }
    const idempotencyKey = step.key === 'none' ? undefined : step.key
    try {
      const answer = await process.bookStay({ account, body, idempotencyKey }, { requestId: 'r' })
      tell({ kind: 'answer', status: answer.status, body: answer.body, bookingId: answer.bookingId })
    } catch (error) {
      if (error instanceof AppError) tell({ kind: 'refusal', code: error.code })
      else tell({ kind: 'failure', error })
      if (!(error instanceof AppError)) keepBug(bugs, error)
    }
  }

  async function cancelNth(nth: number, process: Process): Promise<void> {
    const [booking] = (await time.working(() => store.recent(['confirmed', 'cancelling'], 5))).slice(nth)
    if (booking === undefined) return
    const { accountId, bookingId } = booking
    say(`cancel ${bookingId}`)
    try {
      const after = await process.cancelBooking({ accountId, bookingId, preview: false }, { requestId: 'r' })
      say(`cancel ${bookingId} → ${after.booking.state}`)
      cancels.push({ bookingId, state: after.booking.state })
    } catch (error) {
      say(`cancel ${bookingId} → ${error}`)
      if (!(error instanceof AppError)) keepBug(bugs, error)
    }
  }

  /** Runs the world on until no booking is due and nothing is under way; false if it never gets there. */
  async function quiesce(): Promise<boolean> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      await time.rest()
      const due = await nextDue(database)
      const next = time.next()
      if (due === undefined && next === Number.POSITIVE_INFINITY) return true
      if (due === undefined || next <= due) {
        await time.until(next)
      } else {
        // The slower of the two clocks must agree that it is due.
        await time.until(due + 2 * Math.max(...scenario.skewMs.map(Math.abs)))
        start({ do: 'settle', process: round % 2 === 0 ? 0 : 1, waitMs: 0 })
      }
    }
    return false
  }

  for (const step of scenario.steps) {
    await time.until(time.now() + step.waitMs)
    start(step)
    await time.rest()
  }
  let calm = await quiesce()
  // Every client asks again, twice: what it was told before, it must be told again.
  for (const step of distinctRequests(scenario.steps)) {
    for (const process of [0, 1]) {
      start({ ...step, process, waitMs: 0 })
      calm = (await quiesce()) && calm
    }
  }
  return { database, store, vendor: scripted, told, cancels, bugs, restless: !calm, moves, log }
}

function distinctRequests(steps: readonly Step[]) {
  const books = steps.filter((step) => step.do === 'book')
  return [...new Map(books.map((step) => [`${step.offer} ${step.key} ${step.body}`, step])).values()]
}

type Parts = {
  readonly database: Database
  readonly store: BookingStore
  readonly scripted: ScriptedVendor
  readonly gate: Gate
  readonly clock: Clock
  readonly ids: Ids
  readonly bugs: unknown[]
  readonly scenario: Scenario
  readonly planted: PlantedBug | undefined
}

/** One process: the real use cases, with a planted mistake put between them and the world where one is wanted. */
function assemble({
  database,
  store,
  scripted,
  gate,
  clock,
  ids,
  bugs,
  scenario,
  planted,
}: Parts): Omit<Process, 'owner' | 'clock'> {
  const sound = { bookings: throughGate(store, gate), vendor: scripted.vendor, clock }
  const mistake = planted?.plant({ ...sound, ids, gate, store, database })
  const vendor = mistake?.vendor ?? sound.vendor
  const shared = {
    bookings: mistake?.bookings ?? sound.bookings,
    clock: mistake?.clock ?? sound.clock,
    present: bookingAnswer,
    vendorOf: () => vendor,
    onBug: (error: unknown) => keepBug(bugs, error),
  }
  const bookStay = createBookStay({
    ...shared,
    keyring: offerKeys,
    ids,
    rates: () => ({ date: '2027-01-01', rates: { EUR: 1, USD: 1.1 } }),
    describeProperty: async () => aProperty,
    describeRoom: async (offer) => ({ room_id: offer.roomId }),
    alternatives: async () => [],
    underway: new Set(),
    patienceMs: scenario.patienceMs,
  })
  return {
    bookStay: mistake?.bookStay?.(bookStay) ?? bookStay,
    settle: createSettleBookings(shared),
    cancelBooking: createCancelBooking(shared),
  }
}

/** A fault of ours is no bug; one that carries the mark of an injected fault neither. */
function keepBug(bugs: unknown[], error: unknown): void {
  const injected = error instanceof Injected || (error instanceof TypeError && error.message === 'injected')
  if (!injected) bugs.push(error)
}

async function nextDue(database: Database): Promise<number | undefined> {
  const rows = await database.read
    .selectFrom('bookings')
    .select(['due_at', 'lease_until'])
    .where('due_at', 'is not', null)
    .execute()
  const moments = rows.map((row) => Math.max(row.due_at ?? 0, row.lease_until))
  return moments.length === 0 ? undefined : Math.min(...moments)
}

function countedIds(): Ids {
  let count = 0
  const next = () => {
    count += 1
    return count
  }
  return {
    uuid: () => `00000000-0000-4000-8000-${String(next()).padStart(12, '0')}`,
    prefixed: (prefix) => `${prefix}_${next()}`,
    reference: () => `REF${String(next()).padStart(17, '0')}`,
  }
}
