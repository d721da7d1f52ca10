import { createBudgetSpending } from '../../src/accounts/store/key-budgets.ts'
import { type BookOrder, type BookStay, createBookStay } from '../../src/booking/book-stay.ts'
import { createBookingQueue } from '../../src/booking/booking-queue.ts'
import { type CancelBooking, createCancelBooking } from '../../src/booking/cancel-booking.ts'
import { withoutCardPayments } from '../../src/booking/card-payments.ts'
import { type CheckPrice, createCheckPrice } from '../../src/booking/offer/check-price.ts'
import { bookingAnswer } from '../../src/booking/present/booking.ts'
import { createReadWorker } from '../../src/booking/settle/read-bookings.ts'
import { createSettleWorker } from '../../src/booking/settle/settle-bookings.ts'
import { type BookingStore, createBookingStore } from '../../src/booking/store/bookings.ts'
import { byOperator } from '../../src/domain/actor.ts'
import { soldOffer } from '../../src/domain/booking/apply-sale.ts'
import { AppError } from '../../src/domain/errors.ts'
import type { Ids } from '../../src/lib/crypto/ids.ts'
import type { Clock } from '../../src/lib/time/clock.ts'
import { DAY_MS, HOUR_MS } from '../../src/lib/time/durations.ts'
import { createNoticeTexts } from '../../src/search/store/notice-texts.ts'
import type { Database } from '../../src/store/database.ts'
import { createHistoryReader } from '../../src/store/history.ts'
import { offerKeys, referenceKeys, START, storeKeys } from '../../test/support/booking/an-offer.ts'
import { noSearches, oneWorld } from '../../test/support/booking/one-world.ts'
import { readBody } from '../../test/support/booking/read-body.ts'
import { createChoices, watchChoices } from './choices.ts'
import { createFaultyAccess, type FaultyAccess, InjectedFault, withFaults } from './faulty-store.ts'
import type { CancelReply, History, Reply, Request } from './history.ts'
import { KEY_ACCOUNT, KEY_ID, prepareKey, trackCosts } from './key-budget.ts'
import { createLosses } from './losses.ts'
import type { CardScenario, CardStep, OperatorOrder } from './payments/card-step.ts'
import { type CardProcess, type CardWorld, createCardWorld } from './payments/card-world.ts'
import type { BookingMove, VendorBooking } from './payments/payment-history.ts'
import { createSequence } from './payments/sequence.ts'
import { watchCommits } from './payments/watch-commits.ts'
import type { PlantedBug } from './planted-bugs.ts'
import { nextTask, runUntilRead, scheduleChanges } from './reading-phase.ts'
import { createBookBody, type Scenario, type Step, selectOffer } from './scenario.ts'
import { SOLD_TERMS, type SoldTerms, TERMS } from './scripted-terms.ts'
import { createScriptedVendor, type ScriptedVendor } from './scripted-vendor.ts'
import { createVirtualTime, type Owner, type VirtualTime } from './virtual-time.ts'

type Process = {
  owner: Owner
  readonly clock: Clock
  bookStay: BookStay
  checkPrice: CheckPrice
  settle(): Promise<number>
  read(): Promise<number>
  cancelBooking: CancelBooking
  /** Undefined if every account books on account. */
  readonly cards: CardProcess | undefined
}

const ROUNDS_MAX = 400
const REPEATS_MAX = 40
const RETRY_AFTER_MS = 1_000
const CARD_ROUNDS_MAX = 2_000
const BY_OPERATOR = byOperator('op_1')
const rates = () => ({ date: '2027-01-01', rates: { EUR: 1, USD: 1.1 } })

/** Runs a scenario with the real use cases on a real database, until nothing is left to do. */
export async function play(database: Database, scenario: Scenario, planted?: PlantedBug): Promise<History> {
  const time = createVirtualTime(START)
  return time.during(() => runScenario(time, database, scenario, planted))
}

async function runScenario(time: VirtualTime, plain: Database, scenario: Scenario, planted?: PlantedBug) {
  const sequence = createSequence(time.now)
  const orders: OperatorOrder[] = []
  const commits = watchCommits(plain, sequence, orders)
  const database = scenario.cards === undefined ? plain : commits.database
  const losses = createLosses(database, { now: time.now })
  await losses.reset()
  /** Times of faults and delays of the database and the payment provider. */
  const disturbances: number[] = []
  const disturb = () => void disturbances.push(time.now())
  const storeChoices = watchChoices(createChoices(scenario.store, scenario.storeFocus), disturb)
  const vendorBooked: VendorBooking[] = []
  const scripted = createScriptedVendor(
    time,
    createChoices(scenario.vendor, scenario.vendorFocus),
    scenario.traits,
    ({ kind, reference, at }) => {
      if (kind === 'booked') vendorBooked.push({ reference, at, order: sequence.next() })
    },
  )
  await prepareKey(database, scenario.budgetMinor)
  const sound = createBudgetSpending(rates)
  const spend = planted?.spend?.(sound) ?? sound
  const costs = trackCosts()
  const bookingMoves: BookingMove[] = []
  const store: BookingStore = createBookingStore(database, storeKeys, async (tx, booking, event) => {
    await cards?.follow(tx, booking, event)
    await spend(tx, booking, event)
    await costs.onMove(tx, booking, event)
    if (event.kind !== undefined) return
    movedAt.set(booking.bookingId, time.now())
    const { from, to } = event
    const { bookingId, payment } = booking
    const isByVendor = event.by?.actor.kind === 'vendor'
    const moment = { order: sequence.next(), at: time.now() }
    bookingMoves.push({ bookingId, paymentId: payment?.paymentId, from, to, isByVendor, ...moment })
    moves.push(`${event.from ?? 'nothing'} → ${event.to}`)
  })
  const log: string[] = []
  const moves: string[] = []
  const movedAt = new Map<string, number>()
  const bugs: unknown[] = []
  const replies: Reply[] = []
  const requests: Request[] = []
  const cancels: CancelReply[] = []
  const addLog = (message: string) => log.push(`${((time.now() - START) / 1000).toFixed(3)} ${message}`)
  const ids = createSequentialIds()
  const cards =
    scenario.cards &&
    createCardWorld({
      ...{ time, sequence, database, scenario: scenario.cards, bookings: () => store },
      ...{ planted: planted?.cards, orders, addLog, disturb, recordBug: (error) => recordBug(bugs, error) },
    })

  const boot = (index: number): Process => {
    const owner: Owner = { alive: true }
    const clock: Clock = { now: () => time.now() + (scenario.skewMs[index] ?? 0) }
    const access = createFaultyAccess(time, storeChoices, owner, `p${index}`, addLog)
    return {
      owner,
      clock,
      ...assemble({ database, store, scripted, access, clock, ids, bugs, scenario, planted, cards }),
    }
  }
  const processes = [boot(0), boot(1)]
  const changes = scheduleChanges(time, scenario.changes, (nth, what) =>
    addLog(`the vendor ${what} ${scripted.change(nth, what) ?? 'nothing'}`),
  )
  const ensureAlive = (index: number): Process => {
    const old = processes[index]
    if (old?.owner.alive === true) return old
    addLog(`p${index} starts again`)
    const fresh = boot(index)
    processes[index] = fresh
    return fresh
  }

  function start(step: Step): void {
    const process = ensureAlive(step.process)
    if (step.do === 'lose') return
    if (step.do === 'crash') {
      process.owner.alive = false
      addLog(`p${step.process} is killed`)
    } else if (step.do === 'settle' || step.do === 'read') {
      time.as(process.owner, () => process[step.do]().catch((error) => recordBug(bugs, error)))
    } else if (isCardStep(step)) {
      if (cards === undefined || process.cards === undefined) return
      const { cards: parts } = process
      time.as(process.owner, () => void cards.act(step, parts).catch((error) => recordBug(bugs, error)))
    } else if (step.do === 'check') {
      time.as(process.owner, () => void checkAndBook(step, process))
    } else if (step.do === 'cancel') {
      time.as(process.owner, () => void cancelNth(step.nth, process))
    } else {
      time.as(process.owner, () => void bookStep(step, process))
    }
  }

  async function bookStep(step: Step & { do: 'book' }, process: Process): Promise<void> {
    const paymentId = cards?.paymentFor(step.paymentOf ?? step.offer)
    const { account, body, key } = createBookBody(step, {
      ...(scenario.cards !== undefined && { hasSale: scenario.cards.hasSale }),
      ...(paymentId !== undefined && { paymentId }),
    })
    const idempotencyKey = step.key === 'none' ? undefined : step.key
    const sent = { account, body, key, idempotencyKey }
    if (cards !== undefined) sentBooks.set(JSON.stringify([body, key]), sent)
    await send(process, sent, scenario.cards?.hasSale === true ? SOLD_TERMS : TERMS.as_shown)
  }

  /** A client that checks the price first and accepts the result. */
  async function checkAndBook(step: Step & { do: 'check' }, process: Process): Promise<void> {
    const { account, info } = selectOffer(step, scenario.cards?.hasSale)
    const paymentId = step.offer === 2 ? undefined : cards?.paymentFor(step.offer)
    const token = info.price_check_uri.split('token=')[1] ?? ''
    try {
      const checked = await process.checkPrice({ accountId: account.id, token }, { requestId: 'r' })
      addLog(`p${step.process} check ${step.offer} → ${checked.status}`)
      if (checked.status === 'sold_out' || checked.change.room === undefined) return
      const { bookingInfo, offer } = checked.change.room.choice
      const { price, board, cancel = TERMS.as_shown.cancel } = soldOffer(offer)
      const paid = paymentId === undefined ? {} : { payment_id: paymentId }
      const body = { ...bookingInfo, ...paid, terms_digest: checked.termsDigest }
      await send(process, { account, body, key: bookingInfo.price_check_uri }, { price, board, cancel })
    } catch (error) {
      if (!(error instanceof AppError)) recordBug(bugs, error)
    }
  }

  const sentBooks = new Map<string, Sent>()
  type Sent = Pick<BookOrder, 'account'> & { body: object; key: string; idempotencyKey?: string | undefined }

  async function send(process: Process, { account, body, key, idempotencyKey }: Sent, shown: SoldTerms): Promise<void> {
    const request = readBody(body)
    const acceptUpTo = (request.acceptPriceUpTo ?? 0) * 100
    const hasWrongDigest = request.termsDigest?.includes('another') ?? false
    requests.push({ fingerprint: request.fingerprint, shown, acceptUpTo, hasWrongDigest })
    const usesKey = scenario.budgetMinor !== undefined && account.id === KEY_ACCOUNT
    const actor = usesKey ? { actor: { kind: 'key', id: KEY_ID } as const } : {}
    const askedAt = time.now()
    const addReply = (outcome: Reply['outcome']) => {
      addLog(`book ${key.slice(0, 40)} → ${JSON.stringify(outcome).slice(0, 90)}`)
      replies.push({ accountId: account.id, key, body: JSON.stringify(body), askedAt, answeredAt: time.now(), outcome })
    }
    try {
      const answer = await process.bookStay({ account, request, idempotencyKey, ...actor }, { requestId: 'r' })
      addReply({ kind: 'answer', status: answer.status, body: answer.body, bookingId: answer.bookingId })
    } catch (error) {
      if (error instanceof AppError) addReply({ kind: 'refusal', code: error.code })
      else addReply({ kind: 'failure', error })
      if (!(error instanceof AppError)) recordBug(bugs, error)
    }
  }

  async function cancelNth(nth: number, process: Process): Promise<void> {
    const [booking] = (await time.working(() => store.recent(['confirmed', 'cancelling'], 5))).slice(nth)
    if (booking === undefined) return
    const { accountId, bookingId } = booking
    addLog(`cancel ${bookingId}`)
    try {
      const after = await process.cancelBooking({ accountId, bookingId, preview: false }, { requestId: 'r' })
      addLog(`cancel ${bookingId} → ${after.booking.state}`)
      cancels.push({ bookingId, state: after.booking.state })
    } catch (error) {
      addLog(`cancel ${bookingId} → ${error}`)
      if (!(error instanceof AppError)) recordBug(bugs, error)
    }
  }

  /** Runs until no booking is due and nothing is running; returns false if that never happens. */
  async function runUntilSettled(): Promise<boolean> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      await time.rest()
      const due = await nextTask(database, 'settle')
      const next = time.next()
      if (due === undefined && next === Number.POSITIVE_INFINITY) return true
      if (due === undefined || next <= due) {
        await changes.advanceTo(next)
      } else {
        // It must be due on the slower of the two clocks too.
        await changes.advanceTo(due + 2 * Math.max(...scenario.skewMs.map(Math.abs)))
        start({ do: 'settle', process: round % 2 === 0 ? 0 : 1, waitMs: 0 })
      }
    }
    return false
  }

  /** Runs all jobs whenever they are due; returns false if they never rest. */
  async function runJobs(kinds: readonly ('settle' | 'read' | 'payment')[], end: number): Promise<boolean> {
    const slackMs = 2 * Math.max(...scenario.skewMs.map(Math.abs))
    for (let round = 0; round < CARD_ROUNDS_MAX; round += 1) {
      await time.rest()
      const tasks = await Promise.all(
        kinds.map(async (kind) => ({ kind, at: (await nextTask(plain, kind)) ?? Number.POSITIVE_INFINITY })),
      )
      const first = tasks.reduce((least, task) => (task.at < least.at ? task : least))
      const next = Math.min(time.next(), changes.next())
      if (Math.min(first.at, next) > end) {
        await changes.advanceTo(end)
        return true
      }
      if (next <= first.at) await changes.advanceTo(next)
      else {
        // It must be due on the slower of the two clocks too.
        await changes.advanceTo(first.at + slackMs)
        start({ do: first.kind === 'payment' ? 'drive' : first.kind, process: round % 2, waitMs: 0 })
      }
    }
    return false
  }

  /** An operator asks the vendor about each booking in review and enters the answer. */
  async function resolveReviews(): Promise<void> {
    for (const { bookingId, reference } of await time.working(() => store.recent(['needs_review'], 20))) {
      const kept = scripted.kept.find((each) => each.reference === reference)
      const wasConfirmed = bookingMoves.some((move) => move.bookingId === bookingId && move.to === 'confirmed')
      const isActive = kept !== undefined && scripted.isActive(kept)
      const to = isActive ? 'confirmed' : wasConfirmed || kept !== undefined ? 'cancelled' : 'rejected'
      addLog(`an operator sets ${bookingId} to ${to}`)
      const facts = { at: time.now(), by: BY_OPERATOR, reason: 'operator', dueAt: null, presentAnswer: bookingAnswer }
      await time
        .working(() => store.move(bookingId, 'needs_review', to, facts))
        .catch((error) => recordBug(bugs, error))
    }
  }

  /** From here on the jobs run whenever they are due. */
  let jobsFrom = Number.POSITIVE_INFINITY
  async function finishWithCards({ reviewAfterMs, operator }: CardScenario): Promise<boolean> {
    jobsFrom = time.now()
    const readUntil = time.now() + 31 * HOUR_MS
    const reviewAt = time.now() + reviewAfterMs + HOUR_MS
    let isRested = await runJobs(['settle', 'payment', 'read'], Math.min(reviewAt, readUntil))
    if (reviewAt > readUntil) isRested = (await runJobs(['settle', 'payment'], reviewAt)) && isRested
    await resolveReviews()
    if (readUntil > time.now()) isRested = (await runJobs(['settle', 'payment', 'read'], readUntil)) && isRested
    isRested = (await runJobs(['settle', 'payment'], time.now() + HOUR_MS)) && isRested
    await resolveReviews()
    for (const [round, act] of operator.entries()) {
      start({ do: 'operator', process: round % 2, waitMs: 0, ...act })
      isRested = (await runJobs(['settle', 'payment'], time.now() + HOUR_MS)) && isRested
    }
    isRested = (await runJobs(['settle', 'payment'], time.now() + 40 * DAY_MS)) && isRested
    for (const sent of sentBooks.values()) {
      for (const index of [0, 1]) {
        const process = ensureAlive(index)
        time.as(process.owner, () => void send(process, sent, TERMS.as_shown))
        isRested = (await runJobs(['settle', 'payment'], time.now() + HOUR_MS)) && isRested
      }
    }
    await resolveReviews()
    return (await runJobs(['settle', 'payment'], time.now() + 40 * DAY_MS)) && isRested
  }

  let lostAt: number | undefined
  /**
   * A vendor that accepts a reference twice may do so while the first request is on its way or not yet visible, so nothing
   * is open then.
   */
  async function lose(steps: number): Promise<void> {
    if (!scenario.traits.deduplicates) await runUntilSettled()
    addLog(`the database loses ${await time.working(() => losses.lose(steps))} bookings`)
    // Separates earlier requests from later ones.
    await changes.advanceTo(time.now() + 1)
    lostAt = time.now()
  }

  for (const step of scenario.steps) {
    await changes.advanceTo(time.now() + step.waitMs)
    if (step.do === 'lose') await lose(step.steps)
    else await time.working(() => losses.keep())
    start(step)
    await time.rest()
  }
  if (scenario.cards !== undefined) {
    const isRested = await finishWithCards(scenario.cards)
    await commits.check()
    return describeRun(!isRested)
  }
  let isSettled = await runUntilSettled()
  scripted.mayForget(true)
  const slackMs = 2 * Math.max(...scenario.skewMs.map(Math.abs))
  const read = (round: number) => start({ do: 'read', process: round % 2, waitMs: 0 })
  isSettled = (await runUntilRead(time, database, changes, slackMs, read)) && isSettled
  scripted.mayForget(false)
  isSettled = (await runUntilSettled()) && isSettled
  /** After a loss, a request is refused until its vendor could be asked. */
  const mustRepeat = (round: number, before: number) => {
    // Replies from before the repeats may be lost.
    const last = replies.slice(before).at(-1)?.outcome
    return lostAt !== undefined && round < REPEATS_MAX && !(last?.kind === 'answer' && last.status !== 503)
  }
  // Every client repeats its request at both processes and must get the same answer.
  for (const step of distinctRequests(scenario.steps)) {
    const before = replies.length
    for (let round = 0; round < 2 || mustRepeat(round, before); round += 1) {
      if (lostAt !== undefined) await changes.advanceTo(time.now() + RETRY_AFTER_MS)
      start({ ...step, process: round % 2, waitMs: 0 })
      isSettled = (await runUntilSettled()) && isSettled
    }
  }
  return describeRun(!isSettled)

  function describeRun(isUnsettled: boolean): History {
    return {
      database: plain,
      store,
      vendor: scripted,
      replies,
      requests,
      cancels,
      bugs,
      isUnsettled,
      lostAt,
      budget: scenario.budgetMinor === undefined ? undefined : { limit: scenario.budgetMinor, maxSpent: costs.max() },
      movedAt,
      moves,
      log,
      cards: cards && {
        ...{ world: cards, commits, orders, bookingMoves, vendorBooked, disturbances, jobsFrom, isUnsettled },
        endedAt: time.now(),
      },
    }
  }
}

const CARD_STEPS: readonly Step['do'][] = [
  'pay',
  'guest',
  'look',
  'release',
  'drive',
  'notify',
  'dashboard',
  'operator',
]
const isCardStep = (step: Step): step is Step & CardStep => CARD_STEPS.includes(step.do)

function distinctRequests(steps: readonly Step[]) {
  const books = steps.filter((step) => step.do === 'book')
  return [...new Map(books.map((step) => [`${step.offer} ${step.key} ${step.body}`, step])).values()]
}

type Parts = {
  readonly database: Database
  readonly store: BookingStore
  readonly scripted: ScriptedVendor
  readonly access: FaultyAccess
  readonly clock: Clock
  readonly ids: Ids
  readonly bugs: unknown[]
  readonly scenario: Scenario
  readonly planted: PlantedBug | undefined
  readonly cards: CardWorld | undefined
}

/** One process: the real use cases, with a planted bug if there is one. */
function assemble({
  database,
  store,
  scripted,
  access,
  clock,
  ids,
  bugs,
  scenario,
  planted,
  cards,
}: Parts): Omit<Process, 'owner' | 'clock'> {
  const history = createHistoryReader(database, clock)
  const sound = { bookings: withFaults(store, access), vendor: scripted.vendor, clock, history }
  const bug = planted?.plant({ ...sound, ids, access, store, database })
  const vendor = bug?.vendor ?? sound.vendor
  const shared = {
    bookings: bug?.bookings ?? sound.bookings,
    clock: bug?.clock ?? sound.clock,
    present: bookingAnswer,
    worlds: oneWorld(vendor),
    searches: noSearches,
    notices: createNoticeTexts(database, clock),
    ids,
    referenceKeys: bug?.referenceKeys ?? referenceKeys,
    history: bug?.history ?? sound.history,
    line: createBookingQueue(),
    ownsOffer: async (accountId: string, ownerId: string) => accountId === ownerId,
    onBug: (error: unknown) => recordBug(bugs, error),
  }
  const pricing = { keyring: offerKeys, rates }
  const card = cards?.assemble({ ...shared, ...pricing, access })
  const paid = { cards: card?.cards ?? withoutCardPayments(async () => new Map()) }
  const bookStay = createBookStay({
    ...shared,
    ...pricing,
    ...paid,
    underway: new Set(),
    patienceMs: scenario.patienceMs,
    requireGuests: false,
  })
  return {
    bookStay: bug?.bookStay?.(bookStay) ?? bookStay,
    checkPrice: createCheckPrice({ ...shared, ...pricing, ...paid }),
    // Each round has its own limits, because work interrupted by an injected crash never ends.
    settle: () => createSettleWorker(shared).run(),
    read: () => createReadWorker({ ...shared, readingsPerMinute: 6_000 }).run(),
    cancelBooking: createCancelBooking({ ...shared, ...paid }),
    cards: card,
  }
}

/** Ignores injected faults, which are not bugs. */
function recordBug(bugs: unknown[], error: unknown): void {
  const injected = error instanceof InjectedFault || (error instanceof TypeError && error.message === 'injected')
  if (!injected) bugs.push(error)
}

function createSequentialIds(): Ids {
  let count = 0
  const next = () => {
    count += 1
    return count
  }
  return {
    uuid: () => `00000000-0000-4000-8000-${String(next()).padStart(12, '0')}`,
    prefixed: (prefix) => `${prefix}_${next()}`,
  }
}
