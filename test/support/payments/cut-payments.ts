import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comparePayments, type PaymentRow } from '../../../chaos/crash/compare-payments.ts'
import { serveStripe } from '../../../sandbox/stripe/serve-stripe.ts'
import { type Database, openDatabase } from '../../../src/store/database.ts'
import { ACCOUNT } from '../app/app.ts'
import { type LedgerApp, ledgerApp } from '../app/ledger-app.ts'
import { type CutMode, PATIENCE_MS } from '../booking/cut-database.ts'
import { startCutter } from '../servers/postgres-cutter.ts'
import { CARD, sandboxSettings } from './stripe-bench.ts'

const CONNECTIONS = 4
const GUESTS = [{ given_name: 'Ana', family_name: 'Costa' }]
/** Higher than the number of statements of a journey. */
const STATEMENTS_MAX = 300
/** A hundred journeys on a busy machine. */
const TIMEOUT_MS = 900_000
const REPEATS_MAX = 40
/** First longer than the lease, then as long as the service waits before it trusts that a vendor has no booking. */
const WAITS_MS = [5_000, 30_000, 60_000, 5 * 60_000]

let cutter: Awaited<ReturnType<typeof startCutter>>
let database: Database
let stripe: ReturnType<typeof serveStripe>
let app: LedgerApp
let cuts: number
let refunds: number

async function open(url: string): Promise<void> {
  cutter = await startCutter(url)
  database = openDatabase({ kind: 'postgres', url: cutter.url, connectionsMax: CONNECTIONS })
  const started = Date.parse('2027-01-15T12:00:00Z')
  stripe = serveStripe({ clock: { now: () => app?.clock.now() ?? started } })
  const settings = sandboxSettings((await stripe.listen()).origin)
  const booking = { patienceMs: PATIENCE_MS }
  app = await ledgerApp({ booking, payments: { provider: 'stripe', stripe: settings } }, { database })
  await app.manageAccounts.setPayment(ACCOUNT.email, 'card')
}

async function close(): Promise<void> {
  await app?.close()
  await stripe?.close()
  await cutter?.close()
}

type Json = { readonly [field: string]: unknown }
type Answer = { readonly status: number; readonly data: Json; readonly code: string; readonly effect: string }
type Call = () => Promise<Answer>

async function post(url: string, payload: object, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await app.request({ method: 'POST', url, payload, headers })
  const { data = {}, code = '', effect = '' } = answer.json()
  return { status: answer.statusCode, data, code, effect }
}

/** Effects outside of the database. */
async function countEffects() {
  const bookings = await app.ledger()
  const money = await stripe.control.ledger()
  const ofKind = (kind: string) => money.filter((entry) => entry.kind === kind).length
  return {
    booked: bookings.length,
    cancelled: bookings.filter(({ status }) => status === 'cancelled').length,
    ...{
      authorised: ofKind('authorised'),
      captured: ofKind('captured'),
      released: ofKind('released'),
      refunded: ofKind('refunded'),
    },
  }
}

/** Returns an offer that its vendor can still sell and that is free to cancel, so that there is something to refund. */
async function findOffer(): Promise<Record<string, string>> {
  for (let tries = 0; tries < 40; tries += 1) {
    const { booking_info, cancel_policy } = await app.room()
    if (cancel_policy.cancelation !== 'free') continue
    const { data } = (await app.request({ url: booking_info.price_check_uri ?? '' })).json()
    if (data?.status === 'matched') return { ...booking_info }
  }
  throw new Error('no room is left')
}

function healIfCut(): void {
  if (!cutter.isCut()) return
  cutter.heal()
  cuts += 1
}

const sleepAndSettle = async (waitMs: number): Promise<void> => {
  app.clock.advance(waitMs)
  await app.settleBookings()
  await app.drivePayments()
}

/** Runs both jobs; a lost connection ends the round, and the next one continues. */
async function runJobs(): Promise<void> {
  for (const waitMs of WAITS_MS) await sleepAndSettle(waitMs).catch(healIfCut)
}

type Effects = Awaited<ReturnType<typeof countEffects>>

/** Repeats a request until it succeeds. `none` must be true of the call that reports it. */
async function insist(send: Call, done: (answer: Answer) => boolean, counted: keyof Effects): Promise<Answer> {
  const seen: string[] = []
  for (let tries = 0; tries < REPEATS_MAX; tries += 1) {
    const before = await countEffects()
    const answer = await send()
    const acted = (await countEffects())[counted] - before[counted]
    if (answer.status >= 400) expect(['none', 'unknown'], answer.code).toContain(answer.effect)
    if (answer.effect === 'none') expect(acted, `${answer.code} says that nothing was done`).toBe(0)
    expect(acted, `${answer.status} ${answer.code}`).toBeLessThanOrEqual(1)
    if (done(answer)) return answer
    seen.push(`${answer.status} ${answer.code || answer.data.status}`)
    healIfCut()
    await sleepAndSettle(WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 0).catch(healIfCut)
  }
  throw new Error(`the request never succeeded: ${seen.join(', ')}`)
}

/**
 * create → authorise → book → capture → cancel → refund, with each request repeated until it succeeds. A booking that was
 * interrupted before it was sent is rejected; its payment is released and the journey ends.
 */
async function travel(offer: Record<string, string>): Promise<string> {
  const key = { 'idempotency-key': randomUUID() }
  const { data: created } = await insist(
    () => post('/api/payments', offer, key),
    ({ data }) => data.next != null,
    'authorised',
  )
  const { payment_id, terms_digest, next } = created as Json & { readonly next: { readonly client_secret: string } }
  expect(await stripe.control.confirm(next.client_secret.split('_secret_')[0] ?? '', CARD.good)).toBe(
    'requires_capture',
  )
  app.clock.advance(1_000)

  const order = { ...offer, guests: GUESTS, payment_id, terms_digest }
  const headers = { 'idempotency-key': randomUUID() }
  const before = await countEffects()
  const { code, data: booked } = await insist(
    () => post('/api/accommodation/book', order, headers),
    ({ data, code }) => data.status === 'confirmed' || code === 'payment_expired',
    'booked',
  )
  const isBooked = code === ''
  expect((await countEffects()).booked - before.booked, 'bookings at the vendor').toBe(isBooked ? 1 : 0)
  await runJobs()
  expect((await countEffects()).captured - before.captured, 'captures').toBe(isBooked ? 1 : 0)
  if (!isBooked) return String(payment_id)

  await insist(
    () => post(`/api/accommodation/bookings/${booked.booking_id}/cancel`, {}),
    ({ data }) => data.status === 'cancelled',
    'cancelled',
  )
  await runJobs()
  return String(payment_id)
}

async function readRows(): Promise<PaymentRow[]> {
  const query = database.read
    .selectFrom('payments')
    .leftJoin('bookings', 'bookings.booking_id', 'payments.booking_id')
    .selectAll('payments')
    .select(['bookings.state as booking_state'])
  for (let tries = 1; ; tries += 1) {
    try {
      return await query.execute()
    } catch (error) {
      // Each connection of the pool may have been cut.
      if (tries > CONNECTIONS) throw error
    }
  }
}

async function cutEverywhere(mode: CutMode, stride: number, offset: number): Promise<void> {
  cuts = 0
  refunds = 0
  for (let statement = offset; statement <= STATEMENTS_MAX; statement += stride) {
    const offer = await findOffer()
    const before = await countEffects()
    const cutsBefore = cuts
    cutter.arm({ ...mode, statement })
    const paymentId = await travel(offer)
    healIfCut()
    cutter.heal()
    const where = `statement ${statement}`
    const payment = (await readRows()).find(({ payment_id }) => payment_id === paymentId)
    const { booking_state: booking, state, reason } = payment ?? {}
    const after = await countEffects()
    const moved = [after.captured - before.captured, after.released - before.released, after.refunded - before.refunded]
    expect([booking, state, reason, ...moved], where).toEqual(
      booking === 'rejected' ? ['rejected', 'voided', null, 0, 1, 0] : ['cancelled', 'captured', null, 1, 0, 1],
    )
    refunds += after.refunded - before.refunded
    if (cuts === cutsBefore) return judge(stride)
  }
  throw new Error('every statement was cut')
}

/** Books and money agree after all journeys. */
async function judge(stride: number): Promise<void> {
  expect(cuts).toBeGreaterThan(40 / stride)
  // A booking is rejected only if it is cut between its intent and its request.
  expect(refunds).toBeGreaterThan(cuts * 0.7)
  const money = await stripe.control.ledger()
  expect(comparePayments(await readRows(), money)).toEqual([])
  const to = app.clock.now()
  expect(await app.operator.payments.reconcile({ from: to - 30 * 86_400_000, to })).toEqual([])
  const open = await database.read
    .selectFrom('payment_operations')
    .select('key')
    .where('state', 'in', ['planned', 'sent'])
    .execute()
  expect(open).toEqual([])
}

const describeMode = ({ side, stays }: CutMode) =>
  `${side} a statement is executed${stays ? ', and the database stays down' : ', and the database is back at once'}`

/**
 * Cuts the connection at every `stride`th statement of a journey with a card, from the payment to the refund, judged by
 * the ledgers of the vendors and of the payment provider. `url` is a migrated database.
 */
export function cutPayments(modes: readonly CutMode[], url: () => Promise<string>, stride = 1): void {
  beforeAll(async () => open(await url()))
  afterAll(close)

  describe.each(modes.map((mode, index) => [describeMode(mode), mode, 1 + index * 2] as const))(
    'when the connection is lost %s',
    (_, mode, offset) => {
      test(
        'a stay is paid, booked, cancelled and refunded once, and books and money agree',
        () => cutEverywhere(mode, stride, offset),
        TIMEOUT_MS,
      )
    },
  )
}
