import type Stripe from 'stripe'
import { DAY_MS } from '../../src/lib/time/durations.ts'
import { hasFault } from '../server/fault-plan.ts'
import { lapse } from './changes.ts'
import { textOf } from './form-body.ts'
import { buildIntent } from './objects.ts'
import { readAmount, readCreate, readExpand, readPageParameters, refuseUnknown, takePage } from './parameters.ts'
import { type ApiCall, type Parts, recordMoney, seconds } from './parts.ts'
import { declined, invalid, missing, wrongState } from './refusal.ts'
import type { KeptIntent } from './state.ts'

export function findIntent({ state }: Parts, id: string): KeptIntent {
  const kept = state.find(id)
  if (kept === undefined) throw missing('payment_intent', id)
  return kept
}

export function createPaymentIntent(parts: Parts, { form, key }: ApiCall): Stripe.PaymentIntent {
  const order = readCreate(form)
  const id = parts.createId('pi')
  const kept: KeptIntent = {
    ...order,
    id,
    secret: `${id}_secret_${parts.createId('s').slice(2)}`,
    created: seconds(parts.clock),
    status: 'requires_payment_method',
    amountReceived: 0,
    refunds: [],
  }
  parts.state.save(kept)
  const intent = buildIntent(kept, parts.origin(), readExpand(form))
  parts.events.add('payment_intent.created', intent, key)
  return intent
}

export function retrieveIntent(parts: Parts, { id, form, faults, isPublic }: ApiCall): unknown {
  refuseUnknown(form, ['expand', 'client_secret', 'key'])
  const kept = lapseEarly(parts, findIntent(parts, id), faults)
  const intent = buildIntent(kept, parts.origin(), readExpand(form))
  if (!isPublic) return intent
  if (textOf(form, 'client_secret') !== kept.secret) throw missing('payment_intent', id)
  const { status, amount, currency, client_secret, last_payment_error, next_action } = intent
  return { id, object: 'payment_intent', status, amount, currency, client_secret, last_payment_error, next_action }
}

export function listIntents(parts: Parts, { form }: ApiCall) {
  refuseUnknown(form, ['created', 'limit', 'starting_after', 'ending_before', 'expand', 'customer'])
  const page = readPageParameters(form)
  const found = parts.state
    .all()
    .filter(({ created }) => created >= page.createdFrom && created <= page.createdTo)
    .map((kept) => buildIntent(kept, parts.origin()))
  return takePage('/v1/payment_intents', found, page)
}

const METADATA_QUERY = /^metadata\['([^']+)'\]:'([^']*)'$/

/** New intents are found some time later, which is why the service must not decide by a search. */
export function searchIntents(parts: Parts, { form }: ApiCall) {
  refuseUnknown(form, ['query', 'limit', 'page', 'expand'])
  const match = METADATA_QUERY.exec(textOf(form, 'query') ?? '')
  if (match === null) throw invalid('The stand-in searches only by metadata.', undefined, 'query')
  const [, name = '', value] = match
  const visibleUntil = parts.clock.now() - parts.settings.searchLagMs
  const data = parts.state
    .all()
    .filter(({ metadata, created }) => metadata[name] === value && created * 1_000 <= visibleUntil)
    .map((kept) => buildIntent(kept, parts.origin()))
  return { object: 'search_result', url: '/v1/payment_intents/search', has_more: false, next_page: null, data }
}

export function captureIntent(parts: Parts, { id, form, faults, key }: ApiCall): Stripe.PaymentIntent {
  refuseUnknown(form, ['amount_to_capture', 'final_capture', 'metadata', 'expand', 'statement_descriptor_suffix'])
  const kept = lapseEarly(parts, findIntent(parts, id), faults)
  const shown = () => buildIntent(kept, parts.origin())
  if (kept.status !== 'requires_capture' || kept.charge === undefined) {
    const hasLapsed = kept.cancellationReason === 'automatic'
    const code = hasLapsed ? 'charge_expired_for_capture' : 'payment_intent_unexpected_state'
    throw wrongState(code, `This PaymentIntent could not be captured because it is ${kept.status}.`, shown())
  }
  const amount = readAmount(form, 'amount_to_capture') ?? kept.amount
  if (amount < 1 || amount > kept.amount)
    throw invalid(`amount_to_capture must be from 1 to ${kept.amount}.`, 'amount_too_large', 'amount_to_capture')
  if (kept.card?.isCaptureRefused === true || hasFault(faults, 'decline'))
    throw declined(
      { code: 'card_declined', declineCode: 'generic_decline', message: 'Your card was declined.' },
      shown(),
    )
  const captured: KeptIntent = {
    ...kept,
    status: 'succeeded',
    amountReceived: amount,
    charge: { ...kept.charge, capturedAt: seconds(parts.clock) },
  }
  parts.state.save(captured)
  recordMoney(parts, kept, 'captured', amount)
  if (amount < kept.amount) recordMoney(parts, kept, 'released', kept.amount - amount)
  const intent = buildIntent(captured, parts.origin(), readExpand(form))
  parts.events.add('payment_intent.succeeded', intent, key)
  return intent
}

export function cancelIntent(parts: Parts, { id, form, faults, key }: ApiCall): Stripe.PaymentIntent {
  refuseUnknown(form, ['cancellation_reason', 'expand'])
  const kept = lapseEarly(parts, findIntent(parts, id), faults)
  if (kept.status === 'succeeded' || kept.status === 'canceled') {
    const message = `You cannot cancel this PaymentIntent because it has a status of ${kept.status}.`
    throw wrongState('payment_intent_unexpected_state', message, buildIntent(kept, parts.origin()))
  }
  const reason = textOf(form, 'cancellation_reason')
  if (reason !== undefined && !CANCEL_REASONS.includes(reason))
    throw invalid(`cancellation_reason must be one of ${CANCEL_REASONS.join(', ')}.`, undefined, 'cancellation_reason')
  const canceled: KeptIntent = {
    ...withoutAction(kept),
    status: 'canceled',
    canceledAt: seconds(parts.clock),
    ...(reason !== undefined && { cancellationReason: reason as Stripe.PaymentIntent.CancellationReason }),
  }
  parts.state.save(canceled)
  if (kept.status === 'requires_capture') recordMoney(parts, kept, 'released', kept.amount)
  const intent = buildIntent(canceled, parts.origin(), readExpand(form))
  parts.events.add('payment_intent.canceled', intent, key)
  return intent
}

const CANCEL_REASONS = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']

export const withoutAction = ({ action: _action, ...kept }: KeptIntent): KeptIntent => kept

/** Window of a card payment by a guest. */
export const HOLD_MS = 7 * DAY_MS

function lapseEarly(parts: Parts, kept: KeptIntent, faults: ApiCall['faults']): KeptIntent {
  if (!hasFault(faults, 'lapse_early') || kept.status !== 'requires_capture') return kept
  lapse(parts, kept)
  return findIntent(parts, kept.id)
}
