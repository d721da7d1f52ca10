import { soldBooking } from '../../../src/domain/booking/apply-sale.ts'
import { DAY_MS } from '../../../src/lib/time/durations.ts'
import type { History } from '../history.ts'
import { KEY_ACCOUNT } from '../key-budget.ts'
import type { Row, Violation } from '../violation.ts'
import { findForgottenHold, findUnseenLapse } from './hold-invariants.ts'
import { type Cause, dueOf, type PaymentCase, type PaymentRow, penaltyOf, stateAt, violation } from './payment-case.ts'
import type { PaymentHistory } from './payment-history.ts'
import type { MoneyEntry } from './provider-ledger.ts'
import { findRepeatedRefund, findWrongGoodwill, findWrongRefund, hasEndedReview } from './refund-invariants.ts'

/** Compares bookings, payments and the provider. Returns an empty list if all invariants hold. */
export async function findPaymentViolations(history: History, rows: readonly Row[]): Promise<Violation[]> {
  const { cards, database } = history
  if (cards === undefined) return []
  const payments = await database.read.selectFrom('payments').selectAll().execute()
  const cases = payments.map((row) => describeCase(history.requests, cards, row, rows))
  return [
    ...findShared(payments, rows),
    ...findOnAccount(payments, rows),
    ...cases.flatMap((each) => CHECKS.flatMap((check) => check(each))),
    ...findOrphans(cards, payments),
    ...findUnpaid(history, cards, rows),
    ...findMisusedKeys(cards),
    ...findUnlooked(cards),
    ...cards.commits.violations,
  ]
}

function describeCase(
  sent: History['requests'],
  cards: PaymentHistory,
  row: PaymentRow,
  rows: readonly Row[],
): PaymentCase {
  const { ledger, requests, refusals } = cards.world.scripted
  const { booking, fingerprint } = rows.find((each) => each.booking.payment?.paymentId === row.payment_id) ?? {}
  const request = sent.find((each) => each.fingerprint === fingerprint)
  const agreed = request && Math.max(request.shown.price.total.minor, request.acceptUpTo)
  const entries = ledger.entries.filter(({ paymentId }) => paymentId === row.payment_id)
  const intent = ledger.list().find(({ paymentId }) => paymentId === row.payment_id)
  const has = (test: (entry: MoneyEntry) => boolean) => entries.some(test)
  const causes = new Set<Cause>()
  if (has(({ by }) => by === 'dashboard')) causes.add('dashboard')
  if (has(({ kind, by }) => kind === 'released' && by === 'provider')) causes.add('ended')
  if (has(({ kind }) => kind === 'refund_failed')) causes.add('returned')
  const isOwn = ({ subject }: { subject: string }) => subject === row.payment_id || subject === row.provider_reference
  const refused = refusals.filter(isOwn)
  if (refused.length > 0) causes.add('refused')
  if (refused.some(({ kind }) => kind === 'void')) causes.add('not_released')
  const own = requests.filter(isOwn)
  const orders = cards.orders.filter(({ paymentId, outcome }) => paymentId === row.payment_id && outcome !== 'refused')
  return { row, booking, agreed, intent, entries, requests: own, cards, orders, causes }
}

const isByUs = ({ by }: MoneyEntry): boolean => by === 'us'

const wasConfirmed = (cards: PaymentHistory, bookingId: string | undefined, order: number): boolean =>
  cards.bookingMoves.some((move) => move.bookingId === bookingId && move.to === 'confirmed' && move.order < order)

const CHECKS: readonly ((each: PaymentCase) => Violation[])[] = [
  /** Money is taken only for a booking that was confirmed, or for the fee of a cancelled one. */
  ({ row, booking, entries, cards }) =>
    entries.flatMap((entry) => {
      if (entry.kind !== 'captured' || !isByUs(entry)) return []
      if (wasConfirmed(cards, booking?.bookingId, entry.order)) return []
      const isFee = stateAt(cards, booking?.bookingId, entry.order) === 'cancelled' && booking !== undefined
      return isFee && penaltyOf(booking) >= entry.amount
        ? []
        : violation('captured_unbooked', `${row.payment_id} captured ${entry.amount} before its booking was confirmed`)
    }),
  ({ row, entries }) => {
    const captures = entries.filter((entry) => entry.kind === 'captured' && isByUs(entry))
    return captures.length > 1 ? violation('captured_twice', `${row.payment_id}: ${captures.length} captures`) : []
  },
  findOvercapture,
  findForgottenHold,
  /** An undecided booking keeps its authorisation. */
  ({ row, booking, entries, cards }) =>
    entries.flatMap((entry) => {
      const isRest = entries.some(({ kind, order }) => kind === 'captured' && order < entry.order)
      if (entry.kind !== 'released' || !isByUs(entry) || entry.amount === 0 || isRest) return []
      const state = stateAt(cards, booking?.bookingId, entry.order)
      const isUndecided =
        state === 'submitting' ||
        state === 'in_doubt' ||
        (state === 'needs_review' && !wasConfirmed(cards, booking?.bookingId, entry.order))
      return isUndecided
        ? violation('hold_dropped', `${row.payment_id} was released while its booking was ${state}`)
        : []
    }),
  findWrongRefund,
  findRepeatedRefund,
  findWrongGoodwill,
  findBlindRepeats,
  ({ row, intent, causes }) => {
    if (causes.has('dashboard') || !['captured', 'voided', 'needs_review'].includes(row.state)) return []
    const refunded = (intent?.refunds ?? []).filter(({ state }) => state === 'done')
    const theirs = [intent?.captured ?? 0, refunded.reduce((sum, { amount }) => sum + amount, 0)]
    const ours = [row.captured_minor, row.refunded_minor]
    return theirs.every((amount, index) => amount === ours[index])
      ? []
      : violation(
          'ledger_broken',
          `${row.payment_id} is ${row.state} with ${ours.join(' and ')}, the provider has ${theirs.join(' and ')}`,
        )
  },
  ({ row, booking, cards }) => {
    const isUndecided = row.state === 'held' && booking?.state === 'needs_review'
    const isPending = row.state === 'refunding' && row.refund_pending_minor > 0
    const isAtRest = ['captured', 'voided', 'failed', 'lapsed', 'needs_review'].includes(row.state)
    if (isAtRest || isUndecided || isPending) return []
    return violation(
      'payment_stuck',
      `${row.payment_id} is still ${row.state}${cards.isUnsettled ? ', and the run did not end' : ''}`,
    )
  },
  findUntrueReplies,
  /** Test payments and simulated bookings never meet real ones. */
  ({ row, booking, cards }) =>
    booking !== undefined && booking.simulated !== cards.world.simulated.has(row.payment_id)
      ? violation('mixed_worlds', `${row.payment_id} pays ${booking.bookingId}, and only one of them is simulated`)
      : [],
  findUnseenLapse,
  /** A person is only asked if the provider, the bank or another person caused it. */
  ({ row, booking, causes, orders }) => {
    if (booking?.state !== 'confirmed' || ['captured', 'refunding'].includes(row.state)) return []
    // An operator has ended the review without the card.
    if (hasEndedReview(orders) && row.state === 'voided') return []
    if (row.state === 'needs_review' && causes.size > 0) return []
    return violation(
      'uncollected',
      `${booking.bookingId} is confirmed, and ${row.payment_id} is ${row.state} (${row.reason})`,
    )
  },
  ({ row, booking, causes }) => {
    if (row.state !== 'needs_review' || causes.size > 0 || booking?.state === 'confirmed') return []
    // A fee that the vendor asks for is a person's decision.
    if (row.reason === 'vendor_fee' || row.reason === 'unknown_fee') return []
    return violation('hold_left', `${row.payment_id} is in review (${row.reason}) without a cause`)
  },
]

/** Never more than authorised, due, and agreed. */
function findOvercapture({ row, booking, agreed, entries }: PaymentCase): Violation[] {
  const sumOf = (isCounted: (entry: MoneyEntry) => boolean) =>
    entries.filter(isCounted).reduce((sum, { amount }) => sum + amount, 0)
  const captured = sumOf((entry) => entry.kind === 'captured' && isByUs(entry))
  const limits = {
    authorised: sumOf(({ kind }) => kind === 'authorised'),
    ...(booking !== undefined && { due: dueOf(booking) }),
    ...(booking !== undefined &&
      agreed !== undefined && { agreed: agreed - soldBooking(booking).price.dueAtProperty.minor }),
  }
  return Object.entries(limits).flatMap(([name, limit]) =>
    captured > limit
      ? violation('overcaptured', `${row.payment_id} captured ${captured}, and ${limit} was ${name}`)
      : [],
  )
}

/** A client that reads “released” or “failed” is not charged later, and the amounts that it reads were moved. */
function findUntrueReplies({ row, entries, cards }: PaymentCase): Violation[] {
  const sum = (kind: MoneyEntry['kind'], until: number) =>
    entries.reduce((total, entry) => total + (entry.kind === kind && entry.order < until ? entry.amount : 0), 0)
  const replies = cards.world.replies.filter(({ paymentId }) => paymentId === row.payment_id)
  return replies.flatMap(({ told, captured, refunded, order }) => {
    const isCharged = entries.some((entry) => entry.kind === 'captured' && isByUs(entry) && entry.order > order)
    if ((told === 'voided' || told === 'failed') && isCharged)
      return violation('untrue_payment', `${row.payment_id} was shown as ${told} and captured later`)
    const charged = sum('captured', order)
    return (told === 'captured' && charged === 0) || captured > charged || refunded > sum('refunded', order)
      ? violation('untrue_payment', `${row.payment_id} was shown as ${told} with ${captured} and ${refunded}`)
      : []
  })
}

/** After a request without an answer, only a look shows whether to send again. */
function findBlindRepeats({ row, requests, cards }: PaymentCase): Violation[] {
  const { looks } = cards.world.scripted
  return requests.flatMap((second, index) => {
    if (second.kind === 'create') return []
    const first = requests.slice(0, index).findLast(({ kind }) => kind === second.kind)
    if (first === undefined || first.isAnswered) return []
    const isLooked = looks.some(
      ({ reference, beganOrder, order }) =>
        reference === row.provider_reference && beganOrder > first.order && order < second.order,
    )
    return isLooked ? [] : violation('sent_blind', `${second.kind} of ${row.payment_id} was sent again without a look`)
  })
}

function findOrphans({ world }: PaymentHistory, payments: readonly PaymentRow[]): Violation[] {
  return world.scripted.ledger
    .list()
    .filter(({ paymentId }) => !payments.some((row) => row.payment_id === paymentId))
    .flatMap(({ reference, paymentId }) => violation('orphan_payment', `no row names ${reference} of ${paymentId}`))
}

/** The vendor is only asked to book what an active authorisation pays. */
function findUnpaid({ vendor }: History, cards: PaymentHistory, rows: readonly Row[]): Violation[] {
  const { ledger } = cards.world.scripted
  return cards.vendorBooked.flatMap(({ reference, order }) => {
    const booking = rows.find(({ booking: { reference: own } }) => own === reference)?.booking
    if (booking === undefined || booking.accountId !== KEY_ACCOUNT || booking.simulated) return []
    const due = dueOf(booking)
    const { paymentId } = booking.payment ?? {}
    const before = ledger.entries.filter((entry) => entry.paymentId === paymentId && entry.order < order)
    const held = before.find(({ kind }) => kind === 'authorised')
    const ended = before.find(({ kind, by }) => (kind === 'released' || kind === 'captured') && by === 'us')
    const found: Violation[] = []
    if (due > 0 && (held === undefined || held.amount < due || ended !== undefined))
      found.push(
        ...violation(
          'booked_unpaid',
          `${booking.bookingId} was sent without an authorisation of ${due} (${paymentId})`,
        ),
      )
    const isActive = vendor.kept.some((kept) => kept.reference === reference && vendor.isActive(kept))
    const intent = ledger.list().find((each) => each.paymentId === paymentId)
    const released = ledger.entries.find(
      (entry) => entry.paymentId === paymentId && entry.kind === 'released' && isByUs(entry),
    )
    // In a review an operator may release the money of a booking that the guest pays in another way.
    const isOrdered = cards.orders.some(
      (order) =>
        order.paymentId === paymentId &&
        (order.act === 'releases' || order.act === 'accepts') &&
        order.outcome !== 'refused' &&
        order.beganOrder < (released?.order ?? 0),
    )
    if (isActive && released !== undefined && !isOrdered && intent?.status === 'gone')
      found.push(
        ...violation('confirmed_after_void', `the vendor holds ${booking.bookingId}, whose payment was released`),
      )
    return found
  })
}

function findShared(payments: readonly PaymentRow[], rows: readonly Row[]): Violation[] {
  const found: Violation[] = []
  const seen = new Map<string, string>()
  for (const { booking } of rows) {
    const { paymentId } = booking.payment ?? {}
    if (paymentId === undefined) continue
    const other = seen.get(paymentId)
    if (other !== undefined)
      found.push(...violation('payment_shared', `${paymentId} pays ${other} and ${booking.bookingId}`))
    seen.set(paymentId, booking.bookingId)
    const row = payments.find(({ payment_id }) => payment_id === paymentId)
    if (row?.booking_id !== booking.bookingId)
      found.push(
        ...violation('payment_shared', `${booking.bookingId} names ${paymentId}, which names ${row?.booking_id}`),
      )
  }
  return found
}

function findMisusedKeys({ world }: PaymentHistory): Violation[] {
  const byKey = Map.groupBy(world.scripted.requests, ({ key }) => key)
  return [...byKey].flatMap(([key, [first, ...more]]) => {
    if (first === undefined) return []
    if (more.some(({ parameters }) => parameters !== first.parameters))
      return violation('key_misused', `${key} was used with two sets of parameters`)
    return more.some(({ at }) => at > first.at + DAY_MS)
      ? violation('key_misused', `${key} was used for more than a day`)
      : []
  })
}

function findOnAccount(payments: readonly PaymentRow[], rows: readonly Row[]): Violation[] {
  const touched = payments.filter(({ account_id }) => account_id !== KEY_ACCOUNT).map(({ payment_id }) => payment_id)
  const paid = rows.filter(({ booking }) => booking.accountId !== KEY_ACCOUNT && booking.payment !== undefined)
  return [...touched, ...paid.map(({ booking }) => booking.bookingId)].flatMap((id) =>
    violation('on_account_touched', `${id} of an account that pays later has a payment`),
  )
}

/** Amounts change only after a look or an answer. */
function findUnlooked({ commits, world }: PaymentHistory): Violation[] {
  const { looks, requests } = world.scripted
  return commits.changes.flatMap(({ paymentId, reference, after, order }) => {
    const isBetween = (moment: number | undefined) => moment !== undefined && moment > after && moment < order
    const isKnown =
      looks.some((look) => look.reference === reference && isBetween(look.order)) ||
      requests.some((request) => request.subject === reference && isBetween(request.answeredOrder))
    return isKnown ? [] : violation('believed_event', `${paymentId} changed without a look or an answer`)
  })
}
