import type Stripe from 'stripe'
import { MINUTE_MS } from '../../src/lib/time/durations.ts'
import { findFault, hasFault } from '../server/fault-plan.ts'
import type { Fault } from '../server/faults.ts'
import { type Decline, type ReadCard, readCard } from './cards.ts'
import { type Form, groupOf, textOf } from './form-body.ts'
import { findIntent, HOLD_MS, withoutAction } from './intents.ts'
import { buildIntent, buildReview } from './objects.ts'
import { readExpand } from './parameters.ts'
import { type ApiCall, type Parts, recordMoney, seconds } from './parts.ts'
import { declined, missing, Refusal, wrongState } from './refusal.ts'
import type { KeptIntent } from './state.ts'

const CONFIRMABLE: readonly Stripe.PaymentIntent.Status[] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
]

/** The guest's card, sent by the form. */
export function confirmIntent(parts: Parts, { id, form, faults, isPublic }: ApiCall): unknown {
  const kept = findIntent(parts, id)
  if (isPublic && textOf(form, 'client_secret') !== kept.secret) throw missing('payment_intent', id)
  if (!CONFIRMABLE.includes(kept.status))
    throw wrongState(
      'payment_intent_unexpected_state',
      `This PaymentIntent has a status of ${kept.status}.`,
      buildIntent(kept, parts.origin()),
    )
  const card = readCard(readCardForm(form), new Date(parts.clock.now()))
  if (!('last4' in card)) throw failAttempt(parts, kept, card)
  const returnUrl = textOf(form, 'return_url')
  if (card.asks3ds === true) {
    const waiting: KeptIntent = {
      ...kept,
      card,
      status: 'requires_action',
      action: returnUrl === undefined ? {} : { returnUrl },
    }
    parts.state.save(waiting)
    const intent = buildIntent(waiting, parts.origin())
    parts.events.add('payment_intent.requires_action', intent)
    return intent
  }
  return authorise(parts, kept, card, faults, readExpand(form))
}

function readCardForm(form: Form) {
  const card = groupOf(groupOf(form, 'payment_method_data'), 'card')
  const read = (name: string) => textOf(card, name) ?? ''
  return { number: read('number'), month: read('exp_month'), year: read('exp_year'), cvc: read('cvc') }
}

/** The guest completed or failed the authentication. */
export function finishAuthentication(
  parts: Parts,
  id: string,
  secret: string,
  isCompleted: boolean,
): Stripe.PaymentIntent {
  const kept = findIntent(parts, id)
  if (secret !== kept.secret) throw missing('payment_intent', id)
  if (kept.status !== 'requires_action' || kept.card === undefined) return buildIntent(kept, parts.origin())
  if (isCompleted) {
    try {
      return authorise(parts, kept, kept.card, [], new Set())
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return buildIntent(findIntent(parts, id), parts.origin())
    }
  }
  failAttempt(parts, kept, {
    code: 'payment_intent_authentication_failure',
    message: 'The provided PaymentMethod has failed authentication.',
  })
  return buildIntent(findIntent(parts, id), parts.origin())
}

function authorise(
  parts: Parts,
  kept: KeptIntent,
  card: ReadCard,
  faults: readonly Fault[],
  expand: ReadonlySet<string>,
): Stripe.PaymentIntent {
  const { clock, state, events } = parts
  const refused = hasFault(faults, 'decline')
    ? { code: 'card_declined', declineCode: 'generic_decline', message: 'Your card was declined.' }
    : card.declined
  if (refused !== undefined) throw failAttempt(parts, kept, refused)
  const early = findFault(faults, 'lapse_early')
  const lapsesInMs = early !== undefined ? (early.ms ?? 0) : card.lapsesSoon ? MINUTE_MS : HOLD_MS
  const isReviewed = card.isReviewed === true || hasFault(faults, 'review')
  const isManual = kept.captureMethod === 'manual'
  const { lastError: _error, ...open } = withoutAction(kept)
  const authorised: KeptIntent = {
    ...open,
    card,
    status: isManual ? 'requires_capture' : 'succeeded',
    amountReceived: isManual ? 0 : kept.amount,
    charge: {
      id: parts.createId('ch'),
      created: seconds(clock),
      captureBefore: Math.floor((clock.now() + HOLD_MS) / 1_000),
      lapsesAt: clock.now() + lapsesInMs,
      ...(!isManual && { capturedAt: seconds(clock) }),
    },
    ...(isReviewed && { review: { id: parts.createId('prv'), isOpen: true } }),
  }
  state.save(authorised)
  recordMoney(parts, kept, 'authorised', kept.amount)
  if (!isManual) recordMoney(parts, kept, 'captured', kept.amount)
  const intent = buildIntent(authorised, parts.origin(), expand)
  events.add(isManual ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded', intent)
  if (authorised.review !== undefined) events.add('review.opened', buildReview(authorised, authorised.review))
  return intent
}

/** The same intent takes another card. */
function failAttempt(parts: Parts, kept: KeptIntent, failure: Decline) {
  const failed: KeptIntent = { ...withoutAction(kept), status: 'requires_payment_method', lastError: failure }
  parts.state.save(failed)
  const intent = buildIntent(failed, parts.origin())
  parts.events.add('payment_intent.payment_failed', intent)
  return declined(failure, intent)
}
