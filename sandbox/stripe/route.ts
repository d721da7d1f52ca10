import type Stripe from 'stripe'
import { buildBalanceTransaction, buildCharge } from './charge-object.ts'
import { confirmIntent } from './confirm.ts'
import {
  cancelIntent,
  captureIntent,
  createPaymentIntent,
  listIntents,
  retrieveIntent,
  searchIntents,
} from './intents.ts'
import { buildReview } from './objects.ts'
import { readPageParameters, takePage } from './parameters.ts'
import type { ApiCall, Parts } from './parts.ts'
import { createRefund, listDisputesOf, listRefundsOf, retrieveDispute, retrieveRefund } from './refunds.ts'
import { missing } from './refusal.ts'

export type ApiRoute = {
  /** Name for faults. */
  readonly operation: string
  readonly id: string
  /** Browsers may call it with the publishable key and the client secret. */
  readonly isForBrowsers: boolean
  run(parts: Parts, call: ApiCall): unknown
}

type Row = readonly [method: string, path: RegExp, operation: string, run: ApiRoute['run'], isForBrowsers?: true]

const ROUTES: readonly Row[] = [
  ['POST', /^\/v1\/payment_intents$/, 'create', createPaymentIntent],
  ['GET', /^\/v1\/payment_intents$/, 'list', listIntents],
  ['GET', /^\/v1\/payment_intents\/search$/, 'search', searchIntents],
  ['GET', /^\/v1\/payment_intents\/([^/]+)$/, 'retrieve', retrieveIntent, true],
  ['POST', /^\/v1\/payment_intents\/([^/]+)\/confirm$/, 'confirm', confirmIntent, true],
  ['POST', /^\/v1\/payment_intents\/([^/]+)\/capture$/, 'capture', captureIntent],
  ['POST', /^\/v1\/payment_intents\/([^/]+)\/cancel$/, 'cancel', cancelIntent],
  ['POST', /^\/v1\/refunds$/, 'refund', createRefund],
  ['GET', /^\/v1\/refunds$/, 'list_refunds', listRefundsOf],
  ['GET', /^\/v1\/refunds\/([^/]+)$/, 'refund_status', retrieveRefund],
  ['GET', /^\/v1\/disputes$/, 'list_disputes', listDisputesOf],
  ['GET', /^\/v1\/disputes\/([^/]+)$/, 'dispute', retrieveDispute],
  ['GET', /^\/v1\/reviews$/, 'reviews', listReviews],
  ['GET', /^\/v1\/charges$/, 'charges', listCharges],
  ['GET', /^\/v1\/charges\/([^/]+)$/, 'charge', retrieveCharge],
  ['GET', /^\/v1\/balance_transactions\/([^/]+)$/, 'balance_transaction', retrieveBalanceTransaction],
  ['GET', /^\/v1\/balance$/, 'balance', retrieveBalance],
  ['GET', /^\/v1\/events$/, 'events', listEvents],
  ['GET', /^\/v1\/events\/([^/]+)$/, 'event', retrieveEvent],
]

export function findApiRoute(method: string, path: string): ApiRoute | undefined {
  for (const [wanted, pattern, operation, run, isForBrowsers = false] of ROUTES) {
    const match = wanted === method ? pattern.exec(path) : null
    if (match !== null) return { operation, id: decodeURIComponent(match[1] ?? ''), isForBrowsers, run }
  }
  return undefined
}

/** Stripe lists only open reviews. */
function listReviews({ state }: Parts, { form }: ApiCall) {
  const open = state.all().flatMap((kept) => (kept.review?.isOpen === true ? [buildReview(kept, kept.review)] : []))
  return takePage('/v1/reviews', open, readPageParameters(form))
}

function listCharges({ state }: Parts, { form }: ApiCall) {
  const charges = state.all().flatMap((kept) => (kept.charge === undefined ? [] : [buildCharge(kept, new Set())]))
  return takePage('/v1/charges', charges, readPageParameters(form))
}

function retrieveCharge({ state }: Parts, { id }: ApiCall): Stripe.Charge {
  const kept = state.all().find(({ charge }) => charge?.id === id)
  if (kept === undefined) throw missing('charge', id)
  return buildCharge(kept, new Set())
}

function retrieveBalanceTransaction({ state }: Parts, { id }: ApiCall): Stripe.BalanceTransaction {
  const kept = state.find(`pi_${id.slice('txn_'.length)}`)
  const transaction = kept && buildBalanceTransaction(kept)
  if (transaction === undefined) throw missing('balance transaction', id)
  return transaction
}

function retrieveBalance() {
  return {
    object: 'balance',
    available: [{ amount: 1_000_000, currency: 'eur', source_types: { card: 1_000_000 } }],
    livemode: false,
    pending: [{ amount: 0, currency: 'eur', source_types: { card: 0 } }],
  } satisfies Stripe.Balance
}

function listEvents({ events }: Parts, { form }: ApiCall) {
  return takePage('/v1/events', events.all().toReversed(), readPageParameters(form))
}

function retrieveEvent({ events }: Parts, { id }: ApiCall) {
  const event = events.all().find((each) => each.id === id)
  if (event === undefined) throw missing('event', id)
  return event
}
